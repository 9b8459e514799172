"""MAP and MBR decoding: one tree from the distribution over trees."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.search.decoders.base import Decoder, HeadsArray
from headwise.search.decoders.decodenames import DecodeName, decode_name
from headwise.search.decoders.mbr import mbr_of_marginals, mbr_predict, mbr_rerank
from headwise.search.probabilities import candidate_probabilities
from headwise.search.scores import Scores, scale

Floats = NDArray[np.float64]

LIST_SIZE = 50
"""Default number of candidates."""
SEED = 0
"""Random seed of samples; the same for every sentence, so that results are reproducible."""


def new_rng() -> np.random.Generator:
    """The random generator of samples."""
    return np.random.default_rng(SEED)


@dataclass(frozen=True, slots=True)
class Decoding:
    """How to choose a tree from a distribution: MAP or minimum Bayes risk.

    Candidates are the `kbest` best trees, or this many `samples`. Without either, `mbr` is over all
    trees, and `mbr-rerank` uses the 50 best.
    """

    name: DecodeName = "map"
    kbest: int | None = None
    samples: int | None = None

    def check(self) -> None:
        """Raise if the options are invalid."""
        decode_name(self.name)
        if self.kbest is not None and self.samples is not None:
            raise UsageError("give either kbest or samples, not both")
        if self.samples is not None and self.samples < 1:
            raise UsageError(f"samples must be at least 1, not {self.samples}")
        if self.samples is not None and self.name == "map":
            raise UsageError("samples requires decoding by mbr or mbr-rerank")

    def best(
        self,
        decoder: Any,
        scores: Any,
        factor: float = 1.0,
        by_arcs: tuple[Decoder, Scores] | None = None,
    ) -> HeadsArray:
        """The tree of a sentence; probabilities are proportional to exp(factor · score).

        by_arcs: what finds trees by the weights of arcs, and scores of the arcs that it may use, if
            it is not the decoder and its scores.
        """
        if self.name == "map":
            found: HeadsArray = decoder.best(scores).heads
            return found
        scaled = scores if factor == 1.0 else scale(scores, factor)
        arc_decoder, allowed = by_arcs or (decoder, scores)
        if self.name == "mbr" and self.kbest is None and self.samples is None:  # over all trees
            arc = decoder.marginals(scaled).arc
            return mbr_of_marginals(arc_decoder, arc, allowed, decoder.best(scores).heads).heads
        heads, probabilities = self.candidates(decoder, scores, scaled, factor)
        if self.name == "mbr":
            return mbr_predict(arc_decoder, heads, probabilities, allowed=allowed).heads
        chosen: HeadsArray = heads[mbr_rerank(heads, probabilities)[0]]
        return chosen

    def candidates(
        self, decoder: Any, scores: Any, scaled: Any, factor: float = 1.0
    ) -> tuple[HeadsArray, Floats]:
        """The candidates for MBR by any kind of scores, and their probabilities.

        `scaled` are the scores times the factor, from which trees are sampled.
        """
        if self.samples is not None:
            heads = decoder.sample(scaled, self.samples, new_rng())
            return heads, np.full(self.samples, 1.0 / self.samples)
        found = decoder.kbest(scores, self.kbest or LIST_SIZE)
        totals = np.array([tree.score for tree in found])
        return np.stack([tree.heads for tree in found]), candidate_probabilities(totals, factor)

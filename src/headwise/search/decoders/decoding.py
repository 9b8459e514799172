"""How one tree is made of the distribution over trees: maximum probability or minimum risk."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.search.decoders.base import Decoder, HeadsArray
from headwise.search.decoders.decodenames import DecodeName, decode_name
from headwise.search.decoders.mbr import exact_mbr, mbr_predict, mbr_rerank
from headwise.search.probabilities import candidate_probabilities
from headwise.search.scores import Scores, scale

Floats = NDArray[np.float64]

LIST_SIZE = 50
"""Candidates of a list, if nothing is said."""
SEED = 0
"""Of samples: every sentence has the same, so that its tree depends on nothing else."""


def new_rng() -> np.random.Generator:
    """What samples are drawn by."""
    return np.random.default_rng(SEED)


@dataclass(frozen=True, slots=True)
class Decoding:
    """How one tree is made of a distribution: the best one, or one of minimum Bayes risk.

    The list of candidates has the `kbest` trees, or so many `samples`. Without either, `mbr` is
    exact, and `mbr-rerank` takes the best 50.
    """

    name: DecodeName = "map"
    kbest: int | None = None
    samples: int | None = None

    def check(self) -> None:
        """Raise if this has no meaning."""
        decode_name(self.name)
        if self.kbest is not None and self.samples is not None:
            raise UsageError("candidates are the best trees or samples: give one of them")
        if self.samples is not None and self.samples < 1:
            raise UsageError(f"there must be 1 sample or more, not {self.samples}")
        if self.samples is not None and self.name == "map":
            raise UsageError("samples are candidates of minimum Bayes risk: decode by mbr")

    def best(self, decoder: Decoder, scores: Scores, factor: float) -> HeadsArray:
        """The tree of a sentence; probabilities are those of exp(factor · score)."""
        if self.name == "map":
            return decoder.best(scores).heads
        if self.name == "mbr" and self.kbest is None and self.samples is None:
            return exact_mbr(decoder, scores, factor).heads
        heads, probabilities = self.candidates(decoder, scores, factor)
        if self.name == "mbr-rerank":
            chosen: HeadsArray = heads[mbr_rerank(heads, probabilities)[0]]
            return chosen
        return mbr_predict(decoder, heads, probabilities, allowed=scores).heads

    def candidates(
        self, decoder: Decoder, scores: Scores, factor: float
    ) -> tuple[HeadsArray, Floats]:
        """The list that is decided over, and its probabilities."""
        if self.samples is not None:
            heads = decoder.sample(scale(scores, factor), self.samples, new_rng())
            return heads, np.full(self.samples, 1.0 / self.samples)
        found = decoder.kbest(scores, self.kbest or LIST_SIZE)
        totals = np.array([tree.score for tree in found])
        return np.stack([tree.heads for tree in found]), candidate_probabilities(totals, factor)

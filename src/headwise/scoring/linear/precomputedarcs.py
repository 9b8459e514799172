"""Higher-order parts over arcs that another model scores, which prunes them as well: a network."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.arcs.sparse import SparseRows
from headwise.scoring.linear.atoms import EncodedSentences
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.partscorer import PartScorer
from headwise.scoring.linear.scorer import ArcScorer, Floats, Heads
from headwise.scoring.linear.tables import TableSizes, WeightTables
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.decoders.base import Marginals
from headwise.search.scores import Scores

NO_FEATURES = FeatureSet(())
"""Of arcs whose scores are given."""

SMALLEST = TableSizes(wide=4, narrow=4, filters=4, parts=4)
"""Tables of which nothing is used."""


@dataclass(frozen=True, slots=True, eq=False)
class TokensWithArcs:
    """The tokens of a sentence, and the given scores of its arcs, [head, modifier]."""

    tokens: EncodedTokens
    arc: Floats

    @property
    def atoms(self) -> NDArray[np.uint64]:
        """The atoms of the tokens."""
        return self.tokens.atoms


@dataclass(frozen=True, slots=True, eq=False)
class SentencesWithArcs(EncodedSentences):
    """Sentences as atoms, and the given scores of all their arcs, flat, one after the other."""

    arcs: Floats

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process, matrices have the layout that kernels are compiled for, too."""
        return _received, (EncodedSentences(self.starts, self.tokens), self.arcs)

    def arrays(self) -> Iterator[NDArray[Any]]:
        yield from (*EncodedSentences.arrays(self), self.arcs)

    def sentence(self, number: int) -> TokensWithArcs:  # type: ignore[override]
        one = self.part(number, number + 1)
        size = int(one.starts[-1])
        return TokensWithArcs(one.tokens, one.arcs.reshape(size, size))

    def part(self, first: int, end: int) -> "SentencesWithArcs":
        own, starts = EncodedSentences.part(self, first, end), self.arc_starts
        return SentencesWithArcs(own.starts, own.tokens, self.arcs[starts[first] : starts[end]])


def _received(own: EncodedSentences, arcs: Floats) -> SentencesWithArcs:
    return SentencesWithArcs(own.starts, own.tokens, arcs)


@dataclass(frozen=True, eq=False)
class PrecomputedArcs(ArcScorer):
    """Scores arcs as they are given, over a temperature; it is what prunes them."""

    temperature: float

    @classmethod
    def at(cls, temperature: float) -> "PrecomputedArcs":
        """Scores whose probabilities can be trusted at this temperature."""
        return cls(NO_FEATURES, WeightTables.empty(SMALLEST), temperature)

    def __reduce__(self) -> tuple[Any, ...]:
        """Do not send what can be recomputed to another process."""
        return PrecomputedArcs.at, (self.temperature,)

    def scores(self, tokens: Any) -> Floats:
        found: Floats = tokens.arc / self.temperature
        return found

    def score_plainly(self, encoded: EncodedSentences) -> Floats:
        """The scores of all arcs of many sentences, concatenated."""
        assert isinstance(encoded, SentencesWithArcs)
        return encoded.arcs / self.temperature


@dataclass(frozen=True, eq=False)
class PartsOverPrecomputedArcs(PartScorer):
    """Scores arcs as they are given, times a factor, and parts by their weights.

    whole: whether scores of arcs are rounded, as those of parts are: sums are exact then.
    """

    factor: float = 1.0
    whole: bool = False

    def scaled(self, arcs: Floats) -> Floats:
        """The scores of arcs."""
        return np.rint(arcs * self.factor) if self.whole else arcs * self.factor

    def alone(self, tokens: Any) -> SentencesWithArcs:
        return SentencesWithArcs(np.array([0, len(tokens.arc)]), tokens.tokens, tokens.arc.ravel())

    def score_arcs(
        self, encoded: EncodedSentences, heads: Heads, modifiers: Heads, arc_starts: Heads
    ) -> Floats:
        assert isinstance(encoded, SentencesWithArcs)
        counts = np.diff(arc_starts)
        starts = np.repeat(encoded.arc_starts[:-1], counts)
        sizes = np.repeat(np.diff(encoded.starts), counts)
        return self.scaled(encoded.arcs[starts + heads * sizes + modifiers])

    def differences(self, tokens: Any, gold: Heads, trees: Heads) -> SparseRows:
        return PartScorer.differences(self, tokens.tokens, gold, trees)

    def gradient(self, tokens: Any, gold: Heads, scores: Scores, found: Marginals) -> SparseRows:
        return PartScorer.gradient(self, tokens.tokens, gold, scores, found)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecomputedArcsSpec(FeatureSpec):
    """Higher-order parts over given arcs, whose scores count `factor` times."""

    factor: float = 1.0
    whole: bool = False

    def scorer(self, tables: WeightTables) -> PartsOverPrecomputedArcs:
        assert self.parts is not None
        return PartsOverPrecomputedArcs(
            ArcScorer(self.arcs, tables),
            self.parts,
            self.factorisation,
            self.crossing,
            self.factor,
            self.whole,
        )

"""The pruner: a first-order log-linear model decides which arcs live.

An arc lives if its probability is at least a share of that of the word's likeliest head, and if it
is among the word's likeliest heads.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.features.atoms import EncodedSentences
from headwise.features.scorer import ArcScorer, Living
from headwise.features.tables import TableSizes
from headwise.kernels.arc_features import Tokens
from headwise.kernels.higher_parse import living_of


@dataclass(frozen=True, slots=True)
class PrunerSettings:
    """How a pruner is trained, and how much it keeps.

    features, epochs, rate, decay, tables: of its training.
    share: arcs whose probability is below this share of the likeliest head's are pruned.
    most: at most so many heads of a word are kept.
    """

    features: str = "paper-000"
    epochs: int = 3
    rate: float = 0.05
    decay: float = 0.0
    share: float = 0.005
    most: int = 10
    tables: TableSizes = field(default_factory=lambda: TableSizes(wide=18, narrow=4))

    def check(self) -> None:
        """Raise if a value has no meaning."""
        if not 0 <= self.share < 1:
            raise UsageError(f"pruner: share is from 0 to 1, not {self.share}")
        if self.most < 1 or self.epochs < 1:
            raise UsageError("pruner: most and epochs are 1 or more")
        self.tables.check()


@dataclass(frozen=True, slots=True, eq=False)
class Pruner:
    """A trained pruner."""

    scorer: ArcScorer
    settings: PrunerSettings
    single_root: bool

    def living(self, tokens: Tokens, given: Sequence[int | None] = ()) -> Living:
        """Which arcs of a sentence live, [head, modifier], if the heads of some words are given."""
        arc = self.scorer.scores(tokens)
        for word, head in enumerate(given, 1):
            if head is not None:
                score = arc[head, word]
                arc[:, word] = -np.inf
                arc[head, word] = score
        chosen = self.settings
        found: Living = living_of(arc, self.single_root, chosen.share, chosen.most)
        return found

    def living_with(
        self, encoded: EncodedSentences, golds: Sequence[NDArray[np.int64]]
    ) -> list[Living]:
        """The same for many sentences, arcs of gold trees always among them."""
        found = []
        for number, gold in enumerate(golds):
            living = self.living(encoded.sentence(number))
            living[gold[1:], np.arange(1, len(gold))] = True
            found.append(living)
        return found


@dataclass(frozen=True, slots=True)
class Oracle:
    """How much a pruner keeps of some sentences, and how good trees over it could be."""

    heads_a_word: float
    uas: float


def oracle(pruner: Pruner, encoded: EncodedSentences, golds: Sequence[NDArray[np.int64]]) -> Oracle:
    """The share of gold arcs that live (per cent), and how many heads a word keeps."""
    kept = reached = words = 0
    for number, gold in enumerate(golds):
        living = pruner.living(encoded.sentence(number))
        kept += int(np.count_nonzero(living))
        reached += int(np.count_nonzero(living[gold[1:], np.arange(1, len(gold))]))
        words += len(gold) - 1
    return Oracle(kept / words, 100.0 * reached / words)

"""The pruner: a first-order log-linear model decides which arcs live.

An arc lives if its probability is at least a share of that of the word's likeliest head, and if it
is among the word's likeliest heads. Where there is no tree over such arcs, those of the likeliest
tree live too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.features.atoms import EncodedSentences, in_pieces
from headwise.features.scorer import ArcScorer, Floats, Living
from headwise.features.tables import TableSizes
from headwise.kernels import order1
from headwise.kernels.arc_features import Tokens
from headwise.kernels.pruning import keep_likely, living_many
from headwise.settings import MOST_EPOCHS

MOST_HEADS = 1_000_000
"""No sentence has so many words."""


@dataclass(frozen=True, slots=True)
class PrunerSettings:
    """How a pruner is trained, and how much it keeps.

    features, epochs, rate, decay, tables: of its training.
    share: arcs whose probability is below this share of the likeliest head's are pruned.
    training_share: the same in training, lower: a pruner is too sure of the trees it has learnt.
    most: at most so many heads of a word are kept.
    """

    features: str = "pruner"
    epochs: int = 2
    rate: float = 0.02
    decay: float = 0.0
    share: float = 0.005
    training_share: float = 0.001
    most: int = 10
    tables: TableSizes = field(default_factory=lambda: TableSizes(wide=18, narrow=4))

    def check(self) -> None:
        """Raise if a value has no meaning."""
        for share in (self.share, self.training_share):
            if not 0 <= share < 1:
                raise UsageError(f"pruner: share is from 0 to 1, not {share}")
        if not (1 <= self.most <= MOST_HEADS and 1 <= self.epochs <= MOST_EPOCHS):
            raise UsageError(
                f"pruner: most is 1 to {MOST_HEADS:,}, and epochs are 1 to {MOST_EPOCHS:,}"
            )
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
        living = self.living_under(arc.ravel(), np.array([len(arc)])).reshape(arc.shape)
        return self.with_tree(living, arc)

    def living_many(self, encoded: EncodedSentences) -> Living:
        """Which arcs of many sentences are likely enough: their matrices as one flat array.

        Rarely, there is no tree over them. Then those of `living` are more.
        """
        return self.living_under(self.scorer.score_plainly(encoded), np.diff(encoded.starts))

    def living_under(self, arcs: Floats, sizes: NDArray[np.int64]) -> Living:
        """The same by the scores of all arcs."""
        chosen, root = self.settings, self.single_root
        living: Living
        living, unsure = living_many(arcs, sizes, root, chosen.share, chosen.most)
        ends = np.cumsum(sizes**2)
        for number in np.flatnonzero(unsure):  # long sentences, by slower arithmetic
            size, end = sizes[number], ends[number]
            arc = arcs[end - size * size : end].reshape(size, size)
            _, probability = order1.marginals(arc, np.zeros_like(arc), root)
            own = living[end - size * size : end].reshape(size, size)
            keep_likely(probability, chosen.share, chosen.most, own)
        return living

    def with_tree(self, living: Living, arc: Floats) -> Living:
        """Living arcs, and if there is no tree over them those of the best (all, if none is)."""
        size, root = np.array([len(arc)]), self.single_root
        _, total = order1.best_trees(np.where(living, 0.0, -np.inf).ravel(), size, root)
        if total[0] > -np.inf:
            return living
        tree, total = order1.best_trees(arc.ravel(), size, root)
        if total[0] == -np.inf:
            everything = np.ones_like(living)
            everything[:, 0] = False
            np.fill_diagonal(everything, False)
            return everything
        living[tree[1:], np.arange(1, len(tree))] = True
        return living

    def living_with(
        self, encoded: EncodedSentences, golds: Sequence[NDArray[np.int64]]
    ) -> list[Living]:
        """The same in training, arcs of gold trees always among them."""
        softer = replace(self.settings, share=self.settings.training_share)
        found = replace(self, settings=softer).living_each(encoded)
        for living, gold in zip(found, golds, strict=True):
            living[gold[1:], np.arange(1, len(gold))] = True
        return found

    def living_each(self, encoded: EncodedSentences) -> list[Living]:
        """Which arcs of each of many sentences live, [head, modifier]."""
        found: list[Living] = []
        for piece in in_pieces(encoded):
            flat, at = self.living_many(piece), 0
            for size in np.diff(piece.starts).tolist():
                found.append(flat[at : at + size * size].reshape(size, size))
                at += size * size
        return found


@dataclass(frozen=True, slots=True)
class Oracle:
    """How much a pruner keeps of some sentences, and how good trees over it could be."""

    heads_a_word: float
    uas: float


def oracle(pruner: Pruner, encoded: EncodedSentences, golds: Sequence[NDArray[np.int64]]) -> Oracle:
    """The share of gold arcs that live (per cent), and how many heads a word keeps."""
    kept = reached = words = 0
    for living, gold in zip(pruner.living_each(encoded), golds, strict=True):
        kept += int(np.count_nonzero(living))
        reached += int(np.count_nonzero(living[gold[1:], np.arange(1, len(gold))]))
        words += len(gold) - 1
    return Oracle(kept / words, 100.0 * reached / words)

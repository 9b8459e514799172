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
from headwise.kernels.arcs.features import Tokens
from headwise.kernels.arcs.pruning import keep_likely, unpruned_many
from headwise.kernels.charts import order1
from headwise.scoring.linear.atoms import EncodedSentences, in_pieces
from headwise.scoring.linear.scorer import ArcScorer, Floats, UnprunedArcs
from headwise.scoring.linear.tables import TableSizes
from headwise.storage.settings import MOST_EPOCHS

MOST_HEADS = 1_000_000
"""No sentence has so many words."""


@dataclass(frozen=True, slots=True)
class PrunerSettings:
    """How a pruner is trained, and how much it keeps.

    features: feature set of the pruner.
    epochs: number of epochs of its training, which is log-linear.
    rate: learning rate of its training.
    decay: L2 regularisation strength of its training.
    share: prune arcs of less than this share of the probability of the word's likeliest head.
    training_share: the same while training on its arcs; lower, as it knows the training trees.
    most: maximum number of heads to keep for a word.
    tables: sizes of its weight tables.
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

    def unpruned(self, tokens: Tokens, given: Sequence[int | None] = ()) -> UnprunedArcs:
        """Which arcs of a sentence live, [head, modifier], if the heads of some words are given."""
        arc = self.scorer.scores(tokens)
        for word, head in enumerate(given, 1):
            if head is not None:
                score = arc[head, word]
                arc[:, word] = -np.inf
                arc[head, word] = score
        unpruned = self.unpruned_under(arc.ravel(), np.array([len(arc)])).reshape(arc.shape)
        return self.with_tree(unpruned, arc)

    def unpruned_many(self, encoded: EncodedSentences) -> UnprunedArcs:
        """Which arcs of many sentences are likely enough: their matrices as one flat array.

        Rarely, there is no tree over them. Then those of `unpruned` are more.
        """
        return self.unpruned_under(self.scorer.score_plainly(encoded), np.diff(encoded.starts))

    def unpruned_under(self, arcs: Floats, sizes: NDArray[np.int64]) -> UnprunedArcs:
        """The same by the scores of all arcs."""
        chosen, root = self.settings, self.single_root
        unpruned: UnprunedArcs
        unpruned, unsure = unpruned_many(arcs, sizes, root, chosen.share, chosen.most)
        ends = np.cumsum(sizes**2)
        for number in np.flatnonzero(unsure):  # long sentences, by slower arithmetic
            size, end = sizes[number], ends[number]
            arc = arcs[end - size * size : end].reshape(size, size)
            _, probability = order1.marginals(arc, np.zeros_like(arc), root)
            own = unpruned[end - size * size : end].reshape(size, size)
            keep_likely(probability, chosen.share, chosen.most, own)
        return unpruned

    def with_tree(self, unpruned: UnprunedArcs, arc: Floats) -> UnprunedArcs:
        """Unpruned arcs, and if there is no tree over them those of the best (all, if none is)."""
        size, root = np.array([len(arc)]), self.single_root
        _, total = order1.best_trees(np.where(unpruned, 0.0, -np.inf).ravel(), size, root)
        if total[0] > -np.inf:
            return unpruned
        tree, total = order1.best_trees(arc.ravel(), size, root)
        if total[0] == -np.inf:
            everything = np.ones_like(unpruned)
            everything[:, 0] = False
            np.fill_diagonal(everything, False)
            return everything
        unpruned[tree[1:], np.arange(1, len(tree))] = True
        return unpruned

    def unpruned_with(
        self, encoded: EncodedSentences, golds: Sequence[NDArray[np.int64]]
    ) -> list[UnprunedArcs]:
        """The same in training, arcs of gold trees always among them."""
        softer = replace(self.settings, share=self.settings.training_share)
        found = replace(self, settings=softer).unpruned_each(encoded)
        for unpruned, gold in zip(found, golds, strict=True):
            unpruned[gold[1:], np.arange(1, len(gold))] = True
        return found

    def unpruned_each(self, encoded: EncodedSentences) -> list[UnprunedArcs]:
        """Which arcs of each of many sentences live, [head, modifier]."""
        found: list[UnprunedArcs] = []
        for piece in in_pieces(encoded):
            flat, at = self.unpruned_many(piece), 0
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
    for unpruned, gold in zip(pruner.unpruned_each(encoded), golds, strict=True):
        kept += int(np.count_nonzero(unpruned))
        reached += int(np.count_nonzero(unpruned[gold[1:], np.arange(1, len(gold))]))
        words += len(gold) - 1
    return Oracle(kept / words, 100.0 * reached / words)

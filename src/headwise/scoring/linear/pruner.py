"""The pruner: a first-order log-linear model selects the arcs for higher-order search.

An arc is kept if its probability is at least a fraction of that of the word's most probable head,
and if it is among the word's most probable heads. If there is no tree over the kept arcs, those of
the most probable tree are kept too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.arcs.pruning import keep_likely, unpruned_many
from headwise.kernels.charts import order1
from headwise.scoring.linear.atoms import EncodedSentences, in_pieces
from headwise.scoring.linear.scorer import ArcScorer, Floats, UnprunedArcs
from headwise.scoring.linear.tables import TableSizes
from headwise.storage.settings import MAX_EPOCHS

MAX_HEADS = 1_000_000
"""Far more than the words of any sentence."""


@dataclass(frozen=True, slots=True)
class PrunerSettings:
    """How a pruner is trained, and how much it keeps.

    features: feature set of the pruner.
    epochs: number of training epochs of the pruner, a log-linear model.
    rate: learning rate of its training.
    decay: L2 regularisation strength of its training.
    share: arcs below this fraction of the probability of the most probable head are pruned.
    training_share: the same in training; lower, as a pruner is overconfident on its training data.
    max_heads: largest number of heads kept per word.
    tables: sizes of its weight tables.
    """

    features: str = "pruner"
    epochs: int = 2
    rate: float = 0.02
    decay: float = 0.0
    share: float = 0.005
    training_share: float = 0.001
    max_heads: int = 10
    tables: TableSizes = field(default_factory=lambda: TableSizes(wide=18, narrow=4))

    former_names: ClassVar[Mapping[str, str]] = {"most": "max_heads"}

    def check(self) -> None:
        for share in (self.share, self.training_share):
            if not 0 <= share < 1:
                raise UsageError(f"pruner: share must be from 0 to 1, not {share}")
        if not (1 <= self.max_heads <= MAX_HEADS and 1 <= self.epochs <= MAX_EPOCHS):
            raise UsageError(
                f"pruner: max_heads must be from 1 to {MAX_HEADS:,}, "
                f"epochs from 1 to {MAX_EPOCHS:,}"
            )
        self.tables.check()


@dataclass(frozen=True, slots=True, eq=False)
class Pruner:
    """A trained pruner."""

    scorer: ArcScorer
    settings: PrunerSettings
    single_root: bool

    def unpruned(self, tokens: EncodedTokens, given: Sequence[int | None] = ()) -> UnprunedArcs:
        """The unpruned arcs of a sentence, [head, modifier]; the heads of some words may be
        given."""
        arc = self.scorer.scores(tokens)
        for word, head in enumerate(given, 1):
            if head is not None:
                score = arc[head, word]
                arc[:, word] = -np.inf
                arc[head, word] = score
        unpruned = self.unpruned_under(arc.ravel(), np.array([len(arc)])).reshape(arc.shape)
        return self.with_tree(unpruned, arc)

    def unpruned_many(self, encoded: EncodedSentences) -> UnprunedArcs:
        """The unpruned arcs of many sentences: their matrices as one flat array.

        Rarely, there is no tree over them; `unpruned` then keeps more.
        """
        return self.unpruned_under(self.scorer.score_plainly(encoded), np.diff(encoded.starts))

    def unpruned_under(self, arcs: Floats, sizes: NDArray[np.int64]) -> UnprunedArcs:
        """The same, given the scores of all arcs."""
        chosen, root = self.settings, self.single_root
        unpruned: UnprunedArcs
        unpruned, unsure = unpruned_many(arcs, sizes, root, chosen.share, chosen.max_heads)
        ends = np.cumsum(sizes**2)
        for number in np.flatnonzero(unsure):  # long sentences, in log space
            size, end = sizes[number], ends[number]
            arc = arcs[end - size * size : end].reshape(size, size)
            _, probability = order1.marginals(arc, np.zeros_like(arc), root)
            own = unpruned[end - size * size : end].reshape(size, size)
            keep_likely(probability, chosen.share, chosen.max_heads, own)
        return unpruned

    def with_tree(self, unpruned: UnprunedArcs, arc: Floats) -> UnprunedArcs:
        """Unpruned arcs; if there is no tree over them, with those of the best tree (else all)."""
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
        """The unpruned arcs in training, always including those of gold trees."""
        softer = replace(self.settings, share=self.settings.training_share)
        found = replace(self, settings=softer).unpruned_each(encoded)
        for unpruned, gold in zip(found, golds, strict=True):
            unpruned[gold[1:], np.arange(1, len(gold))] = True
        return found

    def unpruned_each(self, encoded: EncodedSentences) -> list[UnprunedArcs]:
        """The unpruned arcs of each of many sentences, [head, modifier]."""
        found: list[UnprunedArcs] = []
        for piece in in_pieces(encoded):
            flat, at = self.unpruned_many(piece), 0
            for size in np.diff(piece.starts).tolist():
                found.append(flat[at : at + size * size].reshape(size, size))
                at += size * size
        return found

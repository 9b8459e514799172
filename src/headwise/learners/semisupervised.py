"""Semi-supervised convex training (Wang et al. 2008; Wang 2008, chapter 8).

Over the weights θ and a matrix Y_j for each of U unlabelled sentences, besides N with gold trees:

    minimise   α/2N ‖θ‖² + Σ_i max_y [cost(y) - s(g_i) + s(y)]
             + α/2U ‖θ‖² + λ/2 Σ_j Σ_hm (s(h, m) - Y_j[h, m])²                               (8.6)

where Y_j[h, m], how much h is the head of m, lies in the polytope of `kernels.polytope`, or is a
mixture of trees (`treetargets`). This is
convex in θ and Y together. A pass goes over the labelled sentences, then over the others: a step
on θ with Y as it is, then the best Y with θ as it is. The first Y hangs every word on the one
before it. What draws weights to 0 acts once a pass, on all of them (a proximal step).

Steps are `rate` / √(1 + passes) long, but no longer than to the lowest point in their direction of
the loss that they go down on.
"""

import math
import warnings
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headwise.errors import HeadwiseWarning, UsageError
from headwise.kernels.arcs.entries import ArcList
from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.solvers.leastsquares import descend
from headwise.kernels.solvers.polytope import nearest_heads
from headwise.learners.base import Example, Learner, Loss, TargetName
from headwise.learners.treetargets import nearest_mixture
from headwise.learners.weights import LearnedWeights, squared_length
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.scorer import ArcScorer, Scorer
from headwise.scoring.linear.tables import WeightTables
from headwise.search.decoders.base import Decoder
from headwise.search.scores import add_cost
from headwise.storage.settings import check_not_negative, check_positive

if TYPE_CHECKING:
    from headwise.learners.data import TrainingData

TOLERANCE = 1e-9
"""The amount by which a pair of words may exceed 1 in Y."""

PASSES = 10_000
"""Largest number of visits to every pair to find Y; a few are enough except for odd scores."""

LEAST = 1e-9
"""Residuals below this count as this: the effect on weights is invisible."""

Floats = NDArray[np.float64]


@dataclass(eq=False)
class SemiSupervised(Learner):
    """Lowers (8.6) sentence by sentence; with λ = 0 and no unlabelled sentences, (8.2).

    alpha: α, L2 regularisation strength.
    lam: λ, weight of the unlabelled sentences.
    rate: maximum step size.
    targets: what unlabelled sentences may have: `heads`, one for each word and no two words of
        each other, or mixtures of `trees`.
    loss: cost of the structured hinge: wrong `heads`, or those of words other than punctuation
        (`no-punctuation`).

    `labelled` and `unlabelled` count sentences; `starts` are those of their matrices Y.
    """

    arcs_only = True
    needs_all_arcs = True
    learns_unlabelled = True
    learns_partial = False

    alpha: float = 1.0
    lam: float = 0.01
    rate: float = 0.1
    targets: TargetName = "heads"
    loss: Loss = "heads"
    decoder: Decoder = field(init=False, repr=False)
    labelled: int = field(init=False, repr=False)
    starts: NDArray[np.int64] = field(init=False, repr=False)
    matrices: NDArray[np.float32] = field(init=False, repr=False)

    def check(self) -> None:
        """Raise if a setting has no meaning."""
        check_positive(self, "rate")
        check_not_negative(self, "alpha", "lam")
        if self.loss == "complete":
            raise UsageError("semisupervised needs a cost for each head: choose another loss")

    def tree_loss(self) -> Loss:
        """The loss that was chosen."""
        return self.loss

    def start(self, data: "TrainingData", decoder: Decoder) -> "SemiSupervised":
        """Begin with chains."""
        own = replace(self)
        own.decoder, own.labelled = decoder, len(data)
        none = np.zeros(1, np.int64)
        own.starts = none if data.unlabelled is None else data.unlabelled.matrices
        own.matrices = right_branching(own.starts)
        return own

    def variables(self, data: "TrainingData") -> int:
        """Y of the unlabelled sentences."""
        return 0 if data.unlabelled is None else int(data.unlabelled.matrices[-1])

    @property
    def unlabelled(self) -> int:
        """The number of unlabelled sentences."""
        return len(self.starts) - 1

    def step(self, weights: LearnedWeights) -> float:
        """How long a step is now, at most."""
        passes = weights.steps / (self.labelled + self.unlabelled)
        return self.rate / math.sqrt(1.0 + passes)

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """A step on θ by a labelled sentence; its structured hinge loss, as it was."""
        tree, loss = self.hinge(example)
        if loss > 0.0:
            rows = example.differences(tree[None])
            length = float(rows.value @ rows.value)
            if length > 0.0:
                step = min(self.step(weights), loss / length)
                weights.add(rows.slots, step * rows.value)
        self.draw_to_zero(weights)
        return loss

    def hinge(self, example: Example) -> tuple[NDArray[np.int64], float]:
        """The tree that violates its margin most, and by how much."""
        scores = example.scores
        tree = self.decoder.best(add_cost(scores, example.gold, example.costs)).heads
        loss = example.cost(tree) - scores.of_tree(example.gold) + scores.of_tree(tree)
        return tree, max(loss, 0.0)

    def learn_unlabelled(
        self, scorer: Scorer, tokens: EncodedTokens, number: int, weights: LearnedWeights
    ) -> float:
        """A step on θ by an unlabelled sentence, then its best Y; its loss, as it was."""
        if not isinstance(scorer, ArcScorer):
            raise UsageError("semi-supervised training knows arcs only: choose order 1")
        target = self.target(number)
        arcs = missed_arcs(scorer.scores(tokens), target)
        rows = scorer.rows(tokens, arcs, len(arcs.row))
        change = descend(rows, arcs.coefficient, self.lam * self.step(weights))
        weights.add(rows.slots, change)
        target[:] = self.best_target(scorer.scores(tokens))
        self.draw_to_zero(weights)
        return 0.5 * self.lam * float(arcs.coefficient @ arcs.coefficient)

    def target(self, number: int) -> NDArray[np.float32]:
        """Y of an unlabelled sentence, which may be written to."""
        start, end = self.starts[number : number + 2]
        size = math.isqrt(int(end - start))
        return self.matrices[start:end].reshape(size, size)

    def best_target(self, arc: Floats) -> Floats:
        """The best Y under scores of arcs."""
        if self.targets == "trees":
            return nearest_mixture(arc, self.decoder)
        return nearest_target(arc)

    def draw_to_zero(self, weights: LearnedWeights) -> None:
        """At the end of the labelled sentences, and of the others, the regulariser has its step."""
        done = weights.steps % (self.labelled + self.unlabelled) + 1
        for last, count in (
            (self.labelled, self.labelled),
            (self.labelled + self.unlabelled, self.unlabelled),
        ):
            if done == last and count:
                weights.shrink(1.0 / (1.0 + self.step(weights) * self.alpha / count))

    def solution(
        self, data: "TrainingData", looks: FeatureSpec, weights: LearnedWeights
    ) -> tuple[WeightTables, dict[str, float]]:
        """The average of the weights after every step, and (8.6) there."""
        tables = weights.averaged()
        return tables, {"objective": self.objective(data, looks.scorer(tables), tables)}

    def objective(self, data: "TrainingData", scorer: Scorer, tables: WeightTables) -> float:
        """(8.6) at some weights, and the best Y for them."""
        counts = [count for count in (self.labelled, self.unlabelled) if count]
        total = 0.5 * sum(self.alpha / count for count in counts) * squared_length(scorer, tables)
        for number in range(len(data)):
            tokens = data.encoded.sentence(number)
            scores = scorer.scores_of(tokens)
            gold, costs = data.golds[number], data.costs[number]
            example = Example(scorer, tokens, gold, costs, data.tree_cost, scores, self.decoder)
            total += self.hinge(example)[1]
        for number in range(self.unlabelled if data.unlabelled is not None else 0):
            assert data.unlabelled is not None
            arc = scorer.scores_of(data.unlabelled.sentence(number)).arc
            total += self.lam * half_square(arc, self.best_target(arc))
        if not math.isfinite(total):
            raise UsageError("training has lost its way: choose a smaller rate")
        return total

    def state(self) -> dict[str, NDArray[np.float32]]:
        """Y of all unlabelled sentences."""
        return {"targets": self.matrices} if len(self.matrices) else {}

    def restore(self, state: dict[str, NDArray[np.float32]]) -> None:
        """Go on from such matrices."""
        if "targets" in state:
            self.matrices = state["targets"]


def right_branching(starts: NDArray[np.int64]) -> NDArray[np.float32]:
    """Matrices in which the head of every word is the one before it."""
    targets = np.zeros(starts[-1], np.float32)
    for start, end in pairwise(starts):
        size = math.isqrt(int(end - start))
        targets[start + 1 : end : size + 1] = 1.0  # one above the diagonal
    return targets


def nearest_target(arc: Floats) -> Floats:
    """The matrix of the polytope nearest to the scores of arcs."""
    heads, missed = nearest_heads(arc, TOLERANCE, PASSES)
    if missed > TOLERANCE:
        warnings.warn(
            f"the heads of an unlabelled sentence of {len(arc) - 1} words were not found exactly: "
            f"two words come to {missed:.1e} more than 1",
            HeadwiseWarning,
            stacklevel=2,
        )
    found: Floats = heads
    return found


def missed_arcs(arc: Floats, target: NDArray[np.float32]) -> ArcList:
    """Every arc, in a row of its own, with how far its score is above its target."""
    head, modifier = np.nonzero(~np.eye(len(arc), dtype=np.bool_))
    head, modifier = head[modifier > 0], modifier[modifier > 0]
    missed = arc[head, modifier] - target[head, modifier]
    missed[np.abs(missed) < LEAST] = LEAST
    return ArcList(np.arange(len(head)), head, modifier, missed)


def half_square(arc: Floats, target: Floats) -> float:
    """½ Σ (score - target)² over all arcs."""
    is_arc = ~np.eye(len(arc), dtype=np.bool_)
    is_arc[:, 0] = False
    missed = arc[is_arc] - target[is_arc]
    return 0.5 * float(missed @ missed)

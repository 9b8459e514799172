"""Semi-supervised convex training (Wang et al. 2008; Wang 2008, chapter 8).

Over the weights θ and a matrix Y_j for each of U unlabelled sentences, besides N with gold trees:

    minimise   α/2N ‖θ‖² + Σ_i max_y [cost(y) - s(g_i) + s(y)]
             + α/2U ‖θ‖² + λ/2 Σ_j Σ_hm (s(h, m) - Y_j[h, m])²                               (8.6)

where Y_j[h, m], how much h is the head of m, lies in the polytope C of `kernels.solvers.polytope`,
or is a mixture of trees (`treetargets`). This is convex in θ and Y together. The thesis takes
stochastic steps, for which there is no telling how far they have come. Here its dual is solved,
sentence by sentence. With ρ = α/N + α/U it has a mixture M_i of trees for each labelled sentence,
and a matrix R_j for each of the others:

    maximise   Σ_i cost(M_i) - Σ_j [σ(R_j) + ‖R_j‖² / 2λ] - ρ/2 ‖θ‖²
    where      ρ θ = Σ_i [features of g_i - those of M_i] - Σ_j features by R_j,
               σ(R) = max over Y in C of Σ R[h, m] Y[h, m]

At the optimum R_j = λ (s - Y_j), and Y_j is the matrix of C nearest to s. A visit to a sentence
finds the tree that violates its margin most, or that R_j at the weights of now, and takes the best
mixture of it with what the sentence had, a few times over (block-coordinate Frank-Wolfe:
Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013; dual coordinate ascent: Shalev-Shwartz and Zhang
2013). A labelled sentence remembers the trees of its mixture, so that a visit also gives mass back
that earlier visits gave to trees that no longer deserve it (as the pairwise steps of Osokin et al.
2016 do): without that, weak regularisation takes several times as many passes. The dual never
falls, there is no step size, and its distance from (8.6) bounds how far both are from the solution:
the gap.

σ of a mixture of matrices is at most the mixture of their σ. The latter is what is remembered, so
that the gap is never understated.
"""

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError, UsageError, warn
from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.solvers.polytope import nearest_heads
from headwise.learners.arcmargin import lower_objective
from headwise.learners.base import Example, Learner, Loss, TargetName
from headwise.learners.mixtures import Floats, Mixture, in_matrix, matrix_of, only_arcs
from headwise.learners.treetargets import nearest_mixture
from headwise.learners.weights import LearnedWeights, squared_length
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.scorer import ArcScorer, Scorer
from headwise.scoring.linear.tables import WeightTables
from headwise.search.decoders.base import Decoder, HeadsArray
from headwise.search.scores import Scores, add_cost
from headwise.storage.settings import check_not_negative, check_positive

if TYPE_CHECKING:
    from headwise.learners.data import TrainingData

TOLERANCE = 1e-9
"""The amount by which a pair of words may exceed 1 in Y."""

PASSES = 10_000
"""Largest number of visits to every pair to find Y; a few are enough except for odd scores."""

ROUNDS = 5
"""Largest number of trees, or matrices, that join the mixture of a sentence in one visit."""

ENOUGH = 0.1
"""A visit ends where the gap of its sentence has fallen to this share of what it was."""

TREES = 12
"""Largest number of trees that a labelled sentence remembers; others are mixed into one matrix."""

Matrices = NDArray[np.float32]


@dataclass(eq=False)
class SemiSupervised(Learner):
    """Solves (8.6) sentence by sentence; with λ = 0 and no unlabelled sentences, (8.2).

    alpha: α, L2 regularisation strength.
    lam: λ, weight of the unlabelled sentences.
    targets: what unlabelled sentences may have: `heads`, one for each word and no two words of
        each other, or mixtures of `trees`.
    loss: cost of the structured hinge: wrong `heads`, or those of words other than punctuation
        (`no-punctuation`).

    M of a labelled sentence mixes `trees`, which stand one after the other from `words` on, and one
    matrix of `mixtures` (from `tree_starts` on); `shares` are of both, those of the matrix first.
    `residuals` are R of the other sentences, from `starts` on, and `supports` σ of R.
    """

    arcs_only = True
    needs_all_arcs = True
    learns_unlabelled = True
    learns_partial = False

    alpha: float = 1.0
    lam: float = 0.01
    targets: TargetName = "heads"
    loss: Loss = "heads"
    decoder: Decoder = field(init=False, repr=False)
    words: NDArray[np.int64] = field(init=False, repr=False)
    tree_starts: NDArray[np.int64] = field(init=False, repr=False)
    starts: NDArray[np.int64] = field(init=False, repr=False)
    mixtures: Matrices = field(init=False, repr=False)
    trees: NDArray[np.int32] = field(init=False, repr=False)
    shares: Matrices = field(init=False, repr=False)
    residuals: Matrices = field(init=False, repr=False)
    supports: Matrices = field(init=False, repr=False)

    def check(self) -> None:
        check_positive(self, "alpha")
        check_not_negative(self, "lam")
        if self.loss == "complete":
            raise UsageError("semisupervised needs a cost for each head: choose another loss")

    def tree_loss(self) -> Loss:
        return self.loss

    def start(self, data: "TrainingData", decoder: Decoder) -> "SemiSupervised":
        """Begin with weights of 0: gold trees alone, and nothing missed."""
        own = replace(self)
        own.decoder = decoder
        own.words = data.encoded.starts
        own.tree_starts = data.encoded.arc_starts
        none = np.zeros(1, np.int64)
        own.starts = none if data.unlabelled is None else data.unlabelled.arc_starts
        own.mixtures = np.zeros(own.tree_starts[-1], np.float32)
        for number, gold in enumerate(data.golds):
            square(own.mixtures, own.tree_starts, number)[:] = matrix_of(gold)
        own.trees = np.zeros((TREES, own.words[-1]), np.int32)
        own.shares = np.zeros((TREES + 1, len(data)), np.float32)
        own.shares[0] = 1.0
        own.residuals = np.zeros(own.starts[-1], np.float32)
        own.supports = np.zeros(own.unlabelled, np.float32)
        return own

    def variables(self, data: "TrainingData") -> int:
        """A matrix for each sentence, and the trees of the labelled ones."""
        more = 0 if data.unlabelled is None else int(data.unlabelled.arc_starts[-1])
        own = int(data.encoded.arc_starts[-1]) + TREES * int(data.encoded.starts[-1])
        return own + more

    @property
    def labelled(self) -> int:
        """The number of sentences with trees."""
        return len(self.tree_starts) - 1

    @property
    def unlabelled(self) -> int:
        """The number of unlabelled sentences."""
        return len(self.starts) - 1

    @property
    def strength(self) -> float:
        """ρ, by which half of ‖θ‖² counts."""
        return sum(self.alpha / count for count in (self.labelled, self.unlabelled) if count)

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """Mix a labelled sentence's trees anew; its structured hinge loss, as it was."""
        scorer = example.scorer
        assert isinstance(scorer, ArcScorer)  # as `arcs_only` says
        mixture, trees = Mixture(scorer, example.tokens, weights, self.strength), []
        for tree, share in self.remembered(example.number):
            trees.append(tree)
            mixture.join(in_matrix(tree), mixed_cost(tree, example.gold, example.costs), share)
        scores, before, first = example.scores, 0.0, 0.0
        for number in range(ROUNDS):
            tree, loss = self.hinge(example, scores)
            gap = loss - mixture.reached(scores.arc, matrix_of(example.gold))
            if number == 0:
                before, first = loss, gap
            if gap <= ENOUGH * first or gap <= TOLERANCE:
                break
            if not any(np.array_equal(tree, one) for one in trees):
                trees.append(tree)
                mixture.join(in_matrix(tree), example.cost(tree))
            mixture.mix(curvature=0.0)
            scores = Scores(scorer.scores(example.tokens))
        self.remember(example.number, trees, mixture)
        return before

    def remembered(self, number: int) -> list[tuple[NDArray[Any], float]]:
        """The mixture of a labelled sentence: a matrix, and trees that have shares."""
        own, shares = slice(*self.words[number : number + 2]), self.shares[:, number]
        used = np.flatnonzero(shares[1:] > 0.0)
        matrix = square(self.mixtures, self.tree_starts, number).astype(np.float64)
        found = [(matrix, float(shares[0]))]
        return found + [(self.trees[one, own].copy(), float(shares[1 + one])) for one in used]

    def remember(self, number: int, trees: list[NDArray[Any]], mixture: Mixture) -> None:
        """Keep the trees of the largest shares; the others are mixed into the matrix."""
        order = 1 + np.argsort(-mixture.shares[1:], kind="stable")
        mixed = np.append(0, order[TREES:])
        share = mixture.shares[mixed].sum()
        if len(mixed) > 1 and share > 0.0:
            matrix = (
                np.tensordot(mixture.shares[mixed], np.stack(mixture.members)[mixed], 1) / share
            )
            square(self.mixtures, self.tree_starts, number)[:] = matrix
        own, self.shares[:, number] = slice(*self.words[number : number + 2]), 0.0
        self.shares[0, number] = share
        for place, one in enumerate(order[:TREES]):
            self.trees[place, own], self.shares[1 + place, number] = trees[one], mixture.shares[one]

    def hinge(self, example: Example, scores: Scores) -> tuple[HeadsArray, float]:
        """The tree that violates its margin most, and by how much."""
        tree = self.decoder.best(add_cost(scores, example.gold, example.costs)).heads
        loss = example.cost(tree) - scores.of_tree(example.gold) + scores.of_tree(tree)
        return tree, max(loss, 0.0)

    def learn_unlabelled(
        self, scorer: Scorer, tokens: EncodedTokens, number: int, weights: LearnedWeights
    ) -> float:
        """Mix an unlabelled sentence's matrices anew; its loss, as it was."""
        assert isinstance(scorer, ArcScorer)
        own = square(self.residuals, self.starts, number)
        mixture = Mixture(scorer, tokens, weights, self.strength)
        mixture.join(own.astype(np.float64), -float(self.supports[number]), 1.0)
        mixture.join(np.zeros_like(mixture.matrix), 0.0)
        before = first = 0.0
        for turn in range(ROUNDS):
            arc = only_arcs(scorer.scores(tokens))
            target = self.best_target(arc)
            missed = self.lam * (arc - target)
            loss = float((missed**2).sum()) / (2.0 * self.lam)
            now = mixture.matrix
            gap = loss - mixture.reached(arc) + float((now**2).sum()) / (2.0 * self.lam)
            if turn == 0:
                before, first = loss, gap
            if gap <= ENOUGH * first or gap <= TOLERANCE:
                break
            mixture.join(missed, -float((missed * target).sum()))
            mixture.mix(curvature=1.0 / self.lam)
        own[:] = mixture.matrix
        self.supports[number] = -mixture.worth
        return before

    def best_target(self, arc: Floats) -> Floats:
        """The best Y under scores of arcs."""
        if self.targets == "trees":
            return nearest_mixture(arc, self.decoder)
        return nearest_target(arc)

    def solution(
        self, data: "TrainingData", spec: FeatureSpec, weights: LearnedWeights
    ) -> tuple[WeightTables, dict[str, float]]:
        dual, strength = self.dual(data), self.strength
        return lower_objective(self.objective, data, spec, weights, dual, strength)

    def dual(self, data: "TrainingData") -> float:
        """What the dual has reached, less the part of the weights."""
        total = 0.0
        for number, gold in enumerate(data.golds):
            for tree, share in self.remembered(number):
                total += share * mixed_cost(tree, gold, data.costs[number])
        if self.unlabelled and self.lam:
            missed = self.residuals.astype(np.float64)
            total -= float(missed @ missed) / (2.0 * self.lam)
            total -= float(self.supports.sum(dtype=np.float64))
        return total

    def objective(self, data: "TrainingData", scorer: Scorer, tables: WeightTables) -> float:
        """(8.6) at some weights, and the best Y for them."""
        total = 0.5 * self.strength * squared_length(scorer, tables)
        for number in range(len(data)):
            tokens = data.encoded.sentence(number)
            scores = scorer.scores_of(tokens)
            gold, costs = data.golds[number], data.costs[number]
            example = Example(scorer, tokens, gold, costs, data.tree_cost, scores, self.decoder)
            total += self.hinge(example, scores)[1]
        for number in range(self.unlabelled if data.unlabelled is not None else 0):
            assert data.unlabelled is not None
            arc = only_arcs(scorer.scores_of(data.unlabelled.sentence(number)).arc)
            total += 0.5 * self.lam * float(((arc - self.best_target(arc)) ** 2).sum())
        return total

    def state(self) -> dict[str, NDArray[Any]]:
        """The dual variables of all sentences."""
        found = {"mixtures": self.mixtures, "trees": self.trees, "shares": self.shares}
        if self.unlabelled:
            found |= {"residuals": self.residuals, "supports": self.supports}
        return found

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        sizes = np.repeat(np.diff(self.words), np.diff(self.words))
        if (state["trees"] < -1).any() or (state["trees"] >= sizes).any():
            raise ModelError("its trees have heads beyond their sentences")
        self.mixtures, self.trees, self.shares = (
            state[name] for name in ("mixtures", "trees", "shares")
        )
        if self.unlabelled:
            self.residuals, self.supports = state["residuals"], state["supports"]


def square(matrices: Matrices, starts: NDArray[np.int64], number: int) -> Matrices:
    """The matrix of a sentence, which may be written to."""
    start, end = starts[number : number + 2]
    size = math.isqrt(int(end - start))
    return matrices[start:end].reshape(size, size)


def mixed_cost(member: NDArray[Any], gold: HeadsArray, costs: Floats) -> float:
    """What a member of a mixture costs: a tree, or a matrix of several."""
    if member.ndim == 1:
        return float(costs[1:] @ (member[1:] != gold[1:]))
    return float(costs[1:] @ (1.0 - member[gold[1:], np.arange(1, len(gold))]))


def nearest_target(arc: Floats) -> Floats:
    """The matrix of the polytope nearest to the scores of arcs."""
    heads, missed = nearest_heads(arc, TOLERANCE, PASSES)
    if missed > TOLERANCE:
        warn(
            f"the heads of an unlabelled sentence of {len(arc) - 1} words were not found exactly: "
            f"two words come to {missed:.1e} more than 1"
        )
    found: Floats = heads
    return found

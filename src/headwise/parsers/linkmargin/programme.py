"""The quadratic programmes of chapter 6, and how they are solved.

    minimise  β/2 (‖θ‖² + ρ Σ S (θ[p] - θ[q])²) + Σ ξ                         (6.1), (6.5), (6.8)

over weights θ and slacks ξ of local margins, or of whole trees; the second sum is over ties of
similar pairs of words. Every local margin has a variable α of the dual, every tie a γ, every
sentence a mixture of trees where whole trees have margins (`kernels.treemargin`). A pass visits
each of them once; they move to where the dual is highest, and θ with them. The dual never falls. It
bounds the least objective from below: the gap between both says how far either can be from the
solution at most, and both meet where the conditions of the optimum hold.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.solvers.linkmargin import (
    NUMBERS,
    Links,
    LinkWeights,
    ascend_links,
    local_state,
)
from headwise.kernels.solvers.pairties import ascend_ties, ties_state
from headwise.kernels.solvers.treemargin import Mixtures, gold_mixtures, step_trees, tree_state
from headwise.parsers.linkmargin.links import Ties
from headwise.parsers.linkmargin.settings import MarginName

Floats = NDArray[np.float64]

NO_MIXTURES = Mixtures(np.zeros((0, 0), np.int16), np.zeros((0, 0)))


@dataclass(frozen=True, slots=True, eq=False)
class Iterate:
    """Where the solver is: weights, and the variables of the dual that make them up."""

    weights: LinkWeights
    alphas: Floats  # [2 link + end], of local margins
    mixtures: Mixtures  # of trees
    gammas: Floats  # [tie]


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """How far a programme is solved.

    objective: what is minimised. gap: by which share of it it may be too high, at most.
    kkt: the largest violation of a condition of the optimum, in units of scores.
    """

    objective: float
    gap: float
    kkt: float


@dataclass(frozen=True, slots=True, eq=False)
class Programme:
    """One quadratic programme.

    scales: of PMI, distance and its square; 0 of what is not looked at.
    """

    links: Links
    ties: Ties
    pairs: int
    loss: MarginName
    beta: float
    rho: float
    scales: tuple[float, float, float]
    single_root: bool

    def start(self) -> Iterate:
        """Weights of 0."""
        weights = LinkWeights(
            np.zeros(self.pairs), np.zeros(NUMBERS), np.array(self.scales, np.float64)
        )
        is_local = self.loss == "local"
        alphas = np.zeros(2 * len(self.links.pair) if is_local else 0)
        mixtures = NO_MIXTURES if is_local else gold_mixtures(self.links)
        return Iterate(weights, alphas, mixtures, np.zeros(len(self.ties)))

    @property
    def strengths(self) -> Floats:
        """βρS of every tie."""
        return self.beta * self.rho * self.ties.similarity

    def advance(self, at: Iterate, order: NDArray[np.int64]) -> float:
        """Visit everything once, sentences in this order; what their margins missed, as met."""
        if self.loss == "local":
            lost = ascend_links(self.links, at.weights, order, at.alphas, self.beta)
        else:
            scratch = np.zeros(self.pairs)
            lost = step_trees(
                self.links, at.weights, at.mixtures, order, self.beta, self.single_root, scratch
            )
        if len(self.ties):
            first, second = self.ties.first, self.ties.second
            ascend_ties(first, second, self.strengths, at.gammas, at.weights.pair, self.beta)
        return float(lost)

    def measures(self, at: Iterate) -> Measures:
        """How far it is solved."""
        pair, number = at.weights.pair, at.weights.number
        drawn = 0.5 * self.beta * float(pair @ pair + number @ number)
        if self.loss == "local":
            missed, worst = local_state(self.links, at.weights, at.alphas)
            reached = float(at.alphas.sum())
        else:
            missed, reached, worst = tree_state(
                self.links, at.weights, at.mixtures, self.single_root
            )
        tied, taken, apart = ties_state(
            self.ties.first, self.ties.second, self.strengths, at.gammas, pair
        )
        objective = drawn + tied + missed
        dual = reached - drawn - taken
        gap = (objective - dual) / objective if objective > 0.0 else 0.0
        return Measures(objective, gap, max(worst, apart))

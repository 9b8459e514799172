"""A structural support vector machine with rescaled slacks, over lists of candidates.

Tsochantaridis, Hofmann, Joachims and Altun (2004); the learner of Titov & Henderson (2006), 6.1:

    minimise ½ ‖w‖² + C Σ_i ξ_i   subject to   w · (φ(best_i) - φ(y)) ≥ 1 - ξ_i / Δ_i(y)

for every candidate y of list i that loses Δ_i(y) > 0 more than the best one. A list has few
candidates, so that all constraints are there from the start. Let z_iy = Δ_i(y) (φ(best_i) - φ(y)),
which is 0 for the best; then ξ_i is the largest Δ_i(y) - w · z_iy, and the dual is

    maximise C Σ_iy p_iy Δ_i(y) - ½ ‖w‖²   where   w = C Σ_iy p_iy z_iy,   p_iy ≥ 0,  Σ_y p_iy = 1

Lists are visited in turn, and their p solved exactly. The dual never falls; its distance from the
objective bounds how far both are from the solution.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from headwise.errors import warn
from headwise.kernels.solvers.simplex import best_shares
from headwise.progress import Progress, silent
from headwise.reranking.rows import FeatureRows, Floats, Ints

ENOUGH = 1e-3
"""Training ends where the dual lacks no more than this share of the objective."""

SHARE_STEPS = 1000
"""Largest number of moves of mass between the candidates of a list in one visit."""

SHARE_TOLERANCE = 1e-9


class Space(ABC):
    """Candidates of all lists, and weights w; those of a list have consecutive indices."""

    @abstractmethod
    def scores(self, first: int, last: int) -> Floats:
        """w · φ of some candidates."""

    @abstractmethod
    def products(self, first: int, last: int) -> Floats:
        """φ · φ of each two of some candidates."""

    @abstractmethod
    def add(self, first: int, last: int, amounts: Floats) -> None:
        """Add to w the candidates in these amounts."""

    @abstractmethod
    def squared_length(self) -> float:
        """‖w‖²."""


class VectorSpace(Space):
    """Sparse vectors; `weights` is w, at first 0."""

    def __init__(self, rows: FeatureRows, columns: int) -> None:
        self.rows = rows.matrix(columns)
        self.weights = np.zeros(columns)

    def scores(self, first: int, last: int) -> Floats:
        return np.asarray(self.rows[first:last] @ self.weights)

    def products(self, first: int, last: int) -> Floats:
        own = self.rows[first:last]
        return np.asarray((own @ own.T).toarray())

    def add(self, first: int, last: int, amounts: Floats) -> None:
        self.weights += np.asarray(self.rows[first:last].T @ amounts)

    def squared_length(self) -> float:
        return float(self.weights @ self.weights)


class ProductSpace(Space):
    """All products of candidates, given as a matrix; `amounts` of them, at first 0, make up w."""

    def __init__(self, gram: Floats) -> None:
        self.gram = gram
        self.amounts = np.zeros(len(gram))
        self.totals = np.zeros(len(gram))

    def scores(self, first: int, last: int) -> Floats:
        return self.totals[first:last]

    def products(self, first: int, last: int) -> Floats:
        return self.gram[first:last, first:last]

    def add(self, first: int, last: int, amounts: Floats) -> None:
        self.amounts[first:last] += amounts
        self.totals += self.gram[:, first:last] @ amounts

    def squared_length(self) -> float:
        return float(self.amounts @ self.totals)


class ListProgramme:
    """The part of the dual that belongs to one list: `shares` are p."""

    def __init__(self, space: Space, first: int, last: int, losses: Floats) -> None:
        """Start with all of p on the best candidate, the first of equals."""
        self.space, self.own = space, (first, last)
        self.best = int(np.argmin(losses))
        self.above = losses - losses[self.best]
        products = space.products(first, last)
        to_best = products[self.best]
        differences = products - to_best - to_best[:, None] + to_best[self.best]
        self.gram = self.above[:, None] * differences * self.above
        self.shares = np.zeros(len(losses))
        self.shares[self.best] = 1.0

    def slacks(self) -> Floats:
        """Δ(y) - w · z_y of each candidate: the largest is ξ."""
        scores = self.space.scores(*self.own)
        found: Floats = self.above * (1.0 - scores[self.best] + scores)
        return found

    def gap(self) -> float:
        """What the list lacks to its optimum under the weights of now, without the factor C."""
        slacks = self.slacks()
        return float(slacks.max() - self.shares @ slacks)

    def solve(self, c: float) -> None:
        """Move p to its optimum, and w with it."""
        slacks = self.slacks()
        shares = best_shares(c * self.gram, slacks, self.shares, SHARE_TOLERANCE, SHARE_STEPS)
        changes = c * (shares - self.shares) * self.above
        amounts = -changes
        amounts[self.best] += changes.sum()
        self.space.add(*self.own, amounts)
        self.shares = shares


def solve_lists(
    space: Space,
    bounds: Ints | Sequence[int],
    losses: Floats,
    c: float,
    epochs: int,
    progress: Progress = silent,
) -> float:
    """Find w, and return the gap: the share of the objective that the dual lacks.

    List i has the candidates bounds[i] to bounds[i + 1]. Warns if `epochs` were not enough.
    """
    lists = [ListProgramme(space, int(a), int(b), losses[a:b]) for a, b in pairwise(bounds)]
    gap = 1.0
    for epoch in range(epochs):
        for one in lists:
            one.solve(c)
        missing = c * sum(one.gap() for one in lists)
        slacks = c * sum(float(one.slacks().max()) for one in lists)
        objective = 0.5 * space.squared_length() + slacks
        gap = missing / objective if objective > 0 else 0.0
        progress("epochs", epoch + 1, epochs)
        if gap <= ENOUGH:
            return gap
    warn(
        f"the support vector machine is not solved: its objective may be {100 * gap:.2g} % too "
        "high; give more epochs (--epochs) or a smaller c"
    )
    return gap

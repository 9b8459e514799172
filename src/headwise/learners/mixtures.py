"""The mixture of one sentence: trees or matrices with shares, by which the weights of a model move.

A member is a matrix over arcs with what it is worth in the dual besides its features.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.entries import ArcList
from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.arcs.sparse import SparseRows
from headwise.kernels.solvers.simplex import best_shares
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.scorer import ArcScorer
from headwise.search.decoders.base import HeadsArray

Floats = NDArray[np.float64]

TOLERANCE = 1e-9
"""Shares are the best ones up to this much of their gain."""

SHARE_STEPS = 200
"""Largest number of moves of mass between the members of a mixture."""


class Mixture:
    """The members of one sentence's mixture, and the weights that move with their shares."""

    def __init__(
        self,
        scorer: ArcScorer,
        tokens: EncodedTokens,
        weights: LearnedWeights,
        strength: float,
    ) -> None:
        self.scorer, self.tokens, self.weights, self.strength = scorer, tokens, weights, strength
        self.members: list[Floats] = []
        self.values: list[float] = []
        self.shares = np.empty(0)

    def join(self, member: Floats, worth: float, share: float = 0.0) -> None:
        """Another member: one of before has a share, a new one none yet."""
        self.members.append(member)
        self.values.append(worth)
        self.shares = np.append(self.shares, share)

    @property
    def matrix(self) -> Floats:
        """The members by their shares."""
        found: Floats = np.tensordot(self.shares, np.stack(self.members), 1)
        return found

    @property
    def worth(self) -> float:
        """What the mixture is worth besides its features."""
        return float(self.shares @ np.array(self.values))

    def reached(self, arc: Floats, less: Floats | float = 0.0) -> float:
        """The worth and the score of the mixture, less those of a matrix."""
        return self.worth + float(only_arcs(arc).ravel() @ np.ravel(self.matrix - less))

    def mix(self, curvature: float) -> None:
        """The best shares of all members; weights follow.

        curvature: how much half of the squares of the mixture itself cost.
        """
        members = np.stack(self.members)
        head, modifier = np.nonzero(members.any(axis=0))
        ones = ArcList(np.arange(len(head)), head, modifier, np.ones(len(head)))
        rows = self.scorer.rows(self.tokens, ones, len(head))
        coefficients = members[:, head, modifier]
        features = summed(rows, coefficients)
        arc = only_arcs(self.scorer.scores(self.tokens))[head, modifier]
        gram = features @ features.T / self.strength + curvature * coefficients @ coefficients.T
        now = self.shares @ coefficients
        linear = np.array(self.values) + coefficients @ (arc - curvature * now)
        tolerance = TOLERANCE * max(1.0, float(np.abs(linear).max()))
        shares = best_shares(gram, linear, self.shares, tolerance, SHARE_STEPS)
        self.weights.add(rows.slots, (self.shares - shares) @ features / self.strength)
        self.shares = shares


def summed(rows: SparseRows, coefficients: Floats) -> Floats:
    """The features of members, [member, column], each the rows of arcs by its coefficients."""
    per_entry = np.repeat(np.arange(len(rows.start) - 1), np.diff(rows.start))
    return np.stack(
        [
            np.bincount(rows.column, one[per_entry] * rows.value, len(rows.slots))
            for one in coefficients
        ]
    )


def matrix_of(heads: HeadsArray) -> Floats:
    """The matrix [head, modifier] of a tree."""
    matrix = np.zeros((len(heads), len(heads)))
    matrix[heads[1:], np.arange(1, len(heads))] = 1.0
    return matrix


def in_matrix(member: NDArray[Any]) -> Floats:
    """A member of a mixture as a matrix: a tree, or already one."""
    return member if member.ndim > 1 else matrix_of(member)


def only_arcs(arc: Floats) -> Floats:
    """Scores with 0 where there is no arc: on the diagonal, and into the root."""
    found = arc.copy()
    np.fill_diagonal(found, 0.0)
    found[:, 0] = 0.0
    return found

"""Learners that lower a convex objective over all sentences, and can say what it is."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from headwise.kernels.primitives.vectors import LINE
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.scorer import Scorer
from headwise.scoring.linear.tables import WeightTables

if TYPE_CHECKING:
    from headwise.learners.data import TrainingData


@runtime_checkable
class Convex(Protocol):
    """A learner with an objective."""

    def solution(
        self, data: "TrainingData", looks: FeatureSpec, weights: LearnedWeights
    ) -> tuple[WeightTables, dict[str, float]]:
        """The weights to keep, `objective` there, and what else says how far it is solved."""
        ...


def squared_length(scorer: Scorer, tables: WeightTables) -> float:
    """‖θ‖²; the weight of a plain template, which is kept twice, counts once."""
    weights = tables.weights
    some = weights[weights != 0].astype(np.float64)
    total = float(some @ some)
    if any(one.conjoined == "plain" for one in scorer.features.templates):
        lines = weights[: tables.sizes.narrow_start].reshape(-1, LINE)
        twice = lines[lines[:, 0] == lines[:, 1], 1].astype(np.float64)
        total -= float(twice @ twice)
    return total

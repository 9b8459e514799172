"""Learning to rank: averaged and voted perceptron, large margin, log-linear, SVM.

Training starts from weights under which the candidates' own scores decide; the SVM has no start,
as its solution does not depend on one. The candidates of minimum loss in each list are correct;
mistake-driven learners use the highest-scoring of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from headwise.errors import UsageError
from headwise.progress import Progress
from headwise.reranking.rows import FeatureRows, Floats, Ints
from headwise.reranking.slackrescaling import VectorSpace, solve_lists
from headwise.storage.settings import LARGEST_INT, MAX_EPOCHS, check_counts, check_types


@dataclass(frozen=True, slots=True, eq=False)
class RankingData:
    """Candidate lists to train on."""

    rows: FeatureRows
    bounds: Ints  # list i has the rows bounds[i] to bounds[i + 1]
    losses: Floats  # of each row
    columns: int

    @classmethod
    def of(
        cls, lists: Sequence[FeatureRows], losses: Sequence[Floats], columns: int
    ) -> "RankingData":
        """Create the data from lists and the losses of their candidates."""
        bounds = np.concatenate([[0], np.cumsum([len(rows) for rows in lists])])
        return cls(FeatureRows.joined(lists), bounds, np.concatenate(losses), columns)

    def __len__(self) -> int:
        """The number of lists."""
        return len(self.bounds) - 1

    def first_weights(self) -> Floats:
        """Initial weights, under which the candidates' own scores decide."""
        weights = np.zeros(self.columns)
        weights[0] = 1.0
        return weights


LEARNERS = ("log-linear", "perceptron", "voted", "large-margin", "svm")


@dataclass(kw_only=True, eq=False)
class RerankerSettings:
    """The hyperparameters of a linear reranker.

    least: drop features that vary in fewer lists than this.
    c: the aggressiveness parameter C (large-margin), or the weight of the slacks (svm).
    prior: L2 regularisation strength (log-linear).
    """

    learner: str = "log-linear"
    epochs: int = 10
    least: int = 5
    c: float = 0.01
    prior: float = 5.0
    seed: int = 0

    former_names: ClassVar[Mapping[str, str]] = {"most": "c"}

    def check(self) -> None:
        """Raise if a parameter is invalid."""
        check_types(self)
        if self.learner not in LEARNERS:
            known = ", ".join(LEARNERS)
            raise UsageError(f"unknown learner {self.learner!r}; choose from {known}")
        if min(self.epochs, self.least) < 1 or not self.c > 0 or not self.prior >= 0:
            raise UsageError("epochs and least must be at least 1, c above 0, prior at least 0")
        check_counts(self, {"epochs": (1, MAX_EPOCHS), "seed": (0, LARGEST_INT)})


Mistakes = list[tuple[int, int, float]]
"""FeatureRows of a correct and of a wrong candidate, and the step size of the update."""


def learn_from_mistakes(
    data: RankingData, settings: RerankerSettings, progress: Progress, *, margin: bool
) -> tuple[Floats, Mistakes, list[int]]:
    """The averaged weights, the updates, and the number of steps that each weight vector survived.

    With `margin`, the wrong candidate is the one with the highest score plus loss, and the update
    is as large as its margin requires (MIRA), up to C; otherwise it is the winner, with step size
    1.
    """
    weights, drift = data.first_weights(), np.zeros(data.columns)
    mistakes: Mistakes = []
    votes, clock, done = [0], 1, 0
    rng = np.random.default_rng(settings.seed)
    for _ in range(settings.epochs):
        for number in rng.permutation(len(data)).tolist():
            first, last = int(data.bounds[number]), int(data.bounds[number + 1])
            totals = data.rows.part(first, last).dot(weights)
            right, wrong, step = a_step(data, first, last, totals, settings.c if margin else None)
            if step > 0:
                for row, factor in ((right, step), (wrong, -step)):
                    columns, values = data.rows.row(row)
                    weights[columns] += factor * values
                    drift[columns] += clock * factor * values
                mistakes.append((right, wrong, step))
                votes.append(1)
            else:
                votes[-1] += 1
            clock += 1
            done += 1
            progress("lists", done, settings.epochs * len(data))
    return weights - drift / clock, mistakes, votes


def a_step(
    data: RankingData, first: int, last: int, totals: Floats, most: float | None
) -> tuple[int, int, float]:
    """The correct candidate of a list, a wrong one, and the step size; 0 without a mistake."""
    losses = data.losses[first:last]
    least = losses.min()
    right = int(np.argmax(np.where(losses <= least, totals, -np.inf)))
    above = losses - least
    wrong = int(np.argmax(totals + above if most is not None else totals))
    if losses[wrong] <= least:
        return first + right, first + wrong, 0.0
    if most is None:
        return first + right, first + wrong, 1.0
    missing = float(above[wrong] - totals[right] + totals[wrong])
    _, difference = data.rows.difference(first + right, first + wrong)
    size = float(difference @ difference)
    step = min(most, missing / size) if missing > 0 and size > 0 else 0.0
    return first + right, first + wrong, step


def learn_log_linear(data: RankingData, settings: RerankerSettings, progress: Progress) -> Floats:
    """The weights of largest likelihood of the right candidates, under a Gaussian prior.

    Where several candidates of a list are correct, their probabilities are summed. The weight of
    the score is not regularised.
    """
    from scipy.optimize import minimize

    starts, lengths = data.bounds[:-1], np.diff(data.bounds)
    right = data.losses <= np.repeat(np.minimum.reduceat(data.losses, starts), lengths)
    strength = np.full(data.columns, settings.prior)
    strength[0] = 0.0

    def objective(weights: Floats) -> tuple[float, Floats]:
        totals = data.rows.dot(weights)
        shares, norms = normalised(totals, starts, lengths)
        good, good_norms = normalised(np.where(right, totals, -np.inf), starts, lengths)
        loss = float((norms - good_norms).sum() + 0.5 * (strength * weights**2).sum())
        return loss, data.rows.weighted_sum(shares - good, data.columns) + strength * weights

    done, most_steps = 0, 20 * settings.epochs

    def after_a_step(_: object) -> None:
        nonlocal done
        done += 1
        progress("steps", done, most_steps)

    options: Any = {"maxiter": most_steps}
    callback: Any = after_a_step
    start = data.first_weights()
    found = minimize(
        objective, start, jac=True, method="L-BFGS-B", options=options, callback=callback
    )
    return np.asarray(found.x)


def learn_svm(data: RankingData, settings: RerankerSettings, progress: Progress) -> Floats:
    """The weights of a support vector machine with rescaled slacks; the score is a feature."""
    space = VectorSpace(data.rows, data.columns)
    epochs = 20 * settings.epochs
    solve_lists(space, data.bounds, data.losses, settings.c, epochs, progress)
    return space.weights


def normalised(totals: Floats, starts: Ints, lengths: Ints) -> tuple[Floats, Floats]:
    """The softmax of the totals within each list, and the logarithms of the normalisers."""
    highest = np.maximum.reduceat(totals, starts)
    powers = np.exp(totals - np.repeat(highest, lengths))
    sums = np.add.reduceat(powers, starts)
    return powers / np.repeat(sums, lengths), np.log(sums) + highest

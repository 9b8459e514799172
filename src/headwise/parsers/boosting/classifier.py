"""Logistic regression over three classes with Goodman's exponential prior (eq. 3.5), or with L2.

Its manners are those of scikit-learn.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from headwise.errors import UsageError
from headwise.kernels.solvers.link_loss import Examples, link_loss
from headwise.kernels.solvers.link_solver import solve_links
from headwise.parameters import Parametrised
from headwise.storage.settings import check_types

Floats = NDArray[np.float64]
Prior = Literal["exponential", "l2"]

CLASSES = 3


@dataclass(kw_only=True, eq=False)
class LinkClassifier(Parametrised):
    """P(class | x) ∝ exp(θ_class · x), over rows of features that are mostly 0.

    prior: `exponential` draws weights to 0 with a constant force, and lets none be negative; `l2`
        draws them by their size.
    strength: the α of the exponential prior, the weight of ½‖θ‖² with l2.
    tolerance: training ends where no slope is steeper, of those that do not lead out of bounds.
    steps: largest number of optimisation steps.
    """

    prior: Prior = "exponential"
    strength: float = 0.5
    tolerance: float = 0.1
    steps: int = 1000

    classes_: NDArray[np.int64] = field(init=False, repr=False)
    coef_: Floats = field(init=False, repr=False)  # [class, feature]
    objective_: float = field(init=False, repr=False)
    slope_: float = field(init=False, repr=False)  # the steepest one left
    steps_: int = field(init=False, repr=False)
    converged_: bool = field(init=False, repr=False)

    def fit(
        self,
        X: csr_array,  # noqa: N803
        y: NDArray[np.generic],
        sample_weight: Floats | None = None,
        *,
        start: NDArray[np.floating[Any]] | None = None,
    ) -> "LinkClassifier":
        """Find the weights of highest posterior probability, from 0 or from a start.

        The solver is our own: SciPy's L-BFGS-B returns to Python for every evaluation, which takes
        twenty times the CPU time for problems as small as most pairs of tags are, and holds up the
        other threads.
        """
        check_types(self)
        objective = Objective(X, y, sample_weight, self.prior, self.strength)
        theta = np.zeros(objective.shape)
        if start is not None:
            theta[:] = start.T
        self.steps_ = solve_links(
            objective.examples,
            theta,
            objective.lowest,
            objective.linear,
            objective.quadratic,
            self.tolerance,
            self.steps,
        )
        self.classes_ = np.arange(CLASSES)
        self.coef_ = np.ascontiguousarray(theta.T)
        self.objective_ = objective(theta.ravel())[0]
        self.slope_ = objective.steepest(theta.ravel())
        self.converged_ = self.slope_ <= self.tolerance
        return self

    def predict_proba(self, X: csr_array) -> Floats:  # noqa: N803
        """The probabilities of the classes: [row, class]."""
        if not hasattr(self, "coef_"):
            raise UsageError("this classifier has learnt nothing yet: call fit")
        return np.exp(log_normalised(X @ self.coef_.T))


class Objective:
    """The negative logarithm of eq. 3.5 (or of eq. 3.4) as a function of all weights, with slopes.

    What does not depend on weights is left out. No weight may be below `lowest`; the prior adds
    `linear` times their sum and `quadratic` times half of their squares.
    """

    def __init__(
        self,
        rows: csr_array,
        labels: NDArray[np.generic],
        sample_weight: Floats | None,
        prior: Prior,
        strength: float,
    ) -> None:
        """Bring the examples into the shape that the kernel wants."""
        rows = csr_array(rows)
        self.shape = (rows.shape[1], CLASSES)
        weights = np.ones(len(labels)) if sample_weight is None else sample_weight
        self.examples = Examples(
            rows.indptr.astype(np.int64),
            rows.indices.astype(np.int32),
            rows.data.astype(np.float64),
            labels.astype(np.int8),
            weights.astype(np.float64),
        )
        is_linear = prior == "exponential"
        self.lowest = 0.0 if is_linear else -np.inf
        self.linear, self.quadratic = (strength, 0.0) if is_linear else (0.0, strength)

    def __call__(self, flat: Floats) -> tuple[float, Floats]:
        """The value and the gradient."""
        theta = flat.reshape(self.shape)
        gradient = np.empty(self.shape)
        loss = link_loss(self.examples, theta, gradient)
        pull = self.quadratic * flat
        value = loss + self.linear * float(flat.sum()) + 0.5 * float(pull @ flat)
        return value, gradient.ravel() + self.linear + pull

    def steepest(self, flat: Floats) -> float:
        """The steepest slope, of those that do not lead out of bounds: 0 at the optimum (KKT)."""
        gradient = self(flat)[1]
        free = np.where(flat > self.lowest, gradient, np.minimum(gradient, 0.0))
        return float(np.abs(free).max(initial=0.0))


def log_normalised(scores: Floats) -> Floats:
    """Scores of the three classes, in the last axis, as logarithms of probabilities."""
    one, two, three = np.moveaxis(scores, -1, 0)  # sums along short axes are slow
    highest = np.maximum(np.maximum(one, two), three)
    total = np.exp(one - highest) + np.exp(two - highest) + np.exp(three - highest)
    normalised: Floats = scores - (highest + np.log(total))[..., None]
    return normalised

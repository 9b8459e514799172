"""Weights that are being learnt, and their average over all steps.

The weights after step t count c_t times: once in an even average, t² times in a late one, which
forgets the first steps sooner (Shamir and Zhang 2013 average in this way). With C_t = c_1 + … + c_t

    average of w_1 … w_T = w_T - Σ_t C_{t-1} · Δ_t / C_T        Δ_t: what step t added

so that no step costs more than its own changes (Daumé 2006 has this trick).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.kernels.arcs.entries import MIRRORED
from headwise.kernels.arcs.plausible import Plausible
from headwise.kernels.arcs.sparse import add_to_table
from headwise.kernels.primitives.vectors import LINE
from headwise.scoring.linear.scorer import Scorer
from headwise.scoring.linear.tables import TableSizes, WeightTables


@dataclass(eq=False)
class LearnedWeights:
    """The weights after the steps made so far, and what their average needs."""

    tables: WeightTables
    sums: NDArray[np.float32]
    steps: int = 0
    late: bool = False  # whether late steps count more in the average

    @classmethod
    def empty(
        cls,
        sizes: TableSizes,
        plausible: Plausible | None = None,
        *,
        with_parts: bool = False,
        with_labels: bool = False,
        late: bool = False,
    ) -> "LearnedWeights":
        """No step made."""
        tables = WeightTables.empty(
            sizes, plausible, with_parts=with_parts, with_labels=with_labels
        )
        return cls(tables, np.zeros_like(tables.weights), late=late)

    @property
    def counted(self) -> float:
        """How much the steps made so far count together: C_t."""
        t = self.steps
        return t * (t + 1) * (2 * t + 1) / 6 if self.late else float(t)

    def add(self, slots: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Change weights within a step."""
        slots, values = np.asarray(slots), np.asarray(values, np.float64)
        check_step(slots, values, len(self.tables.weights))
        add_to_table(self.tables.weights, self.sums, self.counted, slots, values)

    def end_step(self) -> None:
        """A step is made, whether it changed weights or not."""
        self.steps += 1

    def averaged(self) -> WeightTables:
        """The average of the weights after every step; raise if scores could not hold it."""
        with np.errstate(over="ignore", invalid="ignore"):
            average = self.sums / np.float32(-max(self.counted, 1.0))
            average += self.tables.weights
        if not max(average.max(), -average.min()) < LARGEST_CHANGE:  # NaN is not, either
            raise UsageError(
                "the average of the weights is NaN or beyond 10³⁰: are the settings of the "
                "learner, such as a rate, too large, or was its checkpoint altered?"
            )
        return replace(self.tables, weights=average, filters=self.tables.filters.copy())


LARGEST_CHANGE = 1e30
"""Far beyond any useful change of a weight, and far below what 32 bits can hold."""


def check_step(slots: NDArray[np.int64], values: NDArray[np.float64], size: int) -> None:
    """Raise if a learner, which may be a user's own, would write beside the table or spoil it."""
    if slots.ndim != 1 or values.shape != slots.shape:
        raise UsageError(f"a step has slots of shape {slots.shape}, values of {values.shape}")
    if not len(slots):
        return
    if slots.dtype != np.int64:
        raise UsageError(f"slots must be 64-bit integers, as in rows.slots, not {slots.dtype}")
    plain = slots & ~MIRRORED
    if plain.min() < 0 or (plain + (slots != plain)).max() >= size:  # a mirrored slot is two
        raise UsageError(f"slots must be from 0 to {size - 1}, as in rows.slots")
    if not np.abs(values).max() < LARGEST_CHANGE:
        raise UsageError(
            "a step of the learner changes a weight by NaN or more than 10³⁰: "
            "are its settings, such as a rate, too large?"
        )


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

"""8-bit quantisation of weights: smaller models, and table rows that fit the cache.

A weight is the stored integer times the scale of its table.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError

LARGEST = 127
"""The largest stored integer."""

_NEXT_TO_NOTHING = 1e-30  # smaller scales would not be float32


def scale_of(table: NDArray[Any]) -> float:
    """The smallest scale at which every weight of a table can be stored."""
    largest = float(np.maximum(table.max(initial=0), -table.min(initial=0)))
    if not math.isfinite(largest):
        raise UsageError("a weight is infinite or NaN")
    return largest / LARGEST if largest > _NEXT_TO_NOTHING else 1.0


def quantise(table: NDArray[np.float32], scale: float) -> NDArray[np.int8]:
    """The quantised table; weights out of range are clipped."""
    whole: NDArray[np.float32] = np.rint(table / np.float32(scale))
    np.clip(whole, -LARGEST, LARGEST, out=whole)
    return whole.astype(np.int8)


def restore(stored: NDArray[Any], scale: float) -> NDArray[np.float32]:
    """The weights of a quantised table."""
    return stored.astype(np.float32) * np.float32(scale)

"""Weights in 16 or 8 bits: smaller models, and lines of a table that fit the cache.

A weight is what is stored times a scale: one scale for as many tables as are scored together.
"""

import math
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError

Bits = Literal[8, 16, 32]
"""int8, float16, float32."""

_LARGEST_INT8 = 127
_LARGEST_FLOAT16 = 2.0**15
_NEXT_TO_NOTHING = 1e-30  # smaller scales would not be float32


def scale_of(tables: Iterable[NDArray[Any]], bits: Bits) -> float:
    """The finest scale at which every weight of these tables can be stored."""
    largest = float(np.max([0.0, *map(_largest, tables)]))  # unlike max, it does not lose a NaN
    if not math.isfinite(largest):
        raise UsageError("a weight is infinite or no number")
    if bits == 8:
        return largest / _LARGEST_INT8 if largest > _NEXT_TO_NOTHING else 1.0
    if bits == 16:  # a power of two, so that nothing but the last digits is lost
        return max(1.0, 2.0 ** math.ceil(math.log2(max(largest, 1.0) / _LARGEST_FLOAT16)))
    return 1.0


def quantise(table: NDArray[np.float32], bits: Bits, scale: float) -> NDArray[Any]:
    """The table as it is stored; 8-bit weights beyond the scale's reach become the largest."""
    if bits == 8:
        whole: NDArray[np.float32] = np.rint(table / np.float32(scale))
        np.clip(whole, -_LARGEST_INT8, _LARGEST_INT8, out=whole)
        return whole.astype(np.int8)
    if bits == 16:
        scaled = table / np.float32(scale)
        return scaled.astype(np.float16)
    return table


def restore(stored: NDArray[Any], scale: float) -> NDArray[np.float32]:
    """The weights of a table that was quantised."""
    return stored.astype(np.float32) * np.float32(scale)


def _largest(table: NDArray[Any]) -> float:
    return float(np.maximum(table.max(initial=0), -table.min(initial=0)))

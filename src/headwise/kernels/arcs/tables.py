# mypy: allow-untyped-defs
"""Tables of weights of arcs, and how they are looked up.

In training a line of the wide table has sixteen weights: one for each direction, then one for each
direction and distance; an arc adds up two. When a model is finished and its weights have become
small integers, these two are added when it is loaded: one look is enough.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from headwise.kernels.arcs.features import BUCKETS
from headwise.kernels.arcs.plausible import Plausible
from headwise.kernels.primitives.semiring import overload
from headwise.kernels.primitives.vectors import LEFT, LINE
from headwise.kernels.runtime.jit import kernel

FOUR = np.uint64(4)
LAST_LEFT = np.uint64(LEFT)


class Weights(NamedTuple):
    """Tables of weights. A slot is an index into wide and narrow, one after the other."""

    wide: NDArray[np.generic]
    narrow: NDArray[np.generic]
    filters: NDArray[np.uint8]  # [group, byte]: bits of pairs of words that were seen together
    wide_shift: np.uint64
    narrow_shift: np.uint64
    filter_shift: np.uint64
    plausible: Plausible
    sums: NDArray[np.generic]  # empty: its type is that of sums
    rows: NDArray[np.generic]  # empty: that of sums of few weights, at most one of each template
    scale: float  # what an integer weight of 1 is worth


@kernel
def fold(wide, sums):
    """Add the weights of directions to those of directions and distances: OUT sums, which are 0.

    Sums of integers that are too large for their kind become the largest there is.
    """
    highest = np.inf if wide.itemsize == 4 else 127 if wide.itemsize == 1 else 32767
    for line in range(0, len(wide), LINE):
        is_used = False
        for lane in range(LINE):
            is_used |= wide[line + lane] != 0
        if not is_used:  # many lines are empty, and stay so
            continue
        for lane in range(2, LINE):
            direction = np.float32(wide[line + np.int64(lane >= 2 + BUCKETS)])
            both = np.float32(wide[line + lane]) + direction
            sums[line + lane] = max(-highest, min(highest, both))


def folded(wide: NDArray[Any]) -> NDArray[Any]:
    """A wide table, the weights of directions added to those of directions and distances.

    NumPy makes its memory: it asks for large pages, without which every look would wait for the
    address of its page too.
    """
    sums = np.zeros_like(wide)
    fold(wide, sums)
    return sums


@kernel
def round_wide(wide, scale, thin, small):
    """The wide table as integers of a scale: OUT small.

    Weights of directions and distances make up for what the rounding of those of directions lost,
    so that the sum of both, which is what counts, is rounded only once. Those of no more than
    `thin` are left out.
    """
    highest = 127 if small.itemsize == 1 else 32767
    for line in range(0, len(wide), LINE):
        for lane in range(LINE):
            own = wide[line + lane]
            rounded = np.rint(own / scale)
            if lane >= 2 and own != 0:
                direction = line + np.int64(lane >= 2 + BUCKETS)
                rounded = np.rint((own + wide[direction]) / scale) - small[direction]
            rounded = max(-highest, min(highest, rounded))
            small[line + lane] = np.int64(rounded) if abs(rounded) > thin else 0


def weight_at(wide, slot):
    """The weight of an arc in the wide table: that of its direction is added."""


@overload(weight_at, inline="always")
def choose_weight(wide, slot):
    """Compile it for weights that are learnt, or for those of a finished model."""
    if isinstance(wide.dtype, types.Integer):
        return lambda wide, slot: wide[slot]

    def sum_of_two(wide, slot):
        lane = slot & np.uint64(15)
        return wide[slot - lane + np.uint64(lane > LAST_LEFT)] + wide[slot]

    return sum_of_two

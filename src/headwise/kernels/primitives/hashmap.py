# mypy: allow-untyped-defs
"""Maps from 64-bit hashes to whole numbers: open addressing, at most half full."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import helper, kernel

ABSENT = -1

LONGEST_SEARCH = 1 << 10
"""Hashes that are spread evenly over a map that is half full are found in some dozens of steps."""


class HashMap(NamedTuple):
    """A map; a slot without a value is ABSENT."""

    keys: NDArray[np.uint64]
    values: NDArray[np.int32]


@kernel
def build_map(hashes, numbers):
    """The keys and values of a map; of equal hashes, the first one counts."""
    size = 2
    while size < 2 * len(hashes):
        size *= 2
    keys, values = np.zeros(size, np.uint64), np.full(size, ABSENT, np.int32)
    for i in range(len(hashes)):
        slot = find_slot(keys, values, hashes[i])
        if values[slot] == ABSENT:
            keys[slot], values[slot] = hashes[i], numbers[i]
    return keys, values


def map_of(hashes: NDArray[np.uint64], numbers: NDArray[np.int32]) -> HashMap:
    """A map as `build_map` makes it, without compiled code, so that models load before any is."""
    size = 1 << max(1, (2 * len(hashes) - 1).bit_length())
    keys, values = np.zeros(size, np.uint64), np.full(size, ABSENT, np.int32)
    left: NDArray[Any] = np.sort(np.unique(hashes, return_index=True)[1])
    slots = home_of(hashes[left], size)
    for _ in range(LONGEST_SEARCH):
        if not len(left):
            return HashMap(keys, values)
        free = np.flatnonzero(values[slots] == ABSENT)
        filled, first = np.unique(slots[free], return_index=True)
        settled = free[first]
        keys[filled], values[filled] = hashes[left[settled]], numbers[left[settled]]
        left, slots = np.delete(left, settled), np.delete(slots, settled)
        slots = (slots + np.uint64(1)) & np.uint64(size - 1)
    raise ValueError("too many hashes share a slot: they are not hashes of words")


def home_of(hashes: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """The slots of hashes if nothing else is there (see `find_slot`)."""
    return (hashes ^ (hashes >> np.uint64(29))) & np.uint64(size - 1)


@kernel
def add_all(keys, values, hashes, numbers):
    """Add to a map that has empty slots."""
    for i in range(len(hashes)):
        slot = find_slot(keys, values, hashes[i])
        keys[slot], values[slot] = hashes[i], numbers[i]


@kernel
def look_up_all(keys, values, hashes):
    """The numbers of hashes; -1 where there is none."""
    found = np.empty(len(hashes), np.int32)
    for i in range(len(hashes)):
        found[i] = look_up(keys, values, hashes[i])
    return found


@helper
def find_slot(keys, values, x):
    """The slot of a hash, or the empty one that it would take."""
    mask = np.uint64(len(keys) - 1)
    slot = (x ^ (x >> np.uint64(29))) & mask
    while values[slot] != ABSENT and keys[slot] != x:
        slot = (slot + np.uint64(1)) & mask
    return slot


@helper
def look_up(keys, values, x):
    """The number of a hash; -1 if it has none."""
    return values[find_slot(keys, values, x)]

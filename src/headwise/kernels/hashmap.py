# mypy: allow-untyped-defs
"""Maps from 64-bit hashes to whole numbers: open addressing, at most half full."""

import numpy as np

from headwise.kernels.jit import helper, kernel

ABSENT = -1


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


@kernel
def add_all(keys, values, hashes, numbers):
    """Add to a map that has room."""
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

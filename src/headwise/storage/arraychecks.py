"""Checks of the arrays of a model, whoever wrote it: kernels look nothing up that is not there.

A checksum finds damage, but anyone can compute it again. So every array that a kernel indexes with,
and every number that it calculates with, goes through one of these checks when a model is loaded.
Each is one pass over the array, or a few.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError

LARGEST_WEIGHT = 1e12
"""Sums of weights up to this size stay finite, even in 32 bits and at the lowest temperature."""


def check_array(
    name: str, array: NDArray[Any], dtypes: type | Collection[type], shape: tuple[int | None, ...]
) -> None:
    """Raise unless an array has (one of) these types and this shape; None stands for any length."""
    allowed = (dtypes,) if isinstance(dtypes, type) else tuple(dtypes)
    if not any(array.dtype == one for one in allowed):
        known = " or ".join(np.dtype(one).name for one in allowed)
        raise ModelError(f"array {name!r} is {array.dtype}, not {known}: the model is damaged")
    fits = len(array.shape) == len(shape) and all(
        wanted in (None, found) for found, wanted in zip(array.shape, shape, strict=True)
    )
    if not fits:
        found = ", ".join(map(str, array.shape))
        wanted = ", ".join("any" if one is None else str(one) for one in shape)
        message = f"array {name!r} has the shape [{found}], not [{wanted}]"
        raise ModelError(f"{message}: the model is damaged")


def check_indices(name: str, array: NDArray[Any], below: int, *, least: int = 0) -> None:
    """Raise unless all numbers of an array are from `least` to `below` - 1."""
    if array.size and not (least <= int(array.min()) and int(array.max()) < below):
        raise ModelError(
            f"array {name!r} holds numbers outside {least} to {below - 1}: the model is damaged"
        )


def check_starts(
    name: str, starts: NDArray[Any], total: int, *, fewest: int = 0, fewest_rows: int = 0
) -> None:
    """Raise unless starts divide `total` entries into rows of at least `fewest` entries each.

    Row i is what lies between number i and the next: there is one number more than there are rows.
    """
    if len(starts) <= fewest_rows:
        raise ModelError(f"array {name!r} has {len(starts)} numbers: the model is damaged")
    ordered = bool((starts[1:] >= starts[:-1]).all())
    if not (ordered and int(starts[0]) == 0 and int(starts[-1]) == total):
        raise ModelError(f"array {name!r} is out of order: the model is damaged")
    if fewest and not (np.diff(starts) >= fewest).all():
        raise ModelError(f"array {name!r} has an empty row: the model is damaged")


def check_ascending(name: str, array: NDArray[Any]) -> None:
    """Raise unless each number is larger than the one before."""
    if not (array[1:] > array[:-1]).all():
        raise ModelError(f"array {name!r} is out of order: the model is damaged")


def check_weights(
    name: str, array: NDArray[Any], least: float = -LARGEST_WEIGHT, most: float = LARGEST_WEIGHT
) -> None:
    """Raise unless all numbers of an array lie between two bounds; NaN lies nowhere."""
    if array.size and not (least <= array.min() and array.max() <= most):
        raise ModelError(
            f"array {name!r} holds numbers that are not from {least:g} to {most:g}: "
            "the model is damaged"
        )


def check_map(name: str, keys: NDArray[Any], values: NDArray[Any], below: int) -> None:
    """Raise unless keys and values are a map to numbers below a bound (`kernels.hashmap`).

    It must have a free slot, of the value -1: a search in it would have no end without.
    """
    check_array(f"{name}.keys", keys, np.uint64, (None,))
    check_power_of_two(f"{name}.keys", len(keys))
    check_array(f"{name}.values", values, np.int32, (len(keys),))
    check_indices(f"{name}.values", values, below, least=-1)
    if not (values == -1).any():
        raise ModelError(f"array '{name}.values' leaves no slot free: the model is damaged")


def check_power_of_two(name: str, length: int, most: int | None = None) -> None:
    """Raise unless a table has as many lines as a power of two: hashes are shifted to find them.

    Of tables that grow when they are used, or that no settings tell the length of, `most` is a
    bound.
    """
    if length < 2 or length & (length - 1):
        raise ModelError(
            f"array {name!r} has {length} lines, which is no power of two: the model is damaged"
        )
    if most is not None and length > most:
        raise ModelError(f"array {name!r} has {length} lines, more than {most}")

"""Validation of the arrays of a model, so that kernels never index out of bounds.

A checksum detects damage, but anyone can recompute it. Therefore every array that a kernel indexes
with or computes with goes through one of these checks when a model is loaded. Each is one or a few
passes over the array.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError

LARGEST_WEIGHT = 1e12
"""Sums of weights up to this magnitude stay finite, even in 32 bits at the lowest temperature."""


def damaged(name: str, what: str) -> ModelError:
    """The error for an array that `what` is said of."""
    return ModelError(f"array {name!r} {what}: the model is damaged")


def check_array(
    name: str, array: NDArray[Any], dtypes: type | Collection[type], shape: tuple[int | None, ...]
) -> None:
    """Raise unless an array has (one of) these types and this shape; None means any length."""
    allowed = (dtypes,) if isinstance(dtypes, type) else tuple(dtypes)
    if not any(array.dtype == one for one in allowed):
        known = " or ".join(np.dtype(one).name for one in allowed)
        raise damaged(name, f"is {array.dtype}, not {known}")
    fits = len(array.shape) == len(shape) and all(
        wanted in (None, found) for found, wanted in zip(array.shape, shape, strict=True)
    )
    if not fits:
        found = ", ".join(map(str, array.shape))
        wanted = ", ".join("any" if one is None else str(one) for one in shape)
        raise damaged(name, f"has the shape [{found}], not [{wanted}]")


def check_indices(name: str, array: NDArray[Any], below: int, *, minimum: int = 0) -> None:
    """Raise unless all values of an array are from `minimum` to `below` - 1."""
    if array.size and not (minimum <= int(array.min()) and int(array.max()) < below):
        raise damaged(name, f"has values outside {minimum} to {below - 1}")


def check_starts(
    name: str, starts: NDArray[Any], total: int, *, fewest: int = 0, fewest_rows: int = 0
) -> None:
    """Raise unless `starts` divides `total` entries into rows of at least `fewest` entries.

    Row i is from starts[i] to starts[i + 1]: there is one more start than there are rows.
    """
    if len(starts) <= fewest_rows:
        raise damaged(name, f"has {len(starts)} entries")
    ordered = bool((starts[1:] >= starts[:-1]).all())
    if not (ordered and int(starts[0]) == 0 and int(starts[-1]) == total):
        raise damaged(name, "is out of order")
    if fewest and not (np.diff(starts) >= fewest).all():
        raise damaged(name, "has an empty row")


def check_ascending(name: str, array: NDArray[Any]) -> None:
    """Raise unless each value is larger than the one before."""
    if not (array[1:] > array[:-1]).all():
        raise damaged(name, "is out of order")


def check_weights(
    name: str,
    array: NDArray[Any],
    minimum: float = -LARGEST_WEIGHT,
    maximum: float = LARGEST_WEIGHT,
) -> None:
    """Raise unless all values of an array are within two bounds; NaN is not."""
    if array.size and not (minimum <= array.min() and array.max() <= maximum):
        raise damaged(name, f"has values that are not from {minimum:g} to {maximum:g}")


def check_map(name: str, keys: NDArray[Any], values: NDArray[Any], below: int) -> None:
    """Raise unless keys and values are a hash map to indices below a bound (`kernels.hashmap`).

    It must have a free slot (value -1); otherwise a lookup would not terminate.
    """
    check_array(f"{name}.keys", keys, np.uint64, (None,))
    check_power_of_two(f"{name}.keys", len(keys))
    check_array(f"{name}.values", values, np.int32, (len(keys),))
    check_indices(f"{name}.values", values, below, minimum=-1)
    if not (values == -1).any():
        raise damaged(f"{name}.values", "has no free slot")


def check_power_of_two(name: str, length: int, maximum: int | None = None) -> None:
    """Raise unless the length of a table is a power of two, as hashing by shifts requires.

    `maximum` bounds tables that grow in use, or whose length is not in the settings.
    """
    if length < 2 or length & (length - 1):
        raise damaged(name, f"has {length} rows, not a power of two")
    if maximum is not None and length > maximum:
        raise ModelError(f"array {name!r} has {length} rows, more than {maximum}")

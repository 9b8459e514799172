"""Tables of plausible arcs in a model."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError
from headwise.kernels.arcs.plausible import (
    EVERYTHING,
    KINDS,
    PAIRS,
    ROWS,
    WIDEST,
    Plausible,
    everything,
)

PACKED = ("pairs", "rows")
"""Arrays that are mostly zeros."""

PLAIN = ("tags", "margin")


def plausible_arrays(plausible: Plausible) -> dict[str, NDArray[Any]]:
    """The arrays to store."""
    arrays: dict[str, NDArray[Any]] = plausible._asdict()
    return arrays | {"margin": np.array([plausible.margin], np.int64)}


def plausible_of(arrays: dict[str, NDArray[Any]]) -> Plausible:
    """The tables from stored arrays, validated for the kernels."""
    types = {"margin": np.int64, "tags": np.uint64, "pairs": np.int8, "rows": np.int8}
    wrong = [arrays[name].dtype != kind or arrays[name].ndim != 1 for name, kind in types.items()]
    if any(wrong) or len(arrays["margin"]) != 1:
        raise ModelError("its tables of plausible arcs have invalid types")
    margin, tags = int(arrays["margin"][0]), arrays["tags"]
    pairs, rows = arrays["pairs"], arrays["rows"]
    if margin == EVERYTHING:
        return everything()
    whole = len(tags) < KINDS and len(pairs) == PAIRS and len(rows) == ROWS
    if not (whole and 0 <= margin <= WIDEST):
        raise ModelError("its tables of plausible arcs have invalid sizes")
    return Plausible(np.array(tags), pairs, rows, margin)  # kernels require writable arrays

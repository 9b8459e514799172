# mypy: allow-untyped-defs
"""The nearest neighbours of sparse rows by cosine."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import helper, kernel


class Vectors(NamedTuple):
    """Rows of length 1, by row and by column. Columns with many entries are dense instead."""

    row_start: NDArray[np.int64]  # [row + 1]
    row_column: NDArray[np.int32]
    row_value: NDArray[np.float32]
    column_start: NDArray[np.int64]  # [column + 1]; empty where the column is dense
    column_row: NDArray[np.int32]
    column_value: NDArray[np.float32]
    dense_of: NDArray[np.int32]  # [column] its row in `dense`, or -1
    dense: NDArray[np.float32]  # [dense column, row]


@kernel
def nearest(vectors, first, last, count):
    """The nearest rows of some rows, themselves left out, nearest first, and their cosines.

    Rows without anything in common are left out: they are -1. Among equals, the
    smaller row comes first.
    """
    rows = len(vectors.row_start) - 1
    products = np.empty(rows, np.float32)
    found = np.full((last - first, count), -1, np.int32)
    cosines = np.zeros((last - first, count), np.float32)
    for row in range(first, last):
        multiply(vectors, row, products)
        products[row] = 0.0
        best, value = found[row - first], cosines[row - first]
        for other in range(rows):
            if products[other] > value[count - 1]:
                insert(best, value, other, products[other])
    return found, cosines


@helper
def multiply(vectors, row, products):
    """The products of a row with all rows. OUT: products."""
    products[:] = 0.0
    for k in range(vectors.row_start[row], vectors.row_start[row + 1]):
        column, value = vectors.row_column[k], vectors.row_value[k]
        if vectors.dense_of[column] >= 0:
            dense = vectors.dense[vectors.dense_of[column]]
            for other in range(len(products)):
                products[other] += value * dense[other]
        else:
            for j in range(vectors.column_start[column], vectors.column_start[column + 1]):
                products[vectors.column_row[j]] += value * vectors.column_value[j]


@helper
def insert(best, value, other, product):
    """Put a row where it belongs among the nearest; the last one falls out. OUT: best, value."""
    at = len(best) - 1
    while at > 0 and value[at - 1] < product:
        best[at], value[at] = best[at - 1], value[at - 1]
        at -= 1
    best[at], value[at] = other, product

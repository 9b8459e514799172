from typing import NamedTuple

import numba
import numpy as np

from headwise.kernels.runtime.borrow import borrowed, kept


class Box(NamedTuple):
    numbers: np.ndarray
    scale: float


@numba.njit
def fill_through_a_borrowed_tuple(n):
    owned = Box(np.zeros(n), 2.0)
    box = borrowed(owned)
    for k in range(n):
        box.numbers[k] = k * box.scale
    kept(owned)
    return owned.numbers


@numba.njit
def double(array):
    same = borrowed(array)
    same[:] *= 2.0


def test_borrowed_arrays_are_the_same_arrays() -> None:
    assert fill_through_a_borrowed_tuple(4).tolist() == [0.0, 2.0, 4.0, 6.0]
    array = np.ones((2, 3))
    double(array)
    assert (array == 2.0).all()

"""Kernels of a package that is not ours."""

KERNELS = """
from typing import NamedTuple
import numba
if VERSION:
    numba.__version__ = VERSION
import numpy as np
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import embedded, helper, inlined, inner, kernel, maker
from headwise.kernels.primitives.semiring import LOG, join
from headwise.kernels.solvers.pairties import map_pairs

class Totals(NamedTuple):
    numbers: np.ndarray
    total: float

@helper
def first(numbers):
    return numbers[0]

@embedded
def last(numbers):
    return numbers[-1]

@inlined
def doubled(number):
    return 2 * number

@maker
def copied(numbers):
    return numbers.copy()

@kernel
def totals(numbers):
    own = copied(numbers)
    same = borrowed(own)
    total = first(same) + doubled(last(same)) + join(LOG, same, 0, same, 0, len(same))
    kept(own)
    return Totals(own, total)

totals_inside = inner(totals)

@kernel
def twice(numbers):
    return totals(numbers), totals_inside(numbers)

for result in twice(np.arange(4.0)):
    print(type(result).__name__, result.numbers.tolist(), result.total)
print(map_pairs(np.array([1, 2]), np.array([5, 7]), 9))
"""

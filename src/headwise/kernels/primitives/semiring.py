# mypy: allow-untyped-defs
"""The sums and products of all recurrences, for every semiring.

            sum               product   used for
    MAX     maximum           +         the best tree, and the k best
    LOG     log-sum-exp       +         marginals and samples
    LINEAR  +                 ×         marginals of the first order, three times as fast; scores
                                        must have been scaled to stay within floating point

The semiring is a tag type that the compiler resolves, so a recurrence is written once and nothing
is paid for it. `join` sums products over a run of split points; `join_back` is its derivative. What
no recurrence needs is not defined: compiling it is an error.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import TypingError, extending

from headwise.kernels.primitives.intrinsics import bits_of_float, float_from_bits, larger
from headwise.kernels.runtime.jit import FAST, helper, overload_helper

INFINITY = math.inf

overload: Any = extending.overload  # whose type hints do not know all its options


class Max(NamedTuple):
    """The tag of the semiring (max, +)."""

    tag: int = 0


class Log(NamedTuple):
    """The tag of the semiring (log-sum-exp, +)."""

    tag: int = 0


class Linear(NamedTuple):
    """The tag of the semiring (+, ×)."""

    tag: int = 0


MAX, LOG, LINEAR = Max(), Log(), Linear()


# exp(x) = 2^k exp(r), with x = k ln 2 + r and |r| <= ln 2 / 2. Adding MAGIC rounds to a whole k and
# leaves k + 1023, the exponent of a float64, in the lowest bits.
MAGIC = 1.5 * 2.0**52 + 1023.0
LOG2_E = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
LEAST = -707.0


@helper
def exponential(x):
    """exp(x) for x up to 700, to 1e-15 of itself, 0 below e^-707; without branches or calls."""
    safe = larger(x, LEAST)
    shifted = safe * LOG2_E + MAGIC
    k = shifted - MAGIC
    r = safe - k * LN2_HIGH - k * LN2_LOW
    series = 1.0 / 479001600.0
    series = series * r + 1.0 / 39916800.0
    series = series * r + 1.0 / 3628800.0
    series = series * r + 1.0 / 362880.0
    series = series * r + 1.0 / 40320.0
    series = series * r + 1.0 / 5040.0
    series = series * r + 1.0 / 720.0
    series = series * r + 1.0 / 120.0
    series = series * r + 1.0 / 24.0
    series = series * r + 1.0 / 6.0
    series = series * r + 0.5
    series = series * r + 1.0
    series = series * r + 1.0
    scaled = series * float_from_bits(bits_of_float(shifted) << 52)
    return 0.0 if x < LEAST else scaled


SUM: Any = {"fastmath": FAST | {"reassoc"}, "error_model": "numpy"}
"""Sums may be taken in any order, or they would not be taken in vectors."""


def times(semiring, a, b):
    """The product of two values."""
    raise TypeError("only compiled kernels call this")


def over(semiring, a, b):
    """The quotient of two values."""
    raise TypeError("only compiled kernels call this")


def zero(semiring):
    """The value of what cannot be."""
    raise TypeError("only compiled kernels call this")


def one(semiring):
    """The value of nothing at all."""
    raise TypeError("only compiled kernels call this")


def join(semiring, a, i, b, j, count):
    """The sum over k < count of the products of a[i + k] and b[j + k]."""
    raise TypeError("only compiled kernels call this")


def join_and(semiring, last, a, i, b, j, count):
    """The sum of join(semiring, a, i, b, j, count) and one more term, which may be just known."""
    raise TypeError("only compiled kernels call this")


def join1(semiring, a, i, count):
    """The sum over k < count of a[i + k]."""
    raise TypeError("only compiled kernels call this")


def join3(semiring, a, i, b, j, c, h, count):
    """The sum over k < count of the products of a[i + k], b[j + k] and c[h + k]."""
    raise TypeError("only compiled kernels call this")


def join_back(semiring, weight, total, a, i, b, j, count, a_bar, b_bar):
    """Differentiate join: share `weight`, the probability of `total`, among its terms.

    The shares are added to a_bar[i + k] and b_bar[j + k].
    """
    raise TypeError("only compiled kernels call this")


def defined(operation: str, semiring: Any, **by_semiring: Any) -> Any:
    """The implementation of an operation for a semiring, given by the semiring's name."""
    name = semiring.instance_class.__name__
    if name not in by_semiring:
        raise TypingError(f"{operation} is not defined for the semiring {name.upper()}")
    return by_semiring[name]


@overload(times, inline="always")
def choose_times(semiring, a, b):
    """Compile the product for a semiring."""

    def add(semiring, a, b):
        return a + b

    def multiply(semiring, a, b):
        return a * b

    return defined("times", semiring, Max=add, Log=add, Linear=multiply)


@overload(over, inline="always")
def choose_over(semiring, a, b):
    """Compile the quotient for a semiring."""

    def subtract(semiring, a, b):
        return a - b

    def divide(semiring, a, b):
        return a / b

    return defined("over", semiring, Max=subtract, Log=subtract, Linear=divide)


@overload(zero, inline="always")
def choose_zero(semiring):
    """Compile the constant for a semiring."""

    def logarithm(semiring):
        return -INFINITY

    def plain(semiring):
        return 0.0

    return defined("zero", semiring, Max=logarithm, Log=logarithm, Linear=plain)


@overload(one, inline="always")
def choose_one(semiring):
    """Compile the constant for a semiring."""

    def logarithm(semiring):
        return 0.0

    def plain(semiring):
        return 1.0

    return defined("one", semiring, Max=logarithm, Log=logarithm, Linear=plain)


# Runs are given as in `runs`, by where they start.


@helper
def largest(a, i, b, j, count):
    """The largest a[i + k] + b[j + k]."""
    x, y = np.uint64(i), np.uint64(j)
    top = -INFINITY
    for k in range(np.uint64(count)):
        top = larger(top, a[x + k] + b[y + k])
    return top


@helper
def largest1(a, i, count):
    """The largest a[i + k]."""
    x = np.uint64(i)
    top = -INFINITY
    for k in range(np.uint64(count)):
        top = larger(top, a[x + k])
    return top


@helper
def largest3(a, i, b, j, c, h, count):
    """The largest a[i + k] + b[j + k] + c[h + k]."""
    x, y, z = np.uint64(i), np.uint64(j), np.uint64(h)
    top = -INFINITY
    for k in range(np.uint64(count)):
        top = larger(top, a[x + k] + b[y + k] + c[z + k])
    return top


@overload_helper(join, **SUM)
def choose_join(semiring, a, i, b, j, count):
    """Compile the reduction for a semiring."""

    def maximum(semiring, a, i, b, j, count):
        return largest(a, i, b, j, count)

    def dot(semiring, a, i, b, j, count):
        x, y = np.uint64(i), np.uint64(j)
        total = 0.0
        for k in range(np.uint64(count)):
            total += a[x + k] * b[y + k]
        return total

    def log_sum(semiring, a, i, b, j, count):
        top = largest(a, i, b, j, count)
        if count < 2 or top == -INFINITY:
            return top
        x, y = np.uint64(i), np.uint64(j)
        total = 0.0
        for k in range(np.uint64(count)):
            total += exponential(a[x + k] + b[y + k] - top)
        return top + math.log(total)

    return defined("join", semiring, Max=maximum, Log=log_sum, Linear=dot)


@overload_helper(join_and, **SUM)
def choose_join_and(semiring, last, a, i, b, j, count):
    """Compile the reduction for a semiring."""

    def maximum(semiring, last, a, i, b, j, count):
        return larger(largest(a, i, b, j, count), last)

    def dot(semiring, last, a, i, b, j, count):
        return join(semiring, a, i, b, j, count) + last

    def log_sum(semiring, last, a, i, b, j, count):
        top = larger(largest(a, i, b, j, count), last)
        if top == -INFINITY:
            return top
        x, y = np.uint64(i), np.uint64(j)
        total = exponential(last - top)
        for k in range(np.uint64(count)):
            total += exponential(a[x + k] + b[y + k] - top)
        return top + math.log(total)

    return defined("join_and", semiring, Max=maximum, Log=log_sum, Linear=dot)


@overload_helper(join1, **SUM)
def choose_join1(semiring, a, i, count):
    """Compile the reduction for a semiring."""

    def maximum(semiring, a, i, count):
        return largest1(a, i, count)

    def log_sum(semiring, a, i, count):
        top = largest1(a, i, count)
        if count < 2 or top == -INFINITY:
            return top
        x = np.uint64(i)
        total = 0.0
        for k in range(np.uint64(count)):
            total += exponential(a[x + k] - top)
        return top + math.log(total)

    return defined("join1", semiring, Max=maximum, Log=log_sum)


@overload_helper(join3, **SUM)
def choose_join3(semiring, a, i, b, j, c, h, count):
    """Compile the reduction for a semiring."""

    def maximum(semiring, a, i, b, j, c, h, count):
        return largest3(a, i, b, j, c, h, count)

    def log_sum(semiring, a, i, b, j, c, h, count):
        top = largest3(a, i, b, j, c, h, count)
        if count < 2 or top == -INFINITY:
            return top
        x, y, z = np.uint64(i), np.uint64(j), np.uint64(h)
        total = 0.0
        for k in range(np.uint64(count)):
            total += exponential(a[x + k] + b[y + k] + c[z + k] - top)
        return top + math.log(total)

    return defined("join3", semiring, Max=maximum, Log=log_sum)


@overload_helper(join_back, **SUM)
def choose_join_back(semiring, weight, total, a, i, b, j, count, a_bar, b_bar):
    """Compile the derivative for a semiring."""

    def linear(semiring, weight, total, a, i, b, j, count, a_bar, b_bar):
        x, y = np.uint64(i), np.uint64(j)
        factor = weight / total
        for k in range(np.uint64(count)):
            share = factor * (a[x + k] * b[y + k])
            a_bar[x + k] += share
            b_bar[y + k] += share

    def log(semiring, weight, total, a, i, b, j, count, a_bar, b_bar):
        x, y = np.uint64(i), np.uint64(j)
        for k in range(np.uint64(count)):
            share = weight * exponential(a[x + k] + b[y + k] - total)
            a_bar[x + k] += share
            b_bar[y + k] += share

    return defined("join_back", semiring, Log=log, Linear=linear)

# mypy: allow-untyped-defs
"""The sums and products of all recurrences, for every semiring.

            sum               product   used for
    MAX     maximum           +         the best tree, and the k best
    LOG     log-sum-exp       +         marginals and samples
    LINEAR  +                 ×         marginals of the first order, three times as fast; scores
                                        must have been scaled to stay within floating point

The semiring is a tag type that the compiler resolves, so a recurrence is written once and nothing
is paid for it. `join` sums products over a run of split points; `join_back` is its derivative.
"""

import math
from typing import NamedTuple

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from headwise.kernels.jit import FAST, helper

INFINITY = math.inf


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


@intrinsic
def larger(typing_context, a, b):
    """The larger of two floats, in the form that the compiler turns into vectors.

    The plain comparison `b if b > a else a` never is, as it treats NaN and zeros with care.
    """

    def generate(context, builder, signature, arguments):
        left, right = arguments
        signature = ir.FunctionType(left.type, [left.type, left.type])
        function = builder.module.declare_intrinsic("llvm.maxnum", [left.type], signature)
        return builder.call(function, [left, right], fastmath=("nnan", "nsz"))

    return a(a, b), generate


@intrinsic
def float_from_bits(typing_context, bits):
    """The float64 that has these bits."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


@intrinsic
def bits_of_float(typing_context, value):
    """The bits of a float64."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


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


SUM = {"fastmath": FAST | {"reassoc"}, "error_model": "numpy"}
"""Sums may be taken in any order, or they would not be taken in vectors."""


def times(semiring, a, b):
    """The product of two values."""
    raise NotImplementedError


def over(semiring, a, b):
    """The quotient of two values."""
    raise NotImplementedError


def zero(semiring):
    """The value of what cannot be."""
    raise NotImplementedError


def one(semiring):
    """The value of nothing at all."""
    raise NotImplementedError


def join(semiring, a, b):
    """The sum over k of the products of a[k] and b[k]."""
    raise NotImplementedError


def join1(semiring, a):
    """The sum over k of a[k]."""
    raise NotImplementedError


def join3(semiring, a, b, c):
    """The sum over k of the products of a[k], b[k] and c[k]."""
    raise NotImplementedError


def join_back(semiring, weight, total, a, b, a_bar, b_bar):
    """Differentiate join: share `weight`, the probability of `total`, among its terms."""
    raise NotImplementedError


@overload(times, inline="always")
def choose_times(semiring, a, b):
    """Compile the product for a semiring."""
    if semiring.instance_class is Linear:
        return lambda semiring, a, b: a * b
    return lambda semiring, a, b: a + b


@overload(over, inline="always")
def choose_over(semiring, a, b):
    """Compile the quotient for a semiring."""
    if semiring.instance_class is Linear:
        return lambda semiring, a, b: a / b
    return lambda semiring, a, b: a - b


@overload(zero, inline="always")
def choose_zero(semiring):
    """Compile the constant for a semiring."""
    if semiring.instance_class is Linear:
        return lambda semiring: 0.0
    return lambda semiring: -INFINITY


@overload(one, inline="always")
def choose_one(semiring):
    """Compile the constant for a semiring."""
    if semiring.instance_class is Linear:
        return lambda semiring: 1.0
    return lambda semiring: 0.0


@helper
def largest(a, b):
    """The largest a[k] + b[k]."""
    top = -INFINITY
    for k in range(len(a)):
        top = larger(top, a[k] + b[k])
    return top


@helper
def largest3(a, b, c):
    """The largest a[k] + b[k] + c[k]."""
    top = -INFINITY
    for k in range(len(a)):
        top = larger(top, a[k] + b[k] + c[k])
    return top


@overload(join, jit_options=SUM)
def choose_join(semiring, a, b):
    """Compile the reduction for a semiring."""
    if semiring.instance_class is Max:
        return lambda semiring, a, b: largest(a, b)

    def dot(semiring, a, b):
        total = 0.0
        for k in range(len(a)):
            total += a[k] * b[k]
        return total

    def log_sum(semiring, a, b):
        top = largest(a, b)
        if len(a) < 2 or top == -INFINITY:
            return top
        total = 0.0
        for k in range(len(a)):
            total += exponential(a[k] + b[k] - top)
        return top + math.log(total)

    return dot if semiring.instance_class is Linear else log_sum


@overload(join1, jit_options=SUM)
def choose_join1(semiring, a):
    """Compile the reduction for a semiring."""

    def best(semiring, a):
        top = -INFINITY
        for k in range(len(a)):
            top = larger(top, a[k])
        return top

    def log_sum(semiring, a):
        top = -INFINITY
        for k in range(len(a)):
            top = larger(top, a[k])
        if len(a) < 2 or top == -INFINITY:
            return top
        total = 0.0
        for k in range(len(a)):
            total += exponential(a[k] - top)
        return top + math.log(total)

    return best if semiring.instance_class is Max else log_sum


@overload(join3, jit_options=SUM)
def choose_join3(semiring, a, b, c):
    """Compile the reduction for a semiring."""
    if semiring.instance_class is Max:
        return lambda semiring, a, b, c: largest3(a, b, c)

    def log_sum(semiring, a, b, c):
        top = largest3(a, b, c)
        if len(a) < 2 or top == -INFINITY:
            return top
        total = 0.0
        for k in range(len(a)):
            total += exponential(a[k] + b[k] + c[k] - top)
        return top + math.log(total)

    return log_sum


@overload(join_back, jit_options=SUM)
def choose_join_back(semiring, weight, total, a, b, a_bar, b_bar):
    """Compile the derivative for a semiring."""

    def linear(semiring, weight, total, a, b, a_bar, b_bar):
        factor = weight / total
        for k in range(len(a)):
            share = factor * (a[k] * b[k])
            a_bar[k] += share
            b_bar[k] += share

    def log(semiring, weight, total, a, b, a_bar, b_bar):
        for k in range(len(a)):
            share = weight * exponential(a[k] + b[k] - total)
            a_bar[k] += share
            b_bar[k] += share

    return linear if semiring.instance_class is Linear else log


@helper
def argjoin(values, count):
    """The first of the largest values: where a maximum comes from."""
    best = 0
    for k in range(1, count):
        if values[k] > values[best]:
            best = k
    return best

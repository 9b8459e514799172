"""Arithmetic in JAX whose every bit is that of NumPy on the CPU, whatever the device.

Devices of JAX add and multiply floats as IEEE 754 says, round them, and compute with whole numbers
modulo 2³². Three things are left to take care of: the order of sums, products and sums that become
one operation, and division.
"""

from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Array = jax.Array
Weights = Mapping[str, Any]

FRACTION_BITS = 23
"""Of a 32-bit float; its significand has one more, which is not stored."""

ONE = 1 << FRACTION_BITS
"""The significand of 1."""

BIAS, LARGEST_EXPONENT = 127, 255


def exact(x: Array, matrix: Array) -> Array:
    """A product of matrices of whole numbers, whose sums are exact in any order.

    `HIGHEST` makes 32-bit floats of 32 bits: accelerators would take fewer.
    """
    factors = x.astype(jnp.float32), matrix.astype(jnp.float32)
    return jnp.matmul(*factors, precision=jax.lax.Precision.HIGHEST)


def rounded(weights: Weights, product: Array) -> Array:
    """A product that is rounded before anything is added to it.

    Compilers turn a·b + c into one operation that rounds once. They do not know that the limit, an
    argument, is the largest of all numbers.
    """
    return jnp.minimum(product, weights["largest"])


def divided(x: Array, y: Array) -> Array:
    """x / y, rounded as IEEE 754 says, on devices whose division is off by a few last places too.

    y is positive. Let X and Y be the significands as whole numbers, X doubled where it is less than
    Y. That of the quotient is the whole number next to 2²³ X / Y; there is just one, as
    2²⁴ X = (2 Q + 1) Y would need a Y of 2²⁴ or more. The device finds a Q near it, and the
    remainder 2²³ X - Q Y says how far off that is. The remainder is less than 2³⁰, so that it does
    not matter that 32 bits are too few for what is subtracted: both wrap around.

    Zeros, and quotients below 2⁻¹²⁶, are the device's.
    """
    top, bottom = significands(x), significands(y)
    is_less = (top < bottom).astype(jnp.int32)
    top <<= is_less
    nearly = jnp.divide(top.astype(jnp.float32), bottom.astype(jnp.float32)) * np.float32(ONE)
    found = nearly.astype(jnp.int32)
    remainder = (top << FRACTION_BITS) - found * bottom
    found += (2 * remainder + bottom) // (2 * bottom)
    exponent = exponents(x) - exponents(y) - is_less + BIAS
    bits = (exponent << FRACTION_BITS) + (found - ONE)  # a significand of 2²⁴ carries, as it should
    quotient = jnp.copysign(jax.lax.bitcast_convert_type(bits, jnp.float32), x)
    is_normal = (exponents(x) > 0) & (exponent > 0) & (exponent < LARGEST_EXPONENT)
    return jnp.where(is_normal, quotient, jnp.divide(x, y))


def significands(x: Array) -> Array:
    """The significands of normal numbers as whole numbers from 2²³ to 2²⁴ - 1."""
    return (jax.lax.bitcast_convert_type(x, jnp.int32) & (ONE - 1)) | ONE


def exponents(x: Array) -> Array:
    """The exponents of numbers as they are stored; 0 where they are not normal."""
    return (jax.lax.bitcast_convert_type(x, jnp.int32) >> FRACTION_BITS) & LARGEST_EXPONENT

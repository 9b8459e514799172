"""Every bit is that of NumPy, even if the device's division is wrong in its last places."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="accelerators need JAX (the extra neural)")

from headwise.kernels.neural import lstm
from headwise.scoring.neural import jaxarithmetic as module
from headwise.scoring.neural.jaxarithmetic import divided, exact, rounded
from toynetworks import optimised


@pytest.fixture(autouse=True)
def compiled_as_for_users():
    with optimised():
        yield


SMALLEST = np.finfo(np.float32).tiny
WRONG_PLACES = [0, -1, 1, -2, 2, -30, 30]


def wrong_division(places):
    """A division that is this many last places off."""
    right = jax.numpy.divide

    def divide(x, y):
        bits = jax.lax.bitcast_convert_type(right(x, y), "int32")
        return jax.lax.bitcast_convert_type(bits + places, "float32")

    return divide


def any_floats(random, count):
    """Normal numbers of all magnitudes."""
    bits = random.integers(1 << 23, 255 << 23, count).astype(np.int32)
    return bits.view(np.float32) * random.choice(np.float32([-1, 1]), count)


def quotients_between_floats(random, count):
    """x and y whose quotient is as near as can be to the middle of two floats."""
    y = random.integers(1 << 23, 1 << 24, count)
    middles = 2 * random.integers(1 << 23, 1 << 24, count) + 1
    return (middles * y / 2**25).astype(np.float32), y.astype(np.float32)


def gates(random, count):
    """What `tanh` divides."""
    x = random.uniform(-lstm.WIDEST, lstm.WIDEST, count).astype(np.float32)
    y = x * x
    over = x * (lstm.A0 + y * (lstm.A1 + y * (lstm.A2 + y)))
    return over, lstm.A0 + y * (lstm.B1 + y * (lstm.B2 + y * lstm.B3))


def shares(random, count):
    """What shares of tags are made of."""
    return random.uniform(0, 127, count).astype(np.float32), random.uniform(1, 60, count).astype(
        np.float32
    )


def near_powers(random, count):
    """Numbers whose quotient is next to a power of two."""
    y = random.integers(1 << 23, 1 << 24, count)
    x = np.clip(y + random.integers(-2, 3, count), 1 << 23, (1 << 24) - 1)
    scale = np.float32(2.0) ** random.integers(-20, 20, count).astype(np.float32)
    return x.astype(np.float32) * scale, y.astype(np.float32)


def anything(random, count):
    return any_floats(random, count), np.abs(any_floats(random, count))


@pytest.mark.parametrize("places", WRONG_PLACES)
@pytest.mark.parametrize("pairs", [anything, quotients_between_floats, gates, shares, near_powers])
def test_quotients_are_rounded_as_they_should_be(pairs, places, monkeypatch):
    x, y = pairs(np.random.default_rng(0), 200_000)
    with np.errstate(over="ignore"):
        wanted = x / y
    monkeypatch.setattr(module.jnp, "divide", wrong_division(places))
    found = np.asarray(jax.jit(lambda x, y: divided(x, y))(x, y))
    is_normal = (np.abs(wanted) >= 2 * SMALLEST) & np.isfinite(wanted)
    assert is_normal.mean() > 0.7
    assert (found[is_normal] == wanted[is_normal]).all()


def test_zero_is_zero():
    assert (np.asarray(divided(np.float32([0.0, -0.0]), np.float32([3.0, 1.0]))) == 0).all()


def test_products_are_kept_apart_from_sums():
    x, y, z = (
        np.random.default_rng(seed).standard_normal(100_000).astype(np.float32) for seed in range(3)
    )
    weights = {"largest": np.finfo(np.float32).max}
    found = jax.jit(lambda weights, x, y, z: rounded(weights, x * y) + z)(weights, x, y, z)
    assert (np.asarray(found) == x * y + z).all()


def test_sums_of_products_of_whole_numbers_are_exact():
    random = np.random.default_rng(0)
    x, matrix = (random.integers(-127, 128, shape) for shape in ((50, 1040), (1040, 30)))
    found = exact(*(jax.numpy.asarray(one, "int8") for one in (x, matrix)))
    assert (np.asarray(found) == x @ matrix).all()

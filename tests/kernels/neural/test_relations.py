import numpy as np
import pytest

from headwise.kernels.neural.relations import add_products


def test_products_are_added_to_what_is_there():
    random = np.random.default_rng(1)
    turned = random.integers(-50, 50, (6, 4, 3)).astype(np.float32)
    heads = random.integers(0, 127, (6, 4)).astype(np.float32)
    scale, chosen = np.array([1.0, 0.5, 2.0], np.float32), np.array([0, 5, 2, 2, 1, 0])
    scores = random.standard_normal((6, 3)).astype(np.float32)
    wanted = scores + scale * np.einsum("tdr,td->tr", turned, heads[chosen])
    add_products(turned, scale, heads, chosen, np.empty(3, np.float32), scores)
    assert scores == pytest.approx(wanted, rel=1e-5)

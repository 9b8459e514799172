"""The projection onto heads that sum to one, against a solver of quadratic programmes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from headwise.kernels.solvers.polytope import nearest_heads

TOLERANCE, PASSES = 1e-10, 10_000


def solved(scores: np.ndarray) -> np.ndarray:
    """The same matrix by sequential quadratic programming, which is exact on such a programme."""
    n = len(scores) - 1
    arcs = [(h, m) for m in range(1, n + 1) for h in range(n + 1) if h != m]
    wanted = np.array([scores[arc] for arc in arcs])
    one_head = np.array([[float(m == word) for _, m in arcs] for word in range(1, n + 1)])
    words = [{a, b} for b in range(2, n + 1) for a in range(1, b)]
    pairs = np.array([[float(set(arc) == two) for arc in arcs] for two in words])
    limits = [{"type": "eq", "fun": lambda y: one_head @ y - 1, "jac": lambda _: one_head}]
    if words:
        limits.append({"type": "ineq", "fun": lambda y: 1 - pairs @ y, "jac": lambda _: -pairs})
    found = minimize(
        lambda y: 0.5 * ((y - wanted) ** 2).sum(),
        np.full(len(arcs), 1 / n),
        jac=lambda y: y - wanted,
        bounds=[(0, 1)] * len(arcs),
        constraints=limits,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    heads = np.zeros_like(scores)
    for arc, value in zip(arcs, found.x, strict=True):
        heads[arc] = value
    return heads


def drawn(seed: int, n: int, size: float, whole: bool) -> np.ndarray:
    scores = size * np.random.default_rng(seed).standard_normal((n + 1, n + 1))
    return np.round(scores) if whole else scores


def check_conditions(heads: np.ndarray) -> None:
    assert heads.min() >= 0
    assert np.allclose(heads[:, 1:].sum(axis=0), 1, atol=1e-12)
    assert not heads[:, 0].any()
    assert not heads.diagonal().any()
    assert (heads + heads.T)[1:, 1:].max() <= 1 + TOLERANCE


@given(st.integers(0, 2**32), st.integers(1, 5), st.sampled_from([0.3, 1, 3]), st.booleans())
def test_it_is_what_a_solver_finds(seed, n, size, whole):
    scores = drawn(seed, n, size, whole)
    heads, missed = nearest_heads(scores, TOLERANCE, PASSES)
    assert missed <= TOLERANCE
    check_conditions(heads)
    assert np.allclose(heads, solved(scores), atol=1e-5)


@given(st.integers(0, 2**32), st.integers(2, 30), st.sampled_from([0.3, 1, 10]), st.booleans())
def test_every_other_matrix_is_farther(seed, n, size, whole):
    """y is nearest exactly if (score - y) · (other - y) ≤ 0 for every other matrix allowed."""
    scores = drawn(seed, n, size, whole)
    heads, missed = nearest_heads(scores, TOLERANCE, PASSES)
    assert missed <= TOLERANCE
    check_conditions(heads)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        other = np.zeros_like(heads)
        order = [0, *(1 + rng.permutation(n))]
        for place, word in enumerate(order[1:], 1):
            other[order[rng.integers(place)], word] = 1.0
        gain = (scores - heads) * (other - heads)
        np.fill_diagonal(gain, 0.0)
        assert gain[:, 1:].sum() <= 1e-7 * size


def test_two_words_that_both_want_the_other_share():
    scores = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [0.0, 9.0, 0.0]])
    heads, _ = nearest_heads(scores, TOLERANCE, PASSES)
    assert np.allclose(heads, [[0, 0.5, 0.5], [0, 0, 0.5], [0, 0.5, 0]])


def test_words_in_a_ring_do_not_take_for_ever():
    n = 15
    scores = np.full((n + 1, n + 1), -5.0)
    for word in range(1, n + 1):
        scores[word, word % n + 1] = scores[word % n + 1, word] = 5 + 0.01 * word
    heads, missed = nearest_heads(scores, TOLERANCE, PASSES)
    assert missed <= TOLERANCE
    check_conditions(heads)


def test_too_few_passes_are_told():
    scores = np.full((4, 4), 9.0)
    scores[0] = 0.0
    scores[1, 2] = scores[2, 1] = 12.0
    scores[2, 3] = scores[3, 2] = 12.0
    _, missed = nearest_heads(scores, TOLERANCE, 0)
    assert missed > TOLERANCE


@pytest.mark.parametrize("score", [-1e6, 0.0, 1e6])
def test_one_word_has_the_root_for_its_head(score):
    heads, missed = nearest_heads(np.full((2, 2), score), TOLERANCE, PASSES)
    assert heads.tolist() == [[0, 1], [0, 0]]
    assert missed == 0

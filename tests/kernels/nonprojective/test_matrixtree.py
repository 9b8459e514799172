"""Sums over all non-projective trees against enumeration, finite differences and big numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import arc_tables, tied_cycles
from headwise.kernels.nonprojective.matrixtree import arc_marginals as marginals
from headwise.kernels.nonprojective.matrixtree import (
    arc_marginals_by,
    log_partition,
    log_partition_by,
)
from headwise.search.parts import Part
from oracle import Oracle


@settings(deadline=None, max_examples=200)
@given(arc_tables(magnitudes=(1.0, 30.0, 300.0, 2000.0)), st.booleans())
def test_against_enumeration(table, single_root):
    oracle = Oracle({Part.ARC: table}, projective=False, single_root=single_root)
    total = log_partition(table, single_root)
    if not oracle.ranked:
        assert total == -np.inf
        return
    assert total == pytest.approx(oracle.log_partition, rel=1e-11, abs=1e-11)
    assert marginals(table, single_root) == pytest.approx(oracle.marginals(Part.ARC), abs=1e-10)


def far_apart(rng, n):
    """Weights at, and around, the limits of what numbers can hold; some of them nothing."""
    kind = rng.integers(4)
    levels = ([0, -50, -150, -320, -700, -1500], [0, -300, -310, -330, -340], [0, -161, -322, -357])
    if kind == 3:
        table = rng.normal(size=(n + 1, n + 1))
        table[0] -= rng.choice([0, 300, 330, 600, 800, 5000])
    else:
        table = rng.choice(levels[kind], size=(n + 1, n + 1)) + rng.normal(size=(n + 1, n + 1))
    table[rng.random(table.shape) < rng.choice([0, 0.3, 0.6])] = -np.inf
    np.fill_diagonal(table, -np.inf)
    return table


@pytest.mark.parametrize("single_root", [False, True])
def test_small_probabilities_are_right_to_their_digits(single_root):
    rng = np.random.default_rng(3)
    for _ in range(300):
        table = far_apart(rng, int(rng.integers(2, 6)))
        oracle = Oracle({Part.ARC: table}, projective=False, single_root=single_root)
        total = log_partition(table, single_root)
        if not oracle.ranked:
            assert total == -np.inf
            continue
        assert total == pytest.approx(oracle.log_partition, rel=1e-12, abs=1e-12)
        expected = oracle.marginals(Part.ARC)
        found = marginals(table, single_root)
        assert found == pytest.approx(expected, abs=1e-11)
        likely = expected > 1e-100
        assert found[likely] == pytest.approx(expected[likely], rel=1e-10, abs=0.0)


@pytest.mark.parametrize("gap", [100.0, 300.0, 500.0, 660.0, 700.0])
@pytest.mark.parametrize("single_root", [False, True])
def test_unlikely_ways_out_keep_their_digits(gap, single_root):
    # Words 1 and 2 hold each other, 3 has the root. One way out is less likely by e⁻⁷⁵, and numbers
    # that small have lost some of their digits where the gap is largest.
    table = np.full((4, 4), -np.inf)
    table[1, 2] = table[2, 1] = table[0, 3] = 0.0
    table[3, 1], table[3, 2] = -gap, -gap - 75.0
    oracle = Oracle({Part.ARC: table}, projective=False, single_root=single_root)
    expected = oracle.marginals(Part.ARC)
    assert marginals(table, single_root) == pytest.approx(expected, rel=1e-10, abs=0.0)


@pytest.mark.parametrize(
    "table",
    [
        np.random.default_rng(1).normal(size=(101, 101)),
        np.random.default_rng(1).normal(size=(101, 101)) * 30,
        tied_cycles(100, 20.0),
    ],
    ids=["plain", "confident", "cycles"],
)
@pytest.mark.parametrize("single_root", [False, True])
def test_ordinary_scores_need_no_logarithms(table, single_root):
    numbers, logs = np.zeros(table.shape), np.zeros(table.shape)
    assert arc_marginals_by(table, single_root, False, numbers)
    assert arc_marginals_by(table, single_root, True, logs)
    likely = logs > 1e-100
    assert numbers[likely] == pytest.approx(logs[likely], rel=1e-9, abs=0.0)
    total, too_small = log_partition_by(table, single_root, False)
    assert not too_small
    assert total == pytest.approx(log_partition_by(table, single_root, True)[0], rel=1e-12)


@settings(deadline=None)
@given(arc_tables(max_words=6, magnitudes=(1.0,)), st.booleans(), st.data())
def test_marginals_are_the_gradient_of_the_log_partition(table, single_root, data):
    if log_partition(table, single_root) == -np.inf:
        return
    head = data.draw(st.integers(0, len(table) - 1))
    modifier = data.draw(st.integers(1, len(table) - 1))
    up, down = table.copy(), table.copy()
    up[head, modifier] += 1e-5
    down[head, modifier] -= 1e-5
    slope = (log_partition(up, single_root) - log_partition(down, single_root)) / 2e-5
    assert marginals(table, single_root)[head, modifier] == pytest.approx(slope, abs=1e-7)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("magnitude", [1.0, 50.0, 1000.0])
def test_long_sentences(single_root, magnitude):
    table = np.random.default_rng(11).normal(size=(151, 151)) * magnitude
    found = marginals(table, single_root)
    assert np.isfinite(log_partition(table, single_root))
    assert np.isfinite(found).all()
    assert ((found >= 0) & (found <= 1 + 1e-12)).all()
    assert found[:, 1:].sum(axis=0) == pytest.approx(np.ones(150))
    if single_root:
        assert found[0].sum() == pytest.approx(1.0)


def test_300_words_agree_with_the_determinant():
    table = np.random.default_rng(2).normal(size=(301, 301))
    weights = np.exp(table[1:, 1:])
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(axis=0) + np.exp(table[0, 1:])) - weights
    expected = np.linalg.slogdet(laplacian)[1]
    assert log_partition(table, False) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("gap", [5.0, 200.0, 900.0, 1e5])
@pytest.mark.parametrize("single_root", [False, True])
def test_words_that_hold_each_other(gap, single_root):
    # The determinant of these is a difference of nearly equal numbers.
    n = 10
    found = marginals(tied_cycles(n, gap), single_root)
    assert found[:, 1:].sum(axis=0) == pytest.approx(np.ones(n))
    assert found[0, 1:] == pytest.approx(np.full(n, found[0, 1]))
    if single_root:
        assert found[0, 1] == pytest.approx(1 / n)
        assert log_partition(tied_cycles(n, gap), True) == pytest.approx(
            log_partition(tied_cycles(n, 0.0) * 0.0, True) - gap * n / 2, abs=gap + 40
        )


def test_a_path_of_unlikely_arcs_is_not_lost():
    # The root is only reached through words that all would rather be elsewhere.
    n = 12
    table = np.full((n + 1, n + 1), -np.inf)
    table[0, 1] = -400.0
    for m in range(2, n + 1):
        table[m - 1, m] = -400.0
        table[n, m - 1] = 0.0
    for single_root in (False, True):
        assert log_partition(table, single_root) == pytest.approx(-400.0 * n)
        expected = np.zeros(table.shape)
        expected[np.arange(n), np.arange(1, n + 1)] = 1.0
        assert marginals(table, single_root) == pytest.approx(expected)


def test_a_given_root():
    table = np.random.default_rng(4).normal(size=(6, 6))
    table[0] = -np.inf
    table[:, 3] = -np.inf
    table[0, 3] = -700.0
    oracle = Oracle({Part.ARC: table}, projective=False, single_root=True)
    assert log_partition(table, True) == pytest.approx(oracle.log_partition)
    assert marginals(table, True) == pytest.approx(oracle.marginals(Part.ARC))

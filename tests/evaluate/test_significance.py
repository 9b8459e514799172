from itertools import product
from math import comb, erfc, isnan, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

from headwise.errors import UsageError
from headwise.evaluate.ratios import RatioCounts
from headwise.evaluate.significance import (
    EXACT_UP_TO,
    mcnemar,
    paired_bootstrap,
    randomisation_test,
)


def counts(top: list[int], bottom: list[int]) -> RatioCounts:
    return RatioCounts(np.array(top)[:, None], np.array(bottom)[:, None])


def null_pair(random: np.random.Generator, sentences: int) -> tuple[RatioCounts, RatioCounts]:
    """Two systems that are equally good, right or wrong on the same sorts of sentences."""
    words = random.integers(1, 30, sentences)
    skill = random.beta(6, 2, sentences)
    tops = [random.binomial(words, skill)[:, None] for _ in range(2)]
    return RatioCounts(tops[0], words[:, None]), RatioCounts(tops[1], words[:, None])


def test_mcnemar_by_hand() -> None:
    found = mcnemar(1, 5)
    assert found.exact
    assert found.p == pytest.approx(2 * (comb(6, 0) + comb(6, 1)) / 64)
    assert found.statistic == 9 / 6


@given(st.integers(0, 500), st.integers(0, 500))
def test_mcnemar_is_exact_for_few(only_a: int, only_b: int) -> None:
    words = only_a + only_b
    tail = sum(comb(words, k) for k in range(min(only_a, only_b) + 1))
    expected = min(1.0, 2 * tail / 2**words)
    assert mcnemar(only_a, only_b).p == pytest.approx(expected, rel=1e-9)


@given(st.integers(0, 10**6), st.integers(EXACT_UP_TO + 1, 10**6))
def test_mcnemar_is_chi_square_for_many(only_a: int, only_b: int) -> None:
    found = mcnemar(only_a, only_b)
    gap = max(0, abs(only_a - only_b) - 1)
    assert not found.exact
    assert found.statistic == pytest.approx(gap**2 / (only_a + only_b))
    assert found.p == pytest.approx(erfc(sqrt(found.statistic / 2)), rel=1e-6, abs=1e-300)
    assert mcnemar(only_b, only_a).p == found.p


def test_mcnemar_changes_smoothly_from_one_method_to_the_other() -> None:
    exact, approximate = mcnemar(460, 540), mcnemar(460, 541)
    assert exact.exact
    assert not approximate.exact
    assert exact.p == pytest.approx(approximate.p, rel=0.1)


def test_mcnemar_of_nothing_and_of_nonsense() -> None:
    assert mcnemar(0, 0).p == 1
    with pytest.raises(UsageError):
        mcnemar(-1, 3)


@pytest.mark.parametrize("seed", range(4))
def test_randomisation_against_all_swaps(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, measures = 9, 2
    # The second measure is one whose denominator differs between the systems, like F1.
    bottoms = [random.integers(3, 9, (n, measures)) for _ in range(2)]
    bottoms[1][:, 0] = bottoms[0][:, 0]
    tops = [random.binomial(bottom, 0.6) for bottom in bottoms]
    a, b = RatioCounts(tops[0], bottoms[0]), RatioCounts(tops[1], bottoms[1])
    observed = np.abs(b.ratios() - a.ratios())
    as_large = np.zeros(measures)
    for swaps in product([False, True], repeat=n):
        swap = np.array(swaps)[:, None]
        first = RatioCounts(np.where(swap, b.top, a.top), np.where(swap, b.bottom, a.bottom))
        second = RatioCounts(np.where(swap, a.top, b.top), np.where(swap, a.bottom, b.bottom))
        as_large += np.abs(second.ratios() - first.ratios()) >= observed - 1e-12
    found = randomisation_test(a, b, rounds=40_000, seed=seed)
    np.testing.assert_allclose(found, as_large / 2**n, atol=0.01)


def test_the_smallest_p_is_that_of_the_rounds() -> None:
    a, b = counts([0] * 40, [5] * 40), counts([5] * 40, [5] * 40)
    assert randomisation_test(a, b, rounds=99)[0] == 1 / 100
    assert paired_bootstrap(a, b, rounds=99).p[0] == 2 / 100


def test_equal_systems_do_not_differ() -> None:
    a, _ = null_pair(np.random.default_rng(0), 30)
    found = paired_bootstrap(a, a, rounds=200)
    assert randomisation_test(a, a, rounds=200)[0] == 1
    assert (found.p[0], found.low[0], found.high[0]) == (1, 0, 0)


def test_swapping_the_systems_negates_the_interval_and_keeps_p() -> None:
    a, b = null_pair(np.random.default_rng(4), 80)
    there, back = paired_bootstrap(a, b, rounds=500), paired_bootstrap(b, a, rounds=500)
    np.testing.assert_allclose(there.low, -back.high, atol=1e-15)
    np.testing.assert_allclose(there.high, -back.low, atol=1e-15)
    assert there.p == back.p
    assert randomisation_test(a, b, rounds=500) == randomisation_test(b, a, rounds=500)


def test_p_values_are_uniform_if_there_is_no_difference() -> None:
    random = np.random.default_rng(11)
    pairs = [null_pair(random, 60) for _ in range(300)]
    randomised = [randomisation_test(*pair, rounds=300, seed=i)[0] for i, pair in enumerate(pairs)]
    bootstrap = [paired_bootstrap(*pair, rounds=300, seed=i).p[0] for i, pair in enumerate(pairs)]
    for values in (randomised, bootstrap):
        assert kstest(values, "uniform").pvalue > 0.01
        assert 0.02 <= np.mean(np.array(values) < 0.05) <= 0.09


def test_the_interval_covers_the_true_difference() -> None:
    random = np.random.default_rng(12)
    covered = 0
    for seed in range(200):
        words = random.integers(1, 30, 100)
        skill = random.uniform(0.5, 0.9, 100)
        a, b = (random.binomial(words, skill + gain) for gain in (0.0, 0.05))
        found = paired_bootstrap(
            RatioCounts(a[:, None], words[:, None]),
            RatioCounts(b[:, None], words[:, None]),
            rounds=300,
            seed=seed,
        )
        covered += found.low[0] <= 0.05 <= found.high[0]
    assert 0.89 <= covered / 200 <= 0.99


def test_blocks_bound_memory_and_do_not_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = null_pair(np.random.default_rng(3), 100)
    whole = randomisation_test(a, b, rounds=4000)[0]
    monkeypatch.setattr("headwise.evaluate.ratios.BLOCK_ENTRIES", 1000)
    assert randomisation_test(a, b, rounds=4000)[0] == pytest.approx(whole, abs=0.05)


def test_measures_of_nothing_have_no_p() -> None:
    nothing, something = counts([0, 0], [0, 0]), counts([1, 1], [1, 2])
    assert isnan(randomisation_test(nothing, something, rounds=10)[0])
    assert isnan(paired_bootstrap(nothing, something, rounds=10).p[0])


def test_only_the_same_sentences_can_be_paired() -> None:
    with pytest.raises(UsageError, match="cannot be paired"):
        randomisation_test(counts([1], [1]), counts([1, 1], [1, 1]))
    with pytest.raises(UsageError, match="no sentences"):
        paired_bootstrap(counts([], []), counts([], []))


@pytest.mark.parametrize(
    "wrong", [{"rounds": 0}, {"rounds": 1.5}, {"rounds": 10**12}, {"seed": None}, {"seed": -1}]
)
def test_rounds_and_seeds_are_whole_numbers_within_reason(wrong: dict[str, Any]) -> None:
    a, b = counts([1, 2], [3, 3]), counts([2, 2], [3, 3])
    for test in (randomisation_test, paired_bootstrap):
        with pytest.raises(UsageError, match="must be an integer"):
            test(a, b, **wrong)

from math import isnan

import numpy as np
import pytest
from scoring_data import some, spoilt

from headwise.errors import UsageError
from headwise.evaluate import evaluate
from headwise.evaluate.intervals import percentile_interval, wilson_interval
from headwise.evaluate.ratios import RatioCounts, bootstrap_sums, table_ratios


def test_wilson_against_published_values() -> None:
    # Newcombe (1998), table I: 81/263, 15/148, 0/20 and 1/29 by the score method.
    for right, trials, low, high in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]:
        found = wilson_interval(right, trials, 0.95)
        assert np.round(found, 4).tolist() == [low, high]


def test_wilson_of_nothing() -> None:
    assert all(map(isnan, wilson_interval(0, 0, 0.95)))


def test_percentiles() -> None:
    assert percentile_interval(np.arange(101.0), 0.9) == (pytest.approx(5), pytest.approx(95))
    assert percentile_interval(np.array([np.nan, 1.0]), 0.9) == (1, 1)
    assert all(map(isnan, percentile_interval(np.array([np.nan]), 0.9)))


def test_bootstrap_covers_the_truth_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(7)
    covered = 0
    trials = 200
    for trial in range(trials):
        # Sentences differ in length and in difficulty, but on average 3 of 4 words are right.
        words = random.integers(1, 30, 150)
        right = random.binomial(words, random.beta(6, 2, 150))
        counts = RatioCounts(right[:, None], words[:, None])
        samples = table_ratios(bootstrap_sums(counts.table(), 400, trial))[:, 0]
        low, high = percentile_interval(samples, 0.95)
        covered += low <= 0.75 <= high
    assert 0.89 <= covered / trials <= 0.99


def test_intervals_hold_the_scores_and_narrow_with_data() -> None:
    gold = some(1, 400)
    system = spoilt(2, gold, 0.2)
    small = evaluate(gold[:50], system[:50]).all_tokens
    large = evaluate(gold, system).all_tokens
    for scores in (small, large):
        for name, (low, high) in scores.intervals.items():
            assert low <= scores.values[name] <= high
    for name in large.intervals:
        assert np.ptp(large.intervals[name]) < np.ptp(small.intervals[name])


def test_shares_of_sentences_have_wilsons_interval() -> None:
    gold = some(1, 40)
    system = spoilt(2, gold, 0.05)
    found = evaluate(gold, system)
    for scores in (found.all_tokens, found.without_punctuation):
        for name in ("ucm", "lcm", "root"):
            right = round(scores.values[name] * 40 / 100)
            expected = np.multiply(100, wilson_interval(right, 40, 0.95))
            np.testing.assert_allclose(scores.intervals[name], expected)


def test_confidence_widens_intervals() -> None:
    gold = some(1, 100)
    system = spoilt(2, gold, 0.2)
    wide = evaluate(gold, system, confidence=0.99).all_tokens.intervals
    narrow = evaluate(gold, system, confidence=0.8).all_tokens.intervals
    assert all(np.ptp(wide[name]) > np.ptp(narrow[name]) for name in wide)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95])
def test_confidence_must_be_a_probability(confidence: float) -> None:
    gold = some(1, 2)
    with pytest.raises(UsageError, match="confidence"):
        evaluate(gold, gold, confidence=confidence)


@pytest.mark.parametrize(("rounds", "seed"), [(0, 0), (10, -1)])
def test_rounds_and_seed_are_checked(rounds: int, seed: int) -> None:
    gold = some(1, 2)
    with pytest.raises(UsageError):
        evaluate(gold, gold, rounds=rounds, seed=seed)

"""Weights after a round, worked by hand: the fourth of four examples is wrong."""

from math import log

import numpy as np
import pytest

from headwise.parsers.boosting.reweighting import RULES

GOLD = np.array([0, 1, 2, 0], np.int8)
FOUND = np.array([0, 1, 2, 1], np.int8)


def one_round(name: str, step: float = 1.0, found=FOUND):
    rule = RULES[name]
    start = rule.start(4)
    assert rule.weights(start).tolist() == [1, 1, 1, 1]
    state, vote = rule.after(start, GOLD, found, step)
    return rule.weights(state), state, vote


def test_additive():
    weights, state, vote = one_round("additive", 0.5)
    assert weights.tolist() == [1, 1, 1, 1.5]
    assert vote == 1
    assert RULES["additive"].after(state, GOLD, FOUND, 0.5)[0].tolist() == [1, 1, 1, 2]


def test_adaboost_m1():
    # ε = 1/4, β = 1/3: the weights 1/12, 1/12, 1/12, 1/4 come to 1/2.
    weights, state, vote = one_round("m1")
    assert state == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2])
    assert weights == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])
    assert vote == pytest.approx(log(3))


def test_adaboost_m2():
    # Each of eight wrong classes has 1/8. Of the fourth example the parser says 0 of the right
    # class, 1 of class 1 and 0 of class 2: ε = ½ · ⅛ · (2 + 1) = 3/16, β = 3/13.
    weights, state, vote = one_round("m2")
    beta = 3 / 13
    expected = np.array([[beta, beta]] * 3 + [[1, beta**0.5]])
    assert state == pytest.approx(expected / expected.sum())
    assert weights == pytest.approx(4 * expected.sum(axis=1) / expected.sum())
    assert vote == pytest.approx(log(13 / 3))


def test_logistic():
    # W₊ = 3/2, W₋ = 1/2: the vote is ½ log 3; margins ±½ log 3 have weights 1 / (1 + 3^±½).
    weights, state, vote = one_round("logistic")
    assert vote == pytest.approx(0.5 * log(3))
    assert state == pytest.approx([vote, vote, vote, -vote])
    expected = np.array([1 / (1 + 3**0.5)] * 3 + [1 / (1 + 3**-0.5)])
    assert weights == pytest.approx(expected / expected.mean())


@pytest.mark.parametrize("name", ["m1", "m2", "logistic"])
def test_what_is_no_better_than_chance_does_not_count(name):
    wrong = np.array([1, 0, 0, 1], np.int8)
    weights, _, vote = one_round(name, found=wrong)
    assert vote == 0
    assert weights.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("name", list(RULES))
def test_what_is_always_right_counts_much_but_not_without_bounds(name):
    weights, _, vote = one_round(name, found=GOLD)
    assert 0 < vote < 30
    assert weights == pytest.approx([1, 1, 1, 1])

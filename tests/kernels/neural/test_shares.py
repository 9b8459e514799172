"""Shares of tags are probabilities in whole numbers."""

import numpy as np
import pytest

from headwise.kernels.neural.shares import tag_shares

SCORES = (8 * np.random.default_rng(1).standard_normal((40, 17))).astype(np.float32)
SOFTMAX = np.exp(SCORES - SCORES.max(1, keepdims=True))
SOFTMAX /= SOFTMAX.sum(1, keepdims=True)


def test_shares_are_nearly_a_softmax():
    found = SCORES.copy()
    tag_shares(found, np.float32(0))
    assert found.sum(1) == pytest.approx(np.ones(len(found)), abs=1e-5)
    assert found == pytest.approx(SOFTMAX, abs=2e-3)


def test_shares_are_whole_numbers_of_levels():
    found = SCORES.copy()
    tag_shares(found, np.float32(127))
    assert (found == np.rint(found)).all()
    assert np.abs(found - 127 * SOFTMAX).max() < 1


def test_huge_differences_of_scores_are_certain():
    found = np.array([[1e6, -1e6, 0]], np.float32)
    tag_shares(found, np.float32(127))
    assert found.tolist() == [[127, 0, 0]]

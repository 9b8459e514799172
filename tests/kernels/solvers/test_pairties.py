"""Weights of pairs of words, those never seen too."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.kernels.solvers.pairties import map_pairs, pair_scores
from headwise.parsers.linkmargin.links import PairTable


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_unseen_pairs_weigh_as_similar_ones(data_of):
    words, size = 6, data_of.draw(st.integers(2, 6))
    rng = np.random.default_rng(data_of.draw(st.integers(0, 999)))
    keys = np.flatnonzero(rng.random(words * words) < 0.3)
    keys = keys[keys // words <= keys % words].astype(np.int64)
    table, weights = PairTable(words, keys), rng.normal(size=len(keys))
    known = {(int(k) // words, int(k) % words): w for k, w in zip(keys, weights, strict=True)}
    numbers = np.concatenate([[0], rng.integers(0, words + 2, size - 1)]).astype(np.int32)
    near = rng.integers(-1, words, (size, 3)).astype(np.int32)
    roots = rng.random((size, 3))
    scores = pair_scores(numbers, map_pairs(table.low, table.high, words), weights, near, roots)
    for i in range(size):
        for j in range(i + 1, size):
            own = known.get((min(numbers[i], numbers[j]), max(numbers[i], numbers[j])))
            if own is None:
                total = norm = 0.0
                for a in range(3):
                    for b in range(3):
                        both = sorted((near[i, a], near[j, b]))
                        if tuple(both) in known:
                            how = roots[i, a] * roots[j, b]
                            total, norm = total + how * known[tuple(both)], norm + how
                own = total / norm if norm else 0.0
            assert np.isclose(scores[i, j], own)
            assert scores[j, i] == scores[i, j]


def test_nothing_seen_weighs_nothing():
    table = map_pairs(np.empty(0, np.int64), np.empty(0, np.int64), 3)
    numbers, near = np.array([0, 1, 2], np.int32), np.zeros((3, 0), np.int32)
    assert not pair_scores(numbers, table, np.empty(0), near, np.zeros((3, 0))).any()

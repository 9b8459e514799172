"""Random tables of arc scores for tests of non-projective search, and a test of samples."""

from collections import Counter

import numpy as np
from hypothesis import strategies as st
from scipy.stats import chisquare


@st.composite
def arc_tables(draw, max_words=5, magnitudes=(1.0, 30.0, 500.0), extremes=()):
    """Scores [head, modifier] with ties or without, some of them -inf, some of `extremes`."""
    n = draw(st.integers(1, max_words))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    if draw(st.booleans()):
        span = draw(st.integers(0, 4))
        table = rng.integers(-span, span + 1, (n + 1, n + 1)).astype(float)
    else:
        table = rng.normal(size=(n + 1, n + 1)) * draw(st.sampled_from(magnitudes))
    if extremes:
        chosen = draw(st.lists(st.sampled_from(extremes), min_size=1, unique=True))
        share = draw(st.sampled_from((0.1, 0.3, 0.6)))
        table = np.where(
            rng.random(table.shape) < share, rng.choice(chosen, size=table.shape), table
        )
    table[rng.random(table.shape) < draw(st.sampled_from((0.0, 0.2, 0.5)))] = -np.inf
    np.fill_diagonal(table, -np.inf)
    table[:, 0] = -np.inf
    return table


def tied_cycles(n, gap):
    """Pairs of words that hold each other: every arc out of a pair is worse by `gap`."""
    table = np.full((n + 1, n + 1), -gap)
    for word in range(1, n, 2):
        table[word, word + 1] = table[word + 1, word] = 0.0
    return table


def fit_of_samples(samples, oracle):
    """The p-value of samples under the oracle's distribution; rare trees count as one."""
    counts = Counter(tuple(int(head) for head in heads) for heads in samples)
    assert set(counts) <= {tree for _, tree in oracle.ranked}
    expected = oracle.probabilities * len(samples)
    observed = np.array([counts[tree] for _, tree in oracle.ranked])
    groups = np.cumsum(expected > 5)  # trees are ranked: the rare ones join the last common one
    starts = np.unique(groups, return_index=True)[1]
    return chisquare(np.add.reduceat(observed, starts), np.add.reduceat(expected, starts)).pvalue

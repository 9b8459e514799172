"""Rules over numbered symbols: chains, tables and their order."""

import itertools
import math

import numpy as np
import pytest

from headwise.constituency.grammar import LONGEST_CHAIN, MIN_CHAIN, find_chains, starts_of, tables


def test_chains_are_all_paths_within_the_limits():
    rng = np.random.default_rng(4)
    steps = [(a, b, float(-6 * rng.random())) for a, b in itertools.permutations(range(5), 2)]
    weights = {(a, b): weight for a, b, weight in steps}
    expected = {}
    for length in range(2, LONGEST_CHAIN + 2):
        for path in itertools.permutations(range(5), length):
            sums = list(itertools.accumulate(weights[pair] for pair in itertools.pairwise(path)))
            if min(sums) > MIN_CHAIN:
                expected[path] = sums[-1]
    found = find_chains(steps)
    assert {chain.path: chain.log_probability for chain in found} == pytest.approx(expected)
    assert [chain.path[-1] for chain in found] == sorted(path[-1] for path in expected)


def test_no_symbol_is_twice_in_a_chain():
    found = find_chains([(0, 1, 0.0), (1, 0, 0.0), (1, 1, 0.0)])
    assert {chain.path for chain in found} == {(0, 1), (1, 0)}


def test_runs_of_sorted_numbers():
    assert starts_of(np.array([0, 0, 2, 3, 3], np.int32), 5).tolist() == [0, 2, 2, 3, 5, 5]


def test_rules_are_found_by_left_right_whole_and_chain():
    """Symbols 0 to 3, and the state -1, which becomes the number after them."""
    binary = [(2, 3, -1, -1.0), (-1, 3, 0, -2.0), (2, 3, 1, -0.5), (0, 1, 0, -3.0)]
    chains = find_chains([(0, 1, math.log(0.5)), (1, 2, math.log(0.25))])
    rules = tables(binary, chains, reals=4, size=5)
    rows = list(zip(rules.left, rules.right, rules.whole, rules.weight, strict=True))
    assert rows == sorted(rows)
    assert set(rows) == {(2, 3, 4, -1.0), (4, 3, 0, -2.0), (2, 3, 1, -0.5), (0, 1, 0, -3.0)}
    for left in range(5):
        pairs = range(rules.pair_starts[left], rules.pair_starts[left + 1])
        found = {
            (int(rules.pair_right[pair]), int(rules.whole[rule]))
            for pair in pairs
            for rule in range(rules.rule_starts[pair], rules.rule_starts[pair + 1])
        }
        assert found == {(r, w) for own, r, w, _ in rows if own == left}
    for whole in range(5):
        numbers = rules.by_whole[rules.whole_starts[whole] : rules.whole_starts[whole + 1]]
        assert (rules.whole[numbers] == whole).all()
    for top in range(4):
        numbers = rules.by_top[rules.top_starts[top] : rules.top_starts[top + 1]]
        assert (rules.top[numbers] == top).all()
    assert np.diff(rules.bottom_starts).tolist() == [0, 1, 2, 0]

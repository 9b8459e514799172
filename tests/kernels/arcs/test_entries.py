"""Lists of arcs that learners change weights by (features of arcs: `test_arc_scores.py`)."""

import numpy as np

from headwise.kernels.arcs.entries import expected_difference, rival_heads, tree_differences

GOLD = np.array([-1, 2, 0, 2])


def listed(arcs):
    return list(zip(*(column.tolist() for column in arcs), strict=True))


def test_only_arcs_that_differ_count():
    trees = np.array([[-1, 2, 0, 2], [-1, 3, 0, 2], [-1, 0, 1, 2]])
    assert listed(tree_differences(GOLD, trees)) == [
        (1, 2, 1, 1.0),
        (1, 3, 1, -1.0),
        (2, 2, 1, 1.0),
        (2, 0, 1, -1.0),
        (2, 0, 2, 1.0),
        (2, 1, 2, -1.0),
    ]


def test_expected_arcs_are_taken_from_gold_ones():
    rng = np.random.default_rng(0)
    probability = rng.random((4, 4))
    probability[3, 1] = 1e-9
    found = {(h, m): c for _, h, m, c in listed(expected_difference(GOLD, probability, 1e-5))}
    for h in range(4):
        for m in range(1, 4):
            if h == m or (h, m) == (3, 1):
                assert (h, m) not in found
            else:
                assert found[h, m] == (GOLD[m] == h) - probability[h, m]


def test_rivals_are_rows_against_gold_arcs():
    found = listed(rival_heads(GOLD, np.array([2, 0]), np.array([3, 1])))
    assert found == [
        (0, GOLD[3], 3, 1.0),
        (0, 2, 3, -1.0),
        (1, GOLD[1], 1, 1.0),
        (1, 0, 1, -1.0),
    ]

"""Local margins: the neighbours of arcs, against paths that are searched."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headwise.kernels.solvers.arcmargin import local_hinge, path_ends


@st.composite
def trees(draw) -> list[int]:
    """The heads of some tree, crossing or not."""
    n = draw(st.integers(1, 8))
    order = [0, *draw(st.permutations(range(1, n + 1)))]
    heads = [-1] * (n + 1)
    for place in range(1, n + 1):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    return heads


def path(heads: list[int], start: int, end: int) -> list[int]:
    """The tokens from one to another along the tree, by going up from both."""

    def upwards(token: int) -> list[int]:
        line = [token]
        while heads[line[-1]] >= 0:
            line.append(heads[line[-1]])
        return line

    up, down = upwards(start), upwards(end)
    meeting = next(token for token in up if token in down)
    return [*up[: up.index(meeting) + 1], *reversed(down[: down.index(meeting)])]


def arc_between(heads: list[int], one: int, other: int) -> int:
    """The modifier of the arc between two neighbours in the tree."""
    return one if heads[one] == other else other


@given(trees())
def test_the_first_arc_of_every_path_is_found(heads):
    near = path_ends(np.array(heads))
    for a in range(len(heads)):
        for b in range(len(heads)):
            if a != b:
                assert near[a, b] == arc_between(heads, *path(heads, a, b)[:2])


@given(trees())
def test_the_hinge_is_the_sum_over_both_ends(heads):
    gold, n = np.array(heads), len(heads)
    arc = np.random.default_rng(n).standard_normal((n, n))
    total = 0.0
    for m in range(1, n):
        for h in range(n):
            if h != m and heads[m] != h:
                line = path(heads, h, m)
                ends = {arc_between(heads, *line[:2]), arc_between(heads, *line[-2:])}
                total += sum(max(0.0, 1 - arc[heads[one], one] + arc[h, m]) for one in ends)
    assert np.isclose(local_hinge(arc, gold, path_ends(gold)), total)

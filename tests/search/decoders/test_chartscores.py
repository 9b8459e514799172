"""Constraints, costs and scores from elsewhere for the (low, head, high) chart."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import arc_tables
from chartoracle import ChartOracle, chart_scores
from headwise.errors import ConstraintError, LimitError, UsageError
from headwise.search.constraints import Constraints
from headwise.search.decoders.chart import ChartDecoder, constrain_chart
from headwise.search.decoders.chartscores import ChartScores, add_chart_cost
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from oracle import Oracle, trees
from strategies import scores_of_tables


def is_right(heads, constraints):
    """Whether a tree fulfils constraints, from the words of their definition."""
    words = range(1, len(heads))
    for i, j in constraints.brackets:
        inside = range(i, j + 1)
        entering = [m for m in inside if heads[m] not in inside]
        leaving = [m for m in words if m not in inside and heads[m] in inside]
        if len(entering) != 1 or leaving:
            return False
    root = constraints.root
    return (
        all(heads[m] == h for h, m in constraints.required)
        and all(heads[m] != h for h, m in constraints.forbidden)
        and all(heads[m] == h for m, h in constraints.heads.items())
        and (root is None or [m for m in words if heads[m] == 0] == [root])
    )


@st.composite
def constraints_over(draw, n):
    words = st.integers(1, n)
    arcs = st.tuples(st.integers(0, n), words)
    few = {"max_size": 1}
    return Constraints(
        required=tuple(draw(st.lists(arcs, **few))),
        forbidden=tuple(draw(st.lists(arcs, max_size=3))),
        root=draw(st.none() | words),
        heads=draw(st.dictionaries(words, st.integers(0, n), **few)),
        brackets=tuple(
            tuple(sorted(pair)) for pair in draw(st.lists(st.tuples(words, words), max_size=2))
        ),
    )


@settings(deadline=None, max_examples=200)
@given(st.data(), chart_scores(), st.booleans())
def test_constraints(data, scores, single_root):
    constraints = data.draw(constraints_over(scores.n))
    oracle = ChartOracle(scores, single_root, lambda heads: is_right(heads, constraints))
    if not oracle.ranked:
        with pytest.raises(ConstraintError, match="no tree"):
            constrain_chart(scores, constraints, single_root=single_root)
        return
    constrained = constrain_chart(scores, constraints, single_root=single_root)
    found = ChartDecoder(single_root).kbest(constrained, 2000)
    assert {tuple(tree.heads) for tree in found} == {heads for _, heads in oracle.ranked}
    assert [tree.score for tree in found] == pytest.approx(list(oracle.scores), abs=1e-9)
    marginals = ChartDecoder(single_root).marginals(constrained)
    assert marginals.log_partition == pytest.approx(oracle.log_partition, abs=1e-9)
    again = ChartDecoder(single_root).constrain(constrained, Constraints())
    assert len(ChartDecoder(single_root).kbest(again, 2000)) == len(found)
    possible = {tuple(tree.heads): tree.score for tree in found}
    for heads in trees(scores.n, projective=True, single_root=single_root):
        expected = possible.get(heads, -np.inf)
        assert constrained.of_tree(heads) == pytest.approx(expected, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(chart_scores(), st.data())
def test_brackets_alone(scores, data):
    words = st.integers(1, scores.n)
    pairs = data.draw(st.lists(st.tuples(words, words), min_size=1, max_size=2))
    constraints = Constraints(brackets=tuple(tuple(sorted(pair)) for pair in pairs))
    oracle = ChartOracle(scores, False, lambda heads: is_right(heads, constraints))
    if oracle.ranked:
        constrained = constrain_chart(scores, constraints, single_root=False)
        found = ChartDecoder(False).kbest(constrained, 2000)
        assert {tuple(tree.heads) for tree in found} == {heads for _, heads in oracle.ranked}


def test_constraints_in_conflict_are_named():
    link = np.zeros((5, 3, 5, 5))
    link[1:, 2] = -np.inf  # no word has more than two modifiers
    scores = ChartScores(link, both_sides=True)
    names = "arc 1 → 2 is required; arc 1 → 4 is required; the head of word 3 is 1$"
    with pytest.raises(ConstraintError, match=f"remove one: {names}"):
        constrain_chart(scores, Constraints(((1, 2), (1, 4)), ((4, 1),), heads={3: 1}))
    with pytest.raises(ConstraintError, match="even without constraints"):
        constrain_chart(ChartScores(np.full((3, 1, 3, 3), -np.inf)), Constraints(root=1))
    with pytest.raises(UsageError, match="only words 1 to 4"):
        constrain_chart(scores, Constraints(root=5))
    crossing = replace(scores, brackets=((1, 2), (2, 3)))
    with pytest.raises(ConstraintError, match="words 1 to 2 form one subtree and words 2 to 3"):
        ChartDecoder().best(crossing)


@settings(deadline=None)
@given(chart_scores(), st.booleans(), st.integers(0, 1000), st.sampled_from((0.5, 1.0, 3.0)))
def test_cost_of_wrong_heads(scores, single_root, at, cost):
    oracle = ChartOracle(scores, single_root)
    if not oracle.ranked:
        return
    gold = oracle.ranked[at % len(oracle.ranked)][1]
    expected = sorted(
        (total + cost * sum(h != g for h, g in zip(heads, gold, strict=True)))
        for total, heads in oracle.ranked
    )[::-1]
    found = ChartDecoder(single_root).kbest(add_chart_cost(scores, gold, cost), 2000)
    assert [tree.score for tree in found] == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(arc_tables(magnitudes=(1.0, 30.0)), st.booleans())
def test_arcs_alone_are_the_first_order(table, single_root):
    oracle = Oracle({Part.ARC: table}, single_root=single_root)
    if not oracle.ranked:
        return
    scores = ChartScores.from_scores(Scores(table))
    assert ChartDecoder(single_root).best(scores).score == pytest.approx(oracle.scores[0], abs=1e-9)
    found = ChartDecoder(single_root).marginals(scores)
    assert found.arc == pytest.approx(oracle.marginals(Part.ARC), abs=1e-9)


def test_siblings_and_stops_are_the_second_order():
    rng = np.random.default_rng(2)
    tables = {Part.SIBLING: rng.normal(size=(6, 6, 6)), Part.STOP: rng.normal(size=(6, 2, 6))}
    arc = rng.normal(size=(6, 6))
    scores = scores_of_tables(arc, tables, Factorisation.SIBLINGS)
    oracle = Oracle({Part.ARC: arc, **tables})
    best = ChartDecoder().best(ChartScores.from_scores(scores))
    assert best.score == pytest.approx(oracle.scores[0])
    assert tuple(best.heads) == oracle.ranked[0][1]


@pytest.mark.parametrize("single_root", [False, True])
def test_arcs_dead_in_the_index_stay_dead(single_root):
    rng = np.random.default_rng(0)
    arc = rng.normal(size=(5, 5))
    arc[0, 1] = 9.0
    unpruned = np.ones((5, 5), np.bool_)
    unpruned[0, 1] = False
    index = PartIndex.over(unpruned, Factorisation.SIBLINGS)
    scores = Scores(arc, index, {Part.SIBLING: rng.normal(size=index.count(Part.SIBLING))})
    best = ChartDecoder(single_root).best(ChartScores.from_scores(scores))
    assert best.score == pytest.approx(ProjectiveDecoder(single_root).best(scores).score)
    assert best.score == pytest.approx(scores.of_tree(best.heads))


def test_brackets_are_carried_over():
    arcs = Scores(np.random.default_rng(7).normal(size=(6, 6)), brackets=((1, 3), (2, 3)))
    found = ChartDecoder().kbest(ChartScores.from_scores(arcs), 1000)
    expected = ProjectiveDecoder().kbest(arcs, 1000)
    assert [tuple(tree.heads) for tree in found] == [tuple(tree.heads) for tree in expected]


def test_what_cannot_be_carried_over():
    arc = np.zeros((5, 5))
    tables = {Part.GRANDCHILD: np.zeros((5, 5, 5))}
    grand = scores_of_tables(arc, tables, Factorisation.GRANDCHILDREN)
    with pytest.raises(UsageError, match="cannot score grandchild"):
        ChartScores.from_scores(grand)


def test_wrong_shapes_and_limits():
    with pytest.raises(UsageError, match="axes head, count"):
        ChartScores(np.zeros((4, 4)))
    with pytest.raises(UsageError, match="stop scores have shape"):
        ChartScores(np.zeros((4, 2, 4, 4)), np.zeros((4, 2, 1, 4)))
    with pytest.raises(UsageError, match="NaN"):
        ChartScores(np.full((4, 2, 4, 4), np.nan))
    for k in (0, 1 << 20):
        with pytest.raises(UsageError, match="k must be"):
            ChartDecoder().kbest(ChartScores(np.zeros((4, 2, 4, 4))), k)
    with pytest.raises(LimitError, match="needs"):
        ChartDecoder(memory_limit=1000).best(ChartScores(np.zeros((4, 2, 4, 4))))

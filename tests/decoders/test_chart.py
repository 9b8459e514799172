"""The (low, head, high) chart against enumeration, from the definition of its scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import arc_tables, fit_of_samples
from headwise.decoders.chart import ChartDecoder, ChartScores, memory_needed
from headwise.errors import ConstraintError, LimitError, UsageError
from headwise.parts import Factorisation, Part
from headwise.scores import Scores
from oracle import Oracle, trees


@st.composite
def chart_scores(draw, max_words=5):
    """Random scores, with ties or without, with forbidden arcs or without, of all kinds."""
    size = draw(st.integers(1, max_words)) + 1
    counts = draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tied = draw(st.booleans())

    def table(*shape):
        return rng.integers(-2, 3, shape) * 1.0 if tied else rng.normal(size=shape) * 3

    link = table(size, counts, size, size)
    dead = rng.random((size, size)) < draw(st.sampled_from((0.0, 0.3)))
    link[np.broadcast_to(dead[:, None, None, :], link.shape)] = -np.inf
    return ChartScores(
        link,
        table(size, 2, counts, size) if draw(st.booleans()) else None,
        table(size, size, size) if draw(st.booleans()) else None,
        both_sides=draw(st.booleans()),
    )


def events(heads, scores):
    """What happens in a tree, in the canonical order, from the words of the definition."""
    n = len(heads) - 1
    cap = scores.counts - 1
    for h in range(n + 1):
        modifiers = [m for m in range(1, n + 1) if heads[m] == h]
        right = sorted(m for m in modifiers if m > h)
        left = sorted((m for m in modifiers if m < h), reverse=True)
        for side, chain in ((1, right), (0, left)):
            before = len(right) if side == 0 and scores.both_sides else 0
            for i, m in enumerate(chain):
                yield "link", (h, min(before + i, cap), chain[i - 1] if i else h, m)
            if h > 0 or side == 1:
                last = chain[-1] if chain else h
                yield "stop", (h, side, min(before + len(chain), cap), last)
        if h > 0:
            yield "first", (heads[h], h, right[0] if right else left[0] if left else h)


def score(heads, scores):
    tables = {"link": scores.link, "stop": scores.stop, "first": scores.first}
    return sum(
        float(tables[kind][where])
        for kind, where in events(heads, scores)
        if tables[kind] is not None
    )


class ChartOracle(Oracle):
    """Enumeration under ChartScores."""

    def __init__(self, scores, single_root):
        self.tables = {Part.ARC: scores.link[:, 0, 0]}
        scored = [
            (score(heads, scores), heads)
            for heads in trees(scores.n, projective=True, single_root=single_root)
        ]
        self.ranked = sorted(((s, heads) for s, heads in scored if s > -np.inf), reverse=True)


@settings(deadline=None, max_examples=200)
@given(chart_scores(), st.booleans())
def test_every_question(scores, single_root):
    oracle, chart = ChartOracle(scores, single_root), ChartDecoder(single_root)
    if not oracle.ranked:
        with pytest.raises(ConstraintError, match="projective tree"):
            chart.best(scores)
        return
    best = chart.best(scores)
    assert best.score == pytest.approx(oracle.scores[0], abs=1e-9)
    assert score(tuple(best.heads), scores) == pytest.approx(best.score, abs=1e-9)
    assert scores.of_tree(best.heads) == pytest.approx(best.score, abs=1e-9)
    found = chart.kbest(scores, 40)
    assert [tree.score for tree in found] == pytest.approx(list(oracle.scores[:40]), abs=1e-9)
    assert len({tuple(tree.heads) for tree in found}) == min(40, len(oracle.ranked))
    drawn = chart.sample(scores, 5, np.random.default_rng(0))
    assert {tuple(heads) for heads in drawn} <= {heads for _, heads in oracle.ranked}


@settings(deadline=None)
@given(chart_scores(), st.booleans())
def test_expected_counts(scores, single_root):
    oracle = ChartOracle(scores, single_root)
    if not oracle.ranked:
        return
    found = ChartDecoder(single_root).marginals(scores)
    assert found.log_partition == pytest.approx(oracle.log_partition, abs=1e-9)
    assert found.entropy == pytest.approx(oracle.entropy, abs=1e-8)
    assert found.arc == pytest.approx(oracle.marginals(Part.ARC), abs=1e-9)
    expected = {"link": np.zeros(found.link.shape), "stop": np.zeros(found.stop.shape)}
    expected["first"] = np.zeros((scores.n + 1,) * 3)
    for p, (_, heads) in zip(oracle.probabilities, oracle.ranked, strict=True):
        for kind, where in events(heads, scores):
            expected[kind][where] += p
    assert found.link == pytest.approx(expected["link"], abs=1e-9)
    assert found.stop == pytest.approx(expected["stop"], abs=1e-9)
    if scores.first is not None:
        assert found.first == pytest.approx(expected["first"], abs=1e-9)


@pytest.mark.parametrize("both_sides", [False, True])
def test_expected_counts_are_the_gradient(both_sides):
    rng = np.random.default_rng(3)
    link, stop, first = (
        rng.normal(size=shape) for shape in ((8, 3, 8, 8), (8, 2, 3, 8), (8, 8, 8))
    )
    chart = ChartDecoder()
    found = chart.marginals(ChartScores(link, stop, first, both_sides))
    for table, expected in ((link, found.link), (stop, found.stop), (first, found.first)):
        likely = np.argsort(expected.ravel())[::-7][:20]
        for at in likely:
            slope = 0.0
            for sign in (1, -1):
                table.ravel()[at] += sign * 1e-5
                changed = chart.marginals(ChartScores(link, stop, first, both_sides))
                slope += sign * changed.log_partition / 2e-5
                table.ravel()[at] -= sign * 1e-5
            assert expected.ravel()[at] == pytest.approx(slope, abs=1e-7)


@pytest.mark.parametrize("with_first", [False, True])
def test_samples_come_by_their_probability(with_first):
    rng = np.random.default_rng(5)
    scores = ChartScores(
        rng.normal(size=(5, 3, 5, 5)),
        rng.normal(size=(5, 2, 3, 5)),
        rng.normal(size=(5, 5, 5)) if with_first else None,
        both_sides=True,
    )
    drawn = ChartDecoder().sample(scores, 5000, np.random.default_rng(1))
    assert fit_of_samples(drawn, ChartOracle(scores, True)) > 1e-3


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
    tables[Part.STOP][0, 0] = 0.0  # the chart's root has no left side
    arc = rng.normal(size=(6, 6))
    scores = Scores.from_tables(arc, tables, Factorisation.SIBLINGS)
    oracle = Oracle({Part.ARC: arc, **tables})
    best = ChartDecoder().best(ChartScores.from_scores(scores))
    assert best.score == pytest.approx(oracle.scores[0])
    assert tuple(best.heads) == oracle.ranked[0][1]


def test_canonical_order_of_the_thesis():
    # With counts over both sides, the right modifiers of word 2 come before the left one.
    link = np.full((5, 4, 5, 5), -np.inf)
    link[0, 0, 0, 2] = 0.0
    link[2, 0, 2, 3] = link[2, 1, 3, 4] = link[2, 2, 2, 1] = 1.0
    best = ChartDecoder().best(ChartScores(link, both_sides=True))
    assert list(best.heads) == [-1, 2, 0, 2, 2]
    assert best.score == 3.0


def test_a_limit_on_modifiers():
    link = np.zeros((9, 3, 9, 9))
    link[1:, 2] = -np.inf  # no word has more than two modifiers
    for tree in ChartDecoder().kbest(ChartScores(link, both_sides=True), 100):
        assert max(np.bincount(tree.heads[1:])[1:]) <= 2


def test_long_sentences():
    rng = np.random.default_rng(2)
    scores = ChartScores(rng.normal(size=(41, 3, 41, 41)), rng.normal(size=(41, 2, 3, 41)))
    best = ChartDecoder().best(scores)
    assert scores.of_tree(best.heads) == pytest.approx(best.score)
    found = ChartDecoder().marginals(scores)
    assert found.arc[:, 1:].sum(axis=0) == pytest.approx(np.ones(40))
    assert found.log_partition > best.score


def test_long_chains_of_words_with_everything_scored():
    rng = np.random.default_rng(3)
    link = rng.normal(size=(16, 2, 16, 16))
    link[np.arange(15), :, :, np.arange(1, 16)] += 50.0  # every word hangs on the one before
    scores = ChartScores(link, rng.normal(size=(16, 2, 2, 16)), rng.normal(size=(16,) * 3), True)
    decoder = ChartDecoder()
    found = decoder.kbest(scores, 50)
    assert list(found[0].heads) == list(range(-1, 15))
    for tree in found:
        assert tree.score == pytest.approx(scores.of_tree(tree.heads))
    drawn = decoder.sample(scores, 50, np.random.default_rng(1))
    assert (drawn == found[0].heads).all()


def test_extreme_scores():
    link = np.random.default_rng(2).normal(size=(11, 2, 11, 11)) * 1e4
    found = ChartDecoder().marginals(ChartScores(link))
    assert found.arc[:, 1:].sum(axis=0) == pytest.approx(np.ones(10))
    assert found.entropy >= 0


def test_wrong_shapes_and_limits():
    with pytest.raises(UsageError, match="axes head, count"):
        ChartScores(np.zeros((4, 4)))
    with pytest.raises(UsageError, match="stop scores have shape"):
        ChartScores(np.zeros((4, 2, 4, 4)), np.zeros((4, 2, 1, 4)))
    with pytest.raises(UsageError, match="NaN"):
        ChartScores(np.full((4, 2, 4, 4), np.nan))
    with pytest.raises(LimitError, match="needs"):
        ChartDecoder(memory_limit=1000).best(ChartScores(np.zeros((4, 2, 4, 4))))
    assert memory_needed(40, 4, True, True) > memory_needed(40, 4, False, True) > 0

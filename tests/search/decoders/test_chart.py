"""The (low, head, high) chart against enumeration, from the definition of its scores."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import fit_of_samples
from chartoracle import ChartOracle, chart_scores, events, score
from headwise.errors import ConstraintError, LimitError
from headwise.kernels.primitives.semiring import MAX
from headwise.kernels.runtime.cachefolders import writable_folder
from headwise.search.decoders.chart import ChartDecoder, chart_memory_needed
from headwise.search.decoders.chartscores import ChartScores
from headwise.search.partcounts import ranking_memory
from headwise.search.parts import Part


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


@pytest.mark.parametrize("single_root", [False, True])
def test_six_words(single_root):
    rng = np.random.default_rng(13)
    link, stop = rng.normal(size=(7, 3, 7, 7)), rng.normal(size=(7, 2, 3, 7))
    link[0, :, :, 2] = link[4, 0, :, 3] = -np.inf
    scores = ChartScores(link, stop, rng.normal(size=(7, 7, 7)), True)
    oracle, decoder = ChartOracle(scores, single_root), ChartDecoder(single_root)
    found = decoder.kbest(scores, 5000)
    assert [tuple(tree.heads) for tree in found] == [heads for _, heads in oracle.ranked]
    assert tuple(decoder.best(scores).heads) == oracle.ranked[0][1]
    marginals = decoder.marginals(scores)
    assert marginals.arc == pytest.approx(oracle.marginals(Part.ARC), abs=1e-9)
    assert marginals.entropy == pytest.approx(oracle.entropy, abs=1e-9)


@pytest.mark.parametrize("shift", [1e6, 1e9, 1e12])
@pytest.mark.parametrize("with_first", [False, True])
def test_an_offset_changes_nothing_but_the_log_partition(shift, with_first):
    rng = np.random.default_rng(4)
    tables = [rng.normal(size=shape) for shape in ((9, 2, 9, 9), (9, 2, 2, 9), (9, 9, 9))]
    tables = [np.round(table * 64) / 64 for table in tables]  # so that adding loses nothing
    if not with_first:
        tables[2] = None
    plain = ChartScores(*tables)
    shifted = ChartScores(*(None if table is None else table + shift for table in tables))
    before, after = ChartDecoder().marginals(plain), ChartDecoder().marginals(shifted)
    assert after.entropy == pytest.approx(before.entropy, abs=1e-9)
    assert after.arc == pytest.approx(before.arc, abs=1e-9)
    assert after.link == pytest.approx(before.link, abs=1e-9)
    assert after.stop == pytest.approx(before.stop, abs=1e-9)
    events_of_a_tree = 8 + 17 + 8 * with_first
    total = before.log_partition + shift * events_of_a_tree
    assert after.log_partition == pytest.approx(total, rel=1e-14)
    drawn = [ChartDecoder().sample(s, 50, np.random.default_rng(0)) for s in (plain, shifted)]
    assert (drawn[0] == drawn[1]).all()


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


@pytest.mark.parametrize("with_first", [False, True])
@pytest.mark.parametrize("both_sides", [False, True])
@pytest.mark.parametrize("counts", [1, 3, 20])
def test_memory_needed_is_that_of_the_arrays(with_first, both_sides, counts):
    first = np.zeros((8, 8, 8)) if with_first else None
    scores = ChartScores(np.zeros((8, counts, 8, 8)), None, first, both_sides)
    chart, order, _ = ChartDecoder().fill(scores, MAX)
    charts = chart.values.nbytes + order.nbytes
    needed = [
        chart_memory_needed(7, counts, with_first, both_sides, question)
        for question in ("best", "sample", "kbest", "marginals")
    ]
    assert needed[0] == charts + 3 * chart.weights.nbytes
    assert needed[1] == charts + 4 * chart.weights.nbytes
    ranking = ranking_memory(len(chart.values), 7, 1)
    assert needed[2] == 2 * charts + 3 * chart.weights.nbytes + ranking
    assert needed[3] == charts + charts // 2 + 7 * chart.weights.nbytes
    for question, limit in zip(("best", "marginals"), (needed[0], needed[3]), strict=True):
        getattr(ChartDecoder(memory_limit=limit), question)(scores)
        with pytest.raises(LimitError, match="needs"):
            getattr(ChartDecoder(memory_limit=limit - 1), question)(scores)


EVERY_QUESTION = """
import numpy as np
from headwise.search.decoders.chart import ChartDecoder, chart_memory_needed
from headwise.search.decoders.chartscores import ChartScores
scores = ChartScores(np.zeros((4, 2, 4, 4)))
decoder = ChartDecoder(memory_limit=chart_memory_needed(3, 2, False, False, "kbest", 2))
decoder.best(scores), decoder.kbest(scores, 2), decoder.marginals(scores)
decoder.sample(scores, 2, np.random.default_rng(0))
"""


@pytest.mark.skipif(writable_folder() is None, reason="compiled code cannot be kept")
def test_nothing_is_compiled_in_a_second_process():
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", EVERY_QUESTION],
            env=dict(os.environ),
            capture_output=True,
            text=True,
            check=True,
        )
    assert run.stderr == ""

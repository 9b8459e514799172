"""What a chart is filled with is what its hyperedges give."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calling import callable_from_python
from chartoracle import chart_scores
from headwise.errors import ConstraintError
from headwise.kernels.charts.chart import GOAL
from headwise.kernels.charts.chart_hyperedges import list_hyperedges
from headwise.kernels.primitives.semiring import LOG, MAX
from headwise.search.decoders.chart import ChartDecoder

HYPEREDGES = callable_from_python(list_hyperedges)


def all_items(chart):
    """All items that the goal is built of, directly or not, with the values of their hyperedges."""
    first, second = np.zeros((2, chart.n + 2), np.int64)
    seen, waiting = {0}, [int(chart.start[GOAL])]
    while waiting:
        item = waiting.pop()
        count = HYPEREDGES(chart, item, first, second)
        scores = chart.weights[chart.where[:count]]
        yield item, scores + chart.values[first[:count]] + chart.values[second[:count]]
        new = {int(part) for part in (*first[:count], *second[:count])} - seen
        seen |= new
        waiting += new


@settings(deadline=None, max_examples=25)
@given(chart_scores(max_words=4), st.booleans(), st.booleans())
def test_what_is_filled_is_what_the_ways_give(scores, single_root, bracketed):
    decoder = ChartDecoder(single_root)
    if bracketed and scores.n > 1:
        scores = replace(scores, brackets=((1, 2),))
    for semiring, total in ((MAX, np.max), (LOG, np.logaddexp.reduce)):
        try:
            chart = decoder.fill(scores, semiring)[0]
        except ConstraintError:
            return
        for item, values in all_items(chart):
            expected = total(values) if len(values) else -np.inf
            assert chart.values[item] == pytest.approx(expected, abs=1e-9)

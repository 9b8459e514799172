"""Counts of parts, and what rankings need."""

import numpy as np
import pytest

from calling import callable_from_python
from headwise.kernels.charts import higher
from headwise.kernels.charts.kbest import new_ranking, rank_items
from headwise.kernels.primitives.semiring import MAX
from headwise.search.decoders.projective import part_scores
from headwise.search.memory import (
    chart_memory,
    memory_needed,
    score_memory,
)
from headwise.search.partcounts import PartCounts, ranking_memory
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation
from headwise.search.scores import Scores
from partscores import scores_over

NEW_RANKING, RANK_ITEMS = map(callable_from_python, (new_ranking, rank_items))


@pytest.mark.parametrize("n", [1, 2, 9])
@pytest.mark.parametrize("factorisation", Factorisation)
def test_needs_are_known_without_an_index(factorisation: Factorisation, n: int) -> None:
    index = PartIndex.dense(n, factorisation)
    assert PartCounts.dense(n, factorisation) == PartCounts.of(index)
    heads = 8 * (n + 1)
    without_index = memory_needed(n, factorisation) - chart_memory(index, n) - score_memory(index)
    arcs = factorisation is Factorisation.ARCS
    assert without_index == heads + (0 if arcs else PartCounts.of(index).index_memory)


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("factorisation", [f for f in Factorisation if f.order > 1])
def test_the_k_best_need_no_more_than_was_said(factorisation: Factorisation, tied: bool) -> None:
    n = 12
    scores = scores_over(PartIndex.dense(n, factorisation))
    if not tied:
        rng = np.random.default_rng(0)
        drawn = {part: rng.normal(size=len(values)) for part, values in scores.higher.items()}
        scores = Scores(rng.normal(size=(n + 1, n + 1)), scores.index, drawn)
    assert scores.index is not None
    tri = factorisation.largest.siblings == 2
    chart = higher.filled_chart(MAX, scores.index.rows, part_scores(scores), True, tri)
    for k in (2, 20, 300):
        room = 4 * n + 16
        ranking = NEW_RANKING(chart, k, n + 2, room)
        while not RANK_ITEMS(chart, ranking, chart.goal, n, k):
            room *= 4
            ranking = NEW_RANKING(chart, k, n + 2, room)
        arrays = [one for one in ranking if isinstance(one, np.ndarray)]
        taken = sum(array.nbytes for array in arrays if array is not ranking.slot_of)
        assert taken <= ranking_memory(len(chart.values), n, k)

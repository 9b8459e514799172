import numpy as np
import pytest

from headwise.decoders.projective import ProjectiveDecoder, part_scores
from headwise.errors import HeadwiseWarning, LimitError, UsageError
from headwise.kernels import higher, siblings
from headwise.kernels.semiring import MAX
from headwise.memory import (
    LOWER,
    Counts,
    OverLimit,
    chart_memory,
    index_within,
    memory_needed,
    score_memory,
)
from headwise.partindex import PartIndex
from headwise.parts import Factorisation, Part
from headwise.scores import Scores


def scores_over(index: PartIndex) -> Scores:
    higher_parts = [part for part in index.factorisation.parts if part is not Part.ARC]
    return Scores(
        np.zeros((index.n + 1, index.n + 1)),
        index,
        {part: np.zeros(index.count(part)) for part in higher_parts},
    )


@pytest.mark.parametrize("factorisation", [f for f in Factorisation if f.order > 1])
def test_charts_take_what_was_said(factorisation: Factorisation) -> None:
    index = PartIndex.dense(12, factorisation)
    scores = scores_over(index)
    if factorisation is Factorisation.SIBLINGS:
        parts = scores.higher[Part.SIBLING], scores.higher[Part.STOP]
        dense = siblings.filled_chart(MAX, scores.arc, scores.arc, *parts, True)
        room = (dense.values, dense.ends, dense.closing, dense.mirror)
        taken = sum(array.nbytes for array in (*room, dense.sibling_start, dense.stop_start))
    else:
        tri = factorisation.largest.siblings == 2
        chart = higher.filled_chart(MAX, index.rows, part_scores(scores), True, tri)
        taken = chart.values.nbytes
    assert taken == pytest.approx(chart_memory(index, 12), rel=0.01)
    assert score_memory(index) == scores.arc.nbytes + sum(v.nbytes for v in scores.higher.values())


@pytest.mark.parametrize("n", [1, 2, 9])
@pytest.mark.parametrize("factorisation", Factorisation)
def test_needs_are_known_without_an_index(factorisation: Factorisation, n: int) -> None:
    index = PartIndex.dense(n, factorisation)
    assert Counts.dense(n, factorisation) == Counts.of(index)
    assert memory_needed(n, factorisation) == chart_memory(index, n) + score_memory(index)


def test_lower_orders_need_less() -> None:
    for dear, cheap in LOWER.items():
        assert memory_needed(5000, dear) > memory_needed(5000, cheap)
    with pytest.raises(UsageError, match="1 word or more"):
        memory_needed(0, Factorisation.ARCS)


def test_too_much_is_an_error_if_so_chosen() -> None:
    everything = np.ones((31, 31), bool)
    wanted = Factorisation.GRAND_TRI_SIBLINGS
    limit = memory_needed(30, wanted)
    assert index_within(limit, everything, wanted).factorisation is wanted
    with pytest.raises(LimitError, match=f"need {limit} bytes of {limit - 1}"):
        index_within(limit - 1, everything, wanted)


def test_a_lower_order_instead() -> None:
    everything = np.ones((31, 31), bool)
    limit = memory_needed(30, Factorisation.SIBLINGS)
    with pytest.warns(HeadwiseWarning, match="searching with") as told:
        index = index_within(
            limit, everything, Factorisation.GRAND_TRI_SIBLINGS, OverLimit.LOWER_ORDER
        )
    assert index.factorisation is Factorisation.SIBLINGS
    assert len(told) == 1
    with pytest.raises(LimitError):
        index_within(10, everything, Factorisation.SIBLINGS, OverLimit.LOWER_ORDER)


def test_harder_pruning_instead() -> None:
    everything = np.ones((31, 31), bool)
    arcs = Scores(4.0 * np.random.default_rng(0).normal(size=(31, 31)))
    marginals = ProjectiveDecoder().marginals(arcs).arc
    limit = 500_000
    wanted = Factorisation.GRAND_TRI_SIBLINGS
    with pytest.warns(HeadwiseWarning, match="pruned"):
        index = index_within(limit, everything, wanted, OverLimit.PRUNE, marginals)
    assert index.factorisation is wanted
    assert chart_memory(index, 30) + score_memory(index) <= limit
    # However hard the pruning, one tree is left.
    with pytest.warns(HeadwiseWarning, match=r"1e\+00 of the likeliest"):
        hardest = index_within(35_000, everything, wanted, OverLimit.PRUNE, marginals)
    assert ProjectiveDecoder().best(scores_over(hardest)).score == 0
    with pytest.raises(UsageError, match="needs the marginals"):
        index_within(limit, everything, wanted, OverLimit.PRUNE)

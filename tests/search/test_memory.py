import numpy as np
import pytest

from headwise.errors import HeadwiseWarning, LimitError, UsageError
from headwise.kernels.charts import higher
from headwise.kernels.primitives.semiring import MAX
from headwise.search.decoders.projective import ProjectiveDecoder, part_scores
from headwise.search.memory import (
    LOWER,
    OverLimit,
    all_memory,
    chart_memory,
    index_within,
    memory_needed,
    score_memory,
)
from headwise.search.partcounts import PartCounts
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation
from headwise.search.scores import Scores, unpruned_arcs
from partscores import scores_over


@pytest.mark.parametrize("factorisation", [f for f in Factorisation if f.order > 1])
def test_charts_take_what_was_said(factorisation: Factorisation) -> None:
    index = PartIndex.dense(12, factorisation)
    scores = scores_over(index)
    tri = factorisation.largest.siblings == 2
    chart = higher.filled_chart(MAX, index.rows, part_scores(scores), True, tri)
    assert chart.values.nbytes == chart_memory(index, 12)
    assert score_memory(index) == scores.arc.nbytes + sum(v.nbytes for v in scores.higher.values())


@pytest.mark.parametrize("n", [1, 5, 12])
@pytest.mark.parametrize("crossing", [False, True])
@pytest.mark.parametrize("factorisation", Factorisation)
def test_an_index_takes_what_was_said(factorisation: Factorisation, crossing: bool, n: int) -> None:
    unpruned = np.random.default_rng(n).random((n + 1, n + 1)) < 0.7
    index = PartIndex.over(unpruned, factorisation, crossing=crossing)
    arrays = {one.ctypes.data: one for one in index.rows if isinstance(one, np.ndarray)}
    taken = sum(array.nbytes for array in arrays.values())
    assert PartCounts.of(index).index_memory == taken


def test_an_order_is_its_dearest_factorisation() -> None:
    for n in (3, 40):
        assert memory_needed(n, 1) == memory_needed(n, Factorisation.ARCS)
        assert memory_needed(n, 2) == memory_needed(n, Factorisation.GRANDCHILDREN)
        assert memory_needed(n, 3) >= memory_needed(n, Factorisation.TRI_SIBLINGS)
        assert memory_needed(n, 3) >= memory_needed(n, Factorisation.GRAND_SIBLINGS)
        assert memory_needed(n, 4) == memory_needed(n, Factorisation.GRAND_TRI_SIBLINGS)
    for order in (0, 5):
        with pytest.raises(UsageError, match="order must be from 1 to 4"):
            memory_needed(10, order)


def test_what_questions_need() -> None:
    for factorisation in Factorisation:
        best = memory_needed(20, factorisation)
        chart = PartCounts.dense(20, factorisation).chart_memory
        assert memory_needed(20, factorisation, "marginals") >= best + chart
        assert memory_needed(20, factorisation, "sample", 500) > best + 500 * 8 * 8 * 20
        ranked = [memory_needed(20, factorisation, "kbest", k) for k in (1, 10, 100)]
        assert best < ranked[0] < ranked[1] < ranked[2]


def test_lower_orders_need_less() -> None:
    for dear, cheap in LOWER.items():
        assert memory_needed(5000, dear) > memory_needed(5000, cheap)
    with pytest.raises(UsageError, match="must be at least 1"):
        memory_needed(0, Factorisation.ARCS)


def test_too_much_is_an_error_if_so_chosen() -> None:
    everything = np.ones((31, 31), bool)
    wanted = Factorisation.GRAND_TRI_SIBLINGS
    limit = memory_needed(30, wanted)
    assert index_within(limit, everything, wanted).factorisation is wanted
    with pytest.raises(LimitError, match=f"need {limit} bytes, the limit is {limit - 1}"):
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


def test_what_a_question_needs_is_within_the_limit() -> None:
    everything, wanted = np.ones((21, 21), bool), Factorisation.SIBLINGS
    limit = memory_needed(20, wanted, "marginals")
    assert index_within(limit, everything, wanted, question="marginals").factorisation is wanted
    assert index_within(limit - 1, everything, wanted).factorisation is wanted
    with pytest.raises(LimitError, match=f"need {limit} bytes"):
        index_within(limit - 1, everything, wanted, question="marginals")


def test_an_index_that_does_not_fit_is_never_made(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = np.ones((31, 31), bool)
    monkeypatch.setattr(PartIndex, "over", None)
    with pytest.raises(LimitError, match="grand-siblings over 30 words need"):
        index_within(50_000, everything, Factorisation.GRAND_SIBLINGS)


@pytest.mark.parametrize("factorisation", [f for f in Factorisation if f.order > 1])
def test_the_limit_of_a_decoder_holds_for_every_order(factorisation: Factorisation) -> None:
    scores = scores_over(PartIndex.dense(8, factorisation))
    assert scores.index is not None
    counts, rng = PartCounts.of(scores.index), np.random.default_rng(0)
    decoder = ProjectiveDecoder()
    needs = {
        "best": counts.question_memory("best"),
        "kbest": counts.question_memory("kbest", 3),
        "marginals": counts.question_memory("marginals"),
        "sample": counts.question_memory("sample", 3),
    }
    assert min(needs.values()) > PartCounts.dense(8, Factorisation.ARCS).question_memory("best")
    for question, needed in needs.items():
        more = {"kbest": (3,), "sample": (3, rng)}.get(question, ())
        for limit in (needed, needed - 1):
            decoder = ProjectiveDecoder(memory_limit=limit)
            if limit == needed:
                getattr(decoder, question)(scores, *more)
            else:
                with pytest.raises(LimitError, match=f"needs {needed} bytes"):
                    getattr(decoder, question)(scores, *more)


def test_harder_pruning_instead() -> None:
    everything = np.ones((31, 31), bool)
    arcs = Scores(4.0 * np.random.default_rng(0).normal(size=(31, 31)))
    marginals = ProjectiveDecoder().marginals(arcs).arc
    limit = 560_000
    wanted = Factorisation.GRAND_TRI_SIBLINGS
    with pytest.warns(HeadwiseWarning, match="pruned"):
        index = index_within(limit, everything, wanted, OverLimit.PRUNE, marginals)
    assert index.factorisation is wanted
    assert chart_memory(index, 30) + score_memory(index) <= limit
    # Pruning begins with the least likely arcs, and goes no further than it must.
    marginals_of_all = np.maximum(marginals, 1e-30)
    kept = [np.ones((31, 31), bool), *(unpruned_arcs(marginals_of_all, 10.0**p) for p in (-5, -4))]
    sizes = [all_memory(PartCounts.of(PartIndex.over(one, wanted)), "best", 1) for one in kept]
    assert sizes[0] > sizes[1] > sizes[2]
    for size, named in ((sizes[1], "1e-05"), (sizes[2], "1e-04")):
        with pytest.warns(HeadwiseWarning, match=f"below {named} of the most probable"):
            softly = index_within(size, everything, wanted, OverLimit.PRUNE, marginals_of_all)
        assert PartCounts.of(softly).score_memory <= size
    # However hard the pruning, one tree is left.
    with pytest.warns(HeadwiseWarning, match=r"1e\+00 of the most probable"):
        hardest = index_within(50_000, everything, wanted, OverLimit.PRUNE, marginals)
    assert ProjectiveDecoder().best(scores_over(hardest)).score == 0
    with pytest.raises(UsageError, match="requires the marginals"):
        index_within(limit, everything, wanted, OverLimit.PRUNE)

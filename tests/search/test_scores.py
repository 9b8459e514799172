import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.errors import UsageError
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores, add_cost, prune, scale, unpruned_arcs
from oracle import Oracle, score, trees
from strategies import Problem, make_problem, problems


@settings(deadline=None)
@given(problems(most_words=4), st.booleans())
def test_the_score_of_a_tree(problem: Problem, crossing: bool) -> None:
    scores = problem.scores(crossing=crossing)
    for heads in trees(problem.n, projective=not crossing, single_root=False):
        assert scores.of_tree(heads) == pytest.approx(score(heads, problem.tables), abs=1e-9)


@settings(deadline=None)
@given(st.data(), problems(most_words=4, forbidden=(0.0, 0.2)), st.sampled_from([1.0, 0.5]))
def test_cost_augmented_search(data: st.DataObject, problem: Problem, cost: float) -> None:
    shapes = trees(problem.n, projective=True, single_root=True)
    gold = data.draw(st.sampled_from(shapes))
    truth = Oracle(problem.tables)
    if not truth.ranked:
        return

    def loss(heads: tuple[int, ...]) -> float:
        return cost * sum(a != b for a, b in zip(heads, gold, strict=True))

    expected = max(total + loss(heads) for total, heads in truth.ranked)
    found = ProjectiveDecoder().best(add_cost(problem.scores(), gold, cost))
    assert found.score == pytest.approx(expected, abs=1e-9)


@settings(max_examples=80, deadline=None)
@given(problems(forbidden=(0.0,)), st.integers(0, 2**32 - 1), st.booleans())
def test_pruned_search(problem: Problem, seed: int, single_root: bool) -> None:
    """Compressed rows over unpruned arcs answer as enumeration over unpruned arcs does."""
    decoder = ProjectiveDecoder(single_root=single_root)
    size = problem.n + 1
    unpruned = np.random.default_rng(seed).random((size, size)) < 0.6
    tables = {**problem.tables, Part.ARC: np.where(unpruned, problem.tables[Part.ARC], -np.inf)}
    truth = Oracle(tables, single_root=single_root)
    if not truth.ranked:
        return
    pruned = prune(problem.scores(), unpruned)
    assert decoder.best(pruned).score == pytest.approx(truth.ranked[0][0], abs=1e-9)
    found = decoder.marginals(pruned)
    assert found.log_partition == pytest.approx(truth.log_partition, abs=1e-9)
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-9)
    np.testing.assert_allclose(
        [one.score for one in decoder.kbest(pruned, 1000)], truth.scores, atol=1e-9
    )
    if pruned.index is not None:
        for part in pruned.higher:
            expected = truth.marginals(part)[tuple(pruned.index.tokens(part).T)]
            np.testing.assert_allclose(found.higher[part], expected, atol=1e-9)


def test_pruning_nothing_changes_nothing() -> None:
    scores = make_problem(6, Factorisation.GRAND_TRI_SIBLINGS, seed=1).scores()
    same = prune(scores, np.ones((7, 7), bool))
    assert all((scores.higher[part] == same.higher[part]).all() for part in scores.higher)


def test_scaling_is_a_temperature() -> None:
    problem = make_problem(4, Factorisation.GRAND_SIBLINGS, seed=2, forbidden=0.1)
    scaled = scale(problem.scores(), 0.5)
    truth = Oracle({part: 0.5 * table for part, table in problem.tables.items()})
    found = ProjectiveDecoder().marginals(scaled)
    assert found.log_partition == pytest.approx(truth.log_partition)
    for factor in (0.0, -1.0, np.inf):
        with pytest.raises(UsageError, match="positive"):
            scale(scaled, factor)


def test_living_arcs_keep_the_likeliest_head() -> None:
    marginals = np.array([[0, 0.9, 0.0], [0, 0, 1.0], [0, 0.1, 0]])
    assert unpruned_arcs(marginals, 0.2).tolist() == [
        [False, True, False],
        [False, False, True],
        [False, False, False],
    ]
    assert unpruned_arcs(marginals, 0.1)[2, 1]


def test_living_arcs_of_small_ratios() -> None:
    marginals = np.zeros((5, 5))
    marginals[:, 1] = (0.9, 0.0, 1e-3, 1e-5, 1e-7)
    for ratio, heads in ((1e-2, [0]), (1e-4, [0, 2]), (1e-6, [0, 2, 3]), (1e-9, [0, 2, 3, 4])):
        assert np.flatnonzero(unpruned_arcs(marginals, ratio)[:, 1]).tolist() == heads


def test_the_diagonal_and_arcs_to_the_root_are_dead() -> None:
    given_scores = np.zeros((4, 4))
    scores = Scores(given_scores)
    assert np.isneginf(scores.arc.diagonal()).all()
    assert np.isneginf(scores.arc[:, 0]).all()
    assert (given_scores == 0).all()


def test_arrays_of_any_kind_become_plain_ones() -> None:
    index = PartIndex.dense(3, Factorisation.SIBLINGS)
    values = np.arange(2 * index.count(Part.SIBLING), dtype=np.float32)[::2]
    values.setflags(write=False)
    scores = Scores(np.zeros((4, 4), np.int64), index, {Part.SIBLING: values})
    for array in (scores.arc, scores.higher[Part.SIBLING]):
        assert array.dtype == np.float64
        assert array.flags.carray
    assert (scores.higher[Part.SIBLING] == values).all()


def test_wrong_scores_are_told() -> None:
    index = PartIndex.dense(3, Factorisation.SIBLINGS)
    count = index.count(Part.SIBLING)
    with pytest.raises(UsageError, match="square"):
        Scores(np.zeros((3, 4)))
    with pytest.raises(UsageError, match="NaN"):
        Scores(np.full((3, 3), np.nan))
    with pytest.raises(UsageError, match=r"\+inf"):
        Scores(np.full((3, 3), np.inf))
    with pytest.raises(UsageError, match="require an index"):
        Scores(np.zeros((4, 4)), None, {Part.SIBLING: np.zeros(count)})
    with pytest.raises(UsageError, match="shape"):
        Scores(np.zeros((4, 4)), index, {Part.SIBLING: np.zeros(count + 1)})
    with pytest.raises(UsageError, match="sibling scores contain"):
        Scores(np.zeros((4, 4)), index, {Part.SIBLING: np.full(count, np.nan)})
    with pytest.raises(UsageError, match="the index is over 3 words, the scores are over 4"):
        Scores(np.zeros((5, 5)), index, {Part.SIBLING: np.zeros(count)})
    with pytest.raises(UsageError, match="matrix"):
        Scores(np.zeros((4, 4)), index, {Part.ARC: np.zeros(9)})
    with pytest.raises(UsageError, match="no grandchild parts"):
        Scores(np.zeros((4, 4)), index, {Part.GRANDCHILD: np.zeros(9)})
    with pytest.raises(UsageError, match="of 0 to 3"):
        Scores(np.zeros((4, 4))).of_tree([-1, 0, 1, 4])
    with pytest.raises(UsageError, match="of 0 to 3"):
        Scores(np.zeros((4, 4))).of_tree([-1, 0, 1, 1, 1])


def test_scores_whose_sums_would_be_infinite_are_refused() -> None:
    # Among sums that are all infinite, a list of the k best trees would never end.
    with pytest.raises(UsageError, match="1e\\+300"):
        Scores(np.full((5, 5), 1e308))
    assert np.isfinite(ProjectiveDecoder().kbest(Scores(np.full((5, 5), 1e300)), 3)[2].score)


@pytest.mark.parametrize("heads", [[-1, 2.7, 0], [None, 2, 0], [-1, "2", "0"], [-1, np.nan, 0]])
def test_heads_that_are_no_integers_are_refused(heads: list[object]) -> None:
    scores = Scores(np.zeros((3, 3)))
    assert scores.of_tree([-1.0, 2.0, 0.0]) == 0.0  # as a table of floats may give them
    with pytest.raises(UsageError, match="heads must be integers"):
        scores.of_tree(heads)

"""Constraints against enumeration: the trees left are exactly those that fulfil them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctables import fit_of_samples
from headwise.errors import ConstraintError, UsageError
from headwise.search.constraints import Constraints, constrain
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores, add_cost, prune, scale
from oracle import Oracle, Tree, trees
from strategies import Problem, make_problem, problems


def fulfils(heads: Tree, constraints: Constraints) -> bool:
    arcs = {(heads[m], m) for m in range(1, len(heads))}
    wanted = set(constraints.required) | {(h, m) for m, h in constraints.heads.items()}
    return (
        wanted <= arcs
        and not arcs & set(constraints.forbidden)
        and constraints.root in (None, *[m for h, m in arcs if h == 0])
        and (constraints.root is None or heads.count(0) == 1)
        and all(is_subtree(arcs, i, j) for i, j in constraints.brackets)
    )


def is_subtree(arcs: set[tuple[int, int]], i: int, j: int) -> bool:
    entering = [m for h, m in arcs if i <= m <= j and not i <= h <= j]
    leaving = [m for h, m in arcs if i <= h <= j and not i <= m <= j]
    return len(entering) == 1 and not leaving


@st.composite
def constraint_sets(draw: st.DrawFn, n: int) -> Constraints:
    word = st.integers(1, n)
    arc = st.tuples(st.integers(0, n), word).filter(lambda pair: pair[0] != pair[1])
    bracket = st.tuples(word, word).map(lambda pair: (min(pair), max(pair)))
    return Constraints(
        required=tuple(draw(st.lists(arc, max_size=1))),
        forbidden=tuple(draw(st.lists(arc, max_size=4))),
        root=draw(st.none() | word),
        heads={m: h for h, m in draw(st.lists(arc, max_size=1))},
        brackets=tuple(draw(st.lists(bracket, max_size=2))),
    )


@settings(max_examples=300, deadline=None)
@given(st.data(), problems(forbidden=(0.0, 0.0, 0.2)), st.booleans())
def test_projective_trees_under_constraints(
    data: st.DataObject, problem: Problem, single_root: bool
) -> None:
    constraints = data.draw(constraint_sets(problem.n))
    shapes = trees(problem.n, projective=True, single_root=single_root)
    allowed = [heads for heads in shapes if fulfils(heads, constraints)]
    arcs = {Part.ARC: problem.tables[Part.ARC]}
    decoder = ProjectiveDecoder(single_root=single_root)
    if not Oracle(arcs, allowed=allowed).ranked:
        with pytest.raises(ConstraintError):
            constrain(problem.scores(), constraints, single_root=single_root)
        return
    scores = decoder.constrain(problem.scores(), constraints)
    assert scores.factorisation is problem.factorisation
    truth = Oracle(problem.tables, allowed=allowed)
    possible = {heads: total for total, heads in truth.ranked}
    for heads in shapes:
        expected = possible.get(heads, -np.inf)
        assert scores.of_tree(heads) == pytest.approx(expected, abs=1e-9)
    if not truth.ranked:
        with pytest.raises(ConstraintError):
            decoder.best(scores)
        return
    assert decoder.best(scores).score == pytest.approx(truth.ranked[0][0], abs=1e-9)
    found = decoder.marginals(scores)
    assert found.log_partition == pytest.approx(truth.log_partition, abs=1e-9)
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-9)
    assert set(found.higher) == set(problem.tables) - {Part.ARC}
    for part, probabilities in found.higher.items():
        assert scores.index is not None
        expected = truth.marginals(part)[tuple(scores.index.tokens(part).T)]
        np.testing.assert_allclose(probabilities, expected, atol=1e-9, err_msg=part.label)
    assert len(decoder.kbest(scores, 1000)) == len(truth.ranked)
    drawn = decoder.sample(scores, 5, np.random.default_rng(0))
    assert {tuple(heads) for heads in drawn} <= set(possible)


@settings(max_examples=150, deadline=None)
@given(st.data(), st.integers(1, 5), st.booleans(), st.integers(0, 2**32 - 1))
def test_non_projective_trees_under_constraints(
    data: st.DataObject, n: int, single_root: bool, seed: int
) -> None:
    constraints = data.draw(constraint_sets(n))
    arc = np.random.default_rng(seed).normal(size=(n + 1, n + 1))
    shapes = trees(n, projective=False, single_root=single_root)
    allowed = [heads for heads in shapes if fulfils(heads, constraints)]
    decoder = NonProjectiveDecoder(single_root=single_root)
    if not allowed:
        with pytest.raises(ConstraintError, match="no tree.* satisfies all of these, remove one: "):
            decoder.constrain(Scores(arc), constraints)
        return
    scores = decoder.constrain(Scores(arc), constraints)
    for heads in shapes:
        assert (scores.of_tree(heads) > -np.inf) == (heads in allowed)
    truth = Oracle({Part.ARC: arc}, allowed=allowed)
    assert decoder.best(scores).score == pytest.approx(truth.ranked[0][0], abs=1e-9)
    found = decoder.marginals(scores)
    assert found.log_partition == pytest.approx(truth.log_partition, abs=1e-9)
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-9)
    drawn = decoder.sample(scores, 5, np.random.default_rng(0))
    assert {tuple(heads) for heads in drawn} <= set(allowed)


@pytest.mark.parametrize("factorisation", Factorisation)
def test_samples_under_constraints_follow_the_distribution(factorisation: Factorisation) -> None:
    problem = make_problem(5, factorisation, seed=21)
    constraints = Constraints(forbidden=((0, 2), (3, 4)), heads={5: 1}, brackets=((2, 4),))
    shapes = trees(5, projective=True, single_root=False)
    truth = Oracle(
        problem.tables, allowed=[heads for heads in shapes if fulfils(heads, constraints)]
    )
    decoder = ProjectiveDecoder(single_root=False)
    scores = decoder.constrain(problem.scores(), constraints)
    drawn = decoder.sample(scores, 5000, np.random.default_rng(1))
    assert len(truth.ranked) > 5
    assert fit_of_samples(drawn, truth) > 1e-3


FIRST = Constraints(forbidden=((5, 1),), brackets=((2, 4),))
SECOND = Constraints(heads={5: 1}, brackets=((3, 4),))


@pytest.mark.parametrize("factorisation", Factorisation)
def test_changes_of_scores_keep_constraints(factorisation: Factorisation) -> None:
    """Whatever is done to scores later, constraints stay; and a second set adds to the first."""
    decoder = ProjectiveDecoder()
    scores = decoder.constrain(make_problem(5, factorisation, seed=22).scores(), FIRST)
    both = decoder.constrain(scores, SECOND)
    shapes = trees(5, projective=True, single_root=True)
    first = {heads for heads in shapes if fulfils(heads, FIRST)}
    second = {heads for heads in first if fulfils(heads, SECOND)}
    unpruned = np.ones((6, 6), bool)
    unpruned[5, 2] = False
    pruned = {heads for heads in first if heads[2] != 5}
    assert len({len(first), len(second), len(pruned), len(shapes)}) == 4
    for changed, expected in (
        (scores, first),
        (both, second),
        (decoder.constrain(both, Constraints()), second),
        (prune(scores, unpruned), pruned),
        (scale(scores, 0.5), first),
        (add_cost(scores, (-1, 2, 0, 2, 3, 4)), first),
    ):
        found = {tuple(one.heads) for one in decoder.kbest(changed, 1000)}
        assert found == expected
        assert {heads for heads in shapes if changed.of_tree(heads) > -np.inf} == expected


def test_changes_of_arcs_alone_keep_constraints() -> None:
    """Scores without an index, and trees of any shape."""
    decoder, size = NonProjectiveDecoder(), 6
    scores = decoder.constrain(Scores(np.zeros((size, size))), FIRST)
    shapes = trees(5, projective=False, single_root=True)
    first = {heads for heads in shapes if fulfils(heads, FIRST)}
    unpruned = np.ones((size, size), bool)
    unpruned[5, 2] = False
    for changed, expected in (
        (prune(scores, unpruned), {heads for heads in first if heads[2] != 5}),
        (scale(scores, 0.5), first),
        (add_cost(scores, (-1, 2, 0, 2, 3, 4)), first),
        (decoder.constrain(scores, SECOND), {h for h in first if fulfils(h, SECOND)}),
    ):
        assert {tuple(one.heads) for one in decoder.kbest(changed, 2000)} == expected


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(required=((1, 9),)),
        Constraints(forbidden=((0, 0),)),
        Constraints(root=0),
        Constraints(root=4),
        Constraints(heads={1: 4}),
        Constraints(heads={4: 1}),
        Constraints(brackets=((1, 4),)),
        Constraints(brackets=((3, 2),)),
    ],
)
def test_constraints_must_make_sense(constraints: Constraints) -> None:
    with pytest.raises(UsageError, match="words 1 to 3"):
        constrain(Scores(np.zeros((4, 4))), constraints)


def test_an_arc_that_the_index_has_not_cannot_be_required() -> None:
    unpruned = np.ones((5, 5), bool)
    unpruned[2, 3] = False
    index = PartIndex.over(unpruned, Factorisation.SIBLINGS)
    scores = Scores(np.zeros((5, 5)), index, {Part.SIBLING: np.zeros(index.count(Part.SIBLING))})
    for projective in (True, False):
        with pytest.raises(
            ConstraintError,
            match="unpruned arcs satisfies all of these, remove one: arc 2 → 3 is required",
        ):
            constrain(scores, Constraints(required=((2, 3),)), projective=projective)


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(heads={1: 2.5}),
        Constraints(heads={1: "2"}),
        Constraints(required=(2, 1)),
        Constraints(forbidden=((1, 2, 3),)),
        Constraints(root="1"),
    ],
)
def test_what_is_no_arc_is_refused(constraints: Constraints) -> None:
    with pytest.raises(UsageError, match="pair of integers"):
        constrain(Scores(np.zeros((4, 4))), constraints)


def test_numbers_of_numpy_are_taken() -> None:
    numbers = Constraints(required=np.array([[2, 1]]), root=np.int64(2))
    plain = Constraints(required=((2, 1),), root=2)
    scores = Scores(np.zeros((4, 4)))
    assert (constrain(scores, numbers).arc == constrain(scores, plain).arc).all()

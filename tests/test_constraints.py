"""Constraints against enumeration: the trees left are exactly those that fulfil them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.constraints import Constraints, constrain
from headwise.decoders.projective import ProjectiveDecoder
from headwise.errors import ConstraintError, UsageError
from headwise.parts import Factorisation, Part
from headwise.scores import Scores
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
    scores = constrain(problem.scores(), constraints, single_root=single_root)
    truth = Oracle(problem.tables, allowed=allowed)
    if not truth.ranked:
        with pytest.raises(ConstraintError):
            decoder.best(scores)
        return
    assert decoder.best(scores).score == pytest.approx(truth.ranked[0][0], abs=1e-9)
    found = decoder.marginals(scores)
    assert found.log_partition == pytest.approx(truth.log_partition, abs=1e-9)
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-9)
    assert len(decoder.kbest(scores, 1000)) == len(truth.ranked)


@settings(max_examples=100, deadline=None)
@given(st.data(), st.integers(1, 4), st.booleans())
def test_non_projective_feasibility(data: st.DataObject, n: int, single_root: bool) -> None:
    drawn = data.draw(constraint_sets(n))
    constraints = Constraints(drawn.required, drawn.forbidden, drawn.root, drawn.heads)
    shapes = trees(n, projective=False, single_root=single_root)
    scores = Scores(np.zeros((n + 1, n + 1)))

    def ask() -> Scores:
        return constrain(scores, constraints, single_root=single_root, projective=False)

    if any(fulfils(heads, constraints) for heads in shapes):
        left = ask().arc
        for heads in shapes:
            possible = all(left[heads[m], m] > -np.inf for m in range(1, n + 1))
            assert possible == fulfils(heads, constraints)
    else:
        with pytest.raises(ConstraintError):
            ask()


def test_the_conflict_is_named_and_nothing_else() -> None:
    scores = Scores(np.zeros((6, 6)))
    constraints = Constraints(
        required=((1, 3), (2, 4)), forbidden=((5, 1),), heads={5: 4}, brackets=((4, 5),)
    )
    with pytest.raises(ConstraintError) as caught:
        constrain(scores, constraints)
    message = str(caught.value)
    assert "arc 1 → 3 is required; arc 2 → 4 is required" in message
    assert "forbidden" not in message
    assert "bracket" not in message
    assert "head of word 5" not in message


def test_a_pruned_arc_cannot_be_required() -> None:
    problem = make_problem(4, Factorisation.SIBLINGS, seed=0)
    problem.tables[Part.ARC][2, 3] = -np.inf
    with pytest.raises(ConstraintError, match="living arcs fulfils: arc 2 → 3 is required"):
        constrain(problem.scores(), Constraints(required=((2, 3),)))


def test_no_tree_even_without_constraints() -> None:
    with pytest.raises(ConstraintError, match="even without constraints"):
        constrain(Scores(np.full((3, 3), -np.inf)), Constraints())


@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(required=((1, 9),)),
        Constraints(forbidden=((0, 0),)),
        Constraints(root=0),
        Constraints(brackets=((3, 2),)),
    ],
)
def test_constraints_must_make_sense(constraints: Constraints) -> None:
    with pytest.raises(UsageError, match="words 1 to 3"):
        constrain(Scores(np.zeros((4, 4))), constraints)


def test_brackets_are_for_projective_search() -> None:
    with pytest.raises(UsageError, match="only projective search"):
        constrain(Scores(np.zeros((4, 4))), Constraints(brackets=((1, 2),)), projective=False)

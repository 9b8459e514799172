"""What makes constraints impossible is named."""

import numpy as np
import pytest

from headwise.errors import ConstraintError
from headwise.search.constraints import Constraints, constrain
from headwise.search.decoders.climb import ClimbDecoder
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from strategies import make_problem


def test_a_second_set_in_conflict_with_the_first_names_both() -> None:
    scores = constrain(Scores(np.zeros((6, 6))), Constraints(brackets=((2, 4), (1, 1))))
    for projective in (True, False):
        with pytest.raises(ConstraintError) as caught:
            constrain(
                scores,
                Constraints(required=((0, 1),), heads={5: 3}),
                single_root=False,
                projective=projective,
            )
        names = "words 2 to 4 form one subtree; the head of word 5 is 3"
        assert str(caught.value).endswith(f"satisfies all of these, remove one: {names}")


def test_a_single_root_is_named_where_it_is_part_of_the_conflict() -> None:
    scores, two_roots = Scores(np.zeros((4, 4))), Constraints(required=((0, 1), (0, 3)))
    names = "arc 0 → 1 is required; arc 0 → 3 is required"
    for decoder in (ProjectiveDecoder(), NonProjectiveDecoder(), ClimbDecoder()):
        with pytest.raises(
            ConstraintError,
            match=f"with a single root satisfies all of these, remove one: {names}$",
        ):
            decoder.constrain(scores, two_roots)
    assert ProjectiveDecoder(single_root=False).constrain(scores, two_roots).arc[0, 1] == 0.0
    with pytest.raises(ConstraintError) as caught:
        constrain(scores, Constraints(required=((1, 2), (2, 1))))
    assert "single root" not in str(caught.value)


@pytest.mark.parametrize("projective", [True, False])
def test_brackets_in_conflict_are_named(projective: bool) -> None:
    scores = Scores(np.zeros((6, 6)))
    constraints = Constraints(brackets=((1, 2), (2, 3), (5, 5)), forbidden=((4, 5),))
    names = "words 1 to 2 form one subtree; words 2 to 3 form one subtree"
    with pytest.raises(ConstraintError, match=f"satisfies all of these, remove one: {names}$"):
        constrain(scores, constraints, projective=projective)


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
    assert "subtree" not in message
    assert "head of word 5" not in message


def test_a_pruned_arc_cannot_be_required() -> None:
    problem = make_problem(4, Factorisation.SIBLINGS, seed=0)
    problem.tables[Part.ARC][2, 3] = -np.inf
    with pytest.raises(
        ConstraintError,
        match="unpruned arcs satisfies all of these, remove one: arc 2 → 3 is required",
    ):
        constrain(problem.scores(), Constraints(required=((2, 3),)))


def test_no_tree_even_without_constraints() -> None:
    with pytest.raises(ConstraintError, match="even without constraints"):
        constrain(Scores(np.full((3, 3), -np.inf)), Constraints())

"""Projective search of every order against enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.errors import ConstraintError, UsageError
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from oracle import Oracle, score, trees
from strategies import Problem, make_problem, problems

HIGHER = tuple(f for f in Factorisation if f is not Factorisation.ARCS)
roots = st.booleans()


def check_impossible(decoder: ProjectiveDecoder, scores: Scores) -> None:
    rng = np.random.default_rng(0)
    for ask in (
        lambda: decoder.best(scores),
        lambda: decoder.kbest(scores, 3),
        lambda: decoder.marginals(scores),
        lambda: decoder.sample(scores, 1, rng),
    ):
        with pytest.raises(ConstraintError):
            ask()


@settings(max_examples=150, deadline=None)
@given(problems(), roots)
def test_best_tree(problem: Problem, single_root: bool) -> None:
    truth = Oracle(problem.tables, single_root=single_root)
    decoder = ProjectiveDecoder(single_root=single_root)
    scores = problem.scores()
    if not truth.ranked:
        check_impossible(decoder, scores)
        return
    found = decoder.best(scores)
    assert found.score == pytest.approx(truth.ranked[0][0], abs=1e-9)
    assert tuple(found.heads) in trees(problem.n, projective=True, single_root=single_root)
    assert score(tuple(found.heads), problem.tables) == pytest.approx(found.score, abs=1e-9)
    assert scores.of_tree(found.heads) == pytest.approx(found.score, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(problems(factorisations=HIGHER, forbidden=(0.0, 0.2)), st.integers(0, 2**32 - 1), roots)
def test_crossing_parts_change_nothing(problem: Problem, seed: int, single_root: bool) -> None:
    decoder = ProjectiveDecoder(single_root=single_root)
    plain, crossing = problem.scores(), problem.scores(crossing=True)
    if not Oracle(problem.tables, single_root=single_root).ranked:
        return
    assert decoder.best(plain).score == decoder.best(crossing).score
    one, other = decoder.marginals(plain), decoder.marginals(crossing)
    np.testing.assert_allclose(one.arc, other.arc, atol=1e-12)
    totals = [[s.score for s in decoder.kbest(scores, 9)] for scores in (plain, crossing)]
    assert totals[0] == totals[1]


@pytest.mark.parametrize("factorisation", [Factorisation.ARCS, Factorisation.GRAND_TRI_SIBLINGS])
def test_scores_of_any_size(factorisation: Factorisation) -> None:
    """Beyond the range of exp, where the scaled linear semiring must give way."""
    problem = make_problem(5, factorisation, seed=9)
    tables = {part: 1e4 * table for part, table in problem.tables.items()}
    scores = Problem(tables, factorisation).scores()
    truth = Oracle(tables)
    found = ProjectiveDecoder().marginals(scores)
    assert found.log_partition == pytest.approx(truth.log_partition, rel=1e-12)
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-6)
    assert found.entropy == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("k", [0, -1, 2**20, 5.0, None])
def test_k_has_a_range(k: object) -> None:
    with pytest.raises(UsageError, match="k must be an integer from 1 to"):
        ProjectiveDecoder().kbest(Scores(np.zeros((3, 3))), k)

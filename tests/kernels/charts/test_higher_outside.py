"""Marginals of higher orders are the gradient."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from oracle import Oracle
from strategies import Problem, make_problem, problems

roots = st.booleans()


@settings(max_examples=150, deadline=None)
@given(problems(), roots)
def test_marginals(problem: Problem, single_root: bool) -> None:
    truth = Oracle(problem.tables, single_root=single_root)
    if not truth.ranked:
        return
    scores = problem.scores()
    found = ProjectiveDecoder(single_root=single_root).marginals(scores)
    assert found.log_partition == pytest.approx(truth.log_partition, abs=1e-9)
    assert found.entropy == pytest.approx(truth.entropy, abs=1e-8)
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-9)
    assert set(found.higher) == set(problem.tables) - {Part.ARC}
    for part, probabilities in found.higher.items():
        assert scores.index is not None
        expected = truth.marginals(part)[tuple(scores.index.tokens(part).T)]
        np.testing.assert_allclose(probabilities, expected, atol=1e-9, err_msg=part.label)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", Factorisation)
def test_marginals_are_the_gradient(factorisation: Factorisation, single_root: bool) -> None:
    problem = make_problem(7, factorisation, seed=1)
    decoder = ProjectiveDecoder(single_root=single_root)
    scores = problem.scores()
    found = decoder.marginals(scores)
    rng = np.random.default_rng(2)
    step = 1e-4

    def log_partition(part: Part, place: tuple[int, ...], change: float) -> float:
        if part is Part.ARC:
            arc = scores.arc.copy()
            arc[place] += change
            return decoder.marginals(Scores(arc, scores.index, scores.higher)).log_partition
        values = scores.higher[part].copy()
        values[place] += change
        higher = {**scores.higher, part: values}
        return decoder.marginals(Scores(scores.arc, scores.index, higher)).log_partition

    for part in factorisation.parts:
        table = found.arc if part is Part.ARC else found.higher[part]
        likely = np.argwhere(table > 1e-3)
        for place in map(tuple, rng.permutation(likely)[:6]):
            difference = log_partition(part, place, step) - log_partition(part, place, -step)
            assert difference / (2 * step) == pytest.approx(table[place], abs=1e-6)


@pytest.mark.parametrize("factorisation", [Factorisation.ARCS, Factorisation.SIBLINGS])
def test_entropy_is_never_negative(factorisation: Factorisation) -> None:
    """One tree has nearly all probability: the difference of large numbers is all rounding."""
    for seed in range(30):
        tables = make_problem(5, factorisation, seed=seed).tables
        scores = Problem({part: 300.0 * t for part, t in tables.items()}, factorisation).scores()
        assert ProjectiveDecoder().marginals(scores).entropy >= 0.0

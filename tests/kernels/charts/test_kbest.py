"""The k best trees of a chart, in order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation
from oracle import Oracle
from strategies import Problem, make_problem, problems

roots = st.booleans()


@settings(max_examples=150, deadline=None)
@given(problems(), roots, st.integers(1, 300))
def test_k_best_trees(problem: Problem, single_root: bool, k: int) -> None:
    truth = Oracle(problem.tables, single_root=single_root)
    if not truth.ranked:
        return
    found = ProjectiveDecoder(single_root=single_root).kbest(problem.scores(), k)
    assert len(found) == min(k, len(truth.ranked))
    assert len({tuple(one.heads) for one in found}) == len(found)
    totals = [one.score for one in found]
    assert totals == sorted(totals, reverse=True)
    np.testing.assert_allclose(totals, truth.scores[:k], atol=1e-9)
    allowed = {heads: total for total, heads in truth.ranked}
    for one in found:
        assert allowed[tuple(one.heads)] == pytest.approx(one.score, abs=1e-9)


@pytest.mark.parametrize(
    "factorisation", [Factorisation.ARCS, Factorisation.SIBLINGS, Factorisation.GRAND_SIBLINGS]
)
def test_trees_come_in_order_where_rounding_could_change_it(factorisation: Factorisation) -> None:
    """Tenths are no exact floats: equal sums differ by the order in which they are added."""
    for seed in range(31):
        rng = np.random.default_rng(seed)
        tables = make_problem(6, factorisation, seed=seed).tables
        tenths = {part: rng.integers(-3, 4, table.shape) / 10 for part, table in tables.items()}
        found = ProjectiveDecoder().kbest(Problem(tenths, factorisation).scores(), 300)
        totals = [one.score for one in found]
        assert totals == sorted(totals, reverse=True)

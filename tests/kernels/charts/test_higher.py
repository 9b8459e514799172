"""Charts of higher orders: every tree has one derivation, and orders agree."""

import numpy as np
import pytest

from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from oracle import Oracle, trees
from strategies import Problem, make_problem

HIGHER = tuple(f for f in Factorisation if f is not Factorisation.ARCS)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", HIGHER)
def test_every_tree_has_one_derivation(factorisation: Factorisation, single_root: bool) -> None:
    decoder = ProjectiveDecoder(single_root=single_root)
    for n in (1, 2, 5, 6):
        problem = make_problem(n, factorisation, seed=0)
        tables = {part: np.zeros_like(table) for part, table in problem.tables.items()}
        scores = Problem(tables, factorisation).scores()
        number = len(trees(n, projective=True, single_root=single_root))
        assert np.exp(decoder.marginals(scores).log_partition) == pytest.approx(number)
        assert decoder.marginals(scores).entropy == pytest.approx(np.log(number), abs=1e-9)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", HIGHER)
def test_orders_agree_on_arcs(factorisation: Factorisation, single_root: bool) -> None:
    decoder = ProjectiveDecoder(single_root=single_root)
    problem = make_problem(9, factorisation, seed=8)
    tables = {
        part: table if part is Part.ARC else np.zeros_like(table)
        for part, table in problem.tables.items()
    }
    higher = Problem(tables, factorisation).scores()
    arcs = Scores(tables[Part.ARC])
    assert (decoder.best(higher).heads == decoder.best(arcs).heads).all()
    pairs = zip(decoder.kbest(higher, 40), decoder.kbest(arcs, 40), strict=True)
    assert all((one.heads == other.heads).all() for one, other in pairs)
    found, expected = decoder.marginals(higher), decoder.marginals(arcs)
    np.testing.assert_allclose(found.arc, expected.arc, atol=1e-10)
    assert found.entropy == pytest.approx(expected.entropy)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", Factorisation)
def test_all_trees_of_six_words(factorisation: Factorisation, single_root: bool) -> None:
    problem = make_problem(6, factorisation, seed=11)
    truth = Oracle(problem.tables, single_root=single_root)
    decoder = ProjectiveDecoder(single_root=single_root)
    ranked = decoder.kbest(problem.scores(), 2000)
    assert [tuple(one.heads) for one in ranked] == [heads for _, heads in truth.ranked]
    assert tuple(decoder.best(problem.scores()).heads) == truth.ranked[0][1]
    found = decoder.marginals(problem.scores())
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-10)
    assert found.entropy == pytest.approx(truth.entropy, abs=1e-9)

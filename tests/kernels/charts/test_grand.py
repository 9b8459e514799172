"""The charts in columns against those in rows, which are compared with enumeration elsewhere."""

import numpy as np
import pytest

from headwise.kernels.charts import higher_answers
from headwise.search.constraints import Constraints
from headwise.search.decoders.projective import ProjectiveDecoder, is_dense_grand
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores

GRAND = (Factorisation.GRAND_SIBLINGS, Factorisation.GRAND_TRI_SIBLINGS)
LENGTHS = (1, 2, 3, 7, 8, 9, 10, 16, 17, 18, 25)
"""Around one, two and three vectors."""


def random_scores(n: int, factorisation: Factorisation, *, whole: bool = False) -> Scores:
    rng = np.random.default_rng(n)
    index = PartIndex.dense(n, factorisation)

    def draw(shape: int | tuple[int, int]) -> np.ndarray:
        return rng.integers(-2, 3, shape).astype(float) if whole else rng.normal(size=shape)

    parts = [part for part in factorisation.parts if part is not Part.ARC]
    return Scores(draw((n + 1, n + 1)), index, {part: draw(index.count(part)) for part in parts})


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", GRAND)
def test_best_trees_are_those_over_rows(factorisation: Factorisation, single_root: bool) -> None:
    decoder = ProjectiveDecoder(single_root=single_root)
    for n in LENGTHS:
        scores = random_scores(n, factorisation)
        assert is_dense_grand(scores)
        found = decoder.best(scores)
        heads, total = higher_answers.best(*decoder.problem(scores))
        assert found.heads.tolist() == heads.tolist()
        assert found.score == pytest.approx(total, abs=1e-9)
        assert scores.of_tree(found.heads) == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", GRAND)
def test_k_best_trees_are_those_over_rows(factorisation: Factorisation, single_root: bool) -> None:
    decoder = ProjectiveDecoder(single_root=single_root)
    for n in (1, 2, 9, 17):
        scores = random_scores(n, factorisation)
        trees, totals = higher_answers.kbest(*decoder.problem(scores), 40)
        found = decoder.kbest(scores, 40)
        assert [one.heads.tolist() for one in found] == trees.tolist()
        np.testing.assert_allclose([one.score for one in found], totals, atol=1e-9)


@pytest.mark.parametrize("factorisation", GRAND)
def test_equal_scores_and_parts_that_cannot_be(factorisation: Factorisation) -> None:
    decoder, rng = ProjectiveDecoder(), np.random.default_rng(0)
    for n in (11, 18):
        scores = random_scores(n, factorisation, whole=True)
        for values in scores.higher.values():
            values[rng.random(len(values)) < 0.05] = -np.inf
        found = decoder.best(scores)
        assert found.score == higher_answers.best(*decoder.problem(scores))[1]
        assert scores.of_tree(found.heads) == found.score


@pytest.mark.parametrize("factorisation", GRAND)
def test_constraints(factorisation: Factorisation) -> None:
    decoder = ProjectiveDecoder()
    wanted = Constraints(required=((2, 1),), forbidden=((0, 3),), brackets=((3, 6), (8, 9)))
    scores = decoder.constrain(random_scores(12, factorisation), wanted)
    assert is_dense_grand(scores)
    found = decoder.best(scores)
    assert found.score == pytest.approx(higher_answers.best(*decoder.problem(scores))[1])
    assert scores.of_tree(found.heads) == pytest.approx(found.score)
    assert found.heads[1] == 2


@pytest.mark.parametrize("factorisation", GRAND)
def test_only_where_all_is_alive_and_scored(factorisation: Factorisation) -> None:
    scores = random_scores(5, factorisation)
    fewer = {part: values for part, values in scores.higher.items() if part is not Part.STOP}
    assert not is_dense_grand(Scores(scores.arc, scores.index, fewer))
    assert not is_dense_grand(Scores(scores.arc))
    unpruned = np.ones((6, 6), bool)
    unpruned[2, 3] = False
    for index in (
        PartIndex.over(unpruned, factorisation),
        PartIndex.dense(5, factorisation, crossing=True),
    ):
        higher = {part: np.zeros(index.count(part)) for part in scores.higher}
        arc = np.where(index.unpruned, scores.arc, -np.inf)
        assert not is_dense_grand(Scores(arc, index, higher))

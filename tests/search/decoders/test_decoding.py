import numpy as np
import pytest

from headwise.errors import UsageError
from headwise.search.constraints import Constraints
from headwise.search.decoders.decoding import Decoding
from headwise.search.decoders.mbr import exact_mbr, mbr_predict
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from oracle import Oracle
from strategies import make_problem


def test_maximum_probability_is_the_best_tree():
    scores = make_problem(5, Factorisation.ARCS, 1).scores()
    decoder = ProjectiveDecoder()
    assert (Decoding().best(decoder, scores, 1.0) == decoder.best(scores).heads).all()


@pytest.mark.parametrize("decoder", [ProjectiveDecoder(), NonProjectiveDecoder()])
def test_a_long_list_and_many_samples_come_to_exact_mbr(decoder):
    problem = make_problem(5, Factorisation.ARCS, 3)
    scores = Scores(problem.tables[Part.ARC])
    exact = exact_mbr(decoder, scores, 0.7).heads.tolist()
    for decoding in (Decoding("mbr"), Decoding("mbr", 1000), Decoding("mbr", samples=4000)):
        assert decoding.best(decoder, scores, 0.7).tolist() == exact
    same = [Decoding("mbr", samples=20).best(decoder, scores, 0.7).tolist() for _ in range(2)]
    assert same[0] == same[1]


def test_reranking_chooses_from_the_list():
    problem = make_problem(5, Factorisation.GRAND_SIBLINGS, 5)
    scores, decoder = problem.scores(), ProjectiveDecoder()
    found = Decoding("mbr-rerank", 3).best(decoder, scores, 1.0).tolist()
    assert found in [list(tree) for _, tree in Oracle(problem.tables).ranked[:3]]


def test_what_is_forbidden_stays_so():
    scores = Scores(make_problem(5, Factorisation.ARCS, 2).tables[Part.ARC])
    decoder = ProjectiveDecoder()
    limited = decoder.constrain(scores, Constraints(heads={4: 1}, brackets=((2, 3),)))
    for decoding in (Decoding("mbr"), Decoding("mbr", 4), Decoding("mbr-rerank", 4)):
        heads = decoding.best(decoder, limited, 0.1)
        assert limited.of_tree(heads) > -np.inf
    free = mbr_predict(decoder, np.array([[-1, 0, 1, 1, 3, 1]]), np.ones(1))
    assert free.heads[4] == 3
    kept = mbr_predict(decoder, np.array([[-1, 0, 1, 1, 3, 1]]), np.ones(1), allowed=limited)
    assert kept.heads[4] == 1


@pytest.mark.parametrize(
    "decoding",
    [Decoding("best"), Decoding("mbr", 3, 4), Decoding("mbr", samples=0), Decoding("map", None, 4)],
)
def test_wrong_calls(decoding):
    with pytest.raises(UsageError):
        decoding.check()

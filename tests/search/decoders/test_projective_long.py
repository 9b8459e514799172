"""Long sentences, many sentences, several threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from headwise.corpus.tree import is_single_rooted, is_tree
from headwise.errors import ConstraintError, LimitError
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.memory import chart_memory
from headwise.search.partcounts import PartCounts
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores, unpruned_arcs
from strategies import make_problem


def test_many_sentences_at_once() -> None:
    rng = np.random.default_rng(1)
    lengths = rng.integers(1, 20, 40)
    tables = [rng.normal(size=(n + 1, n + 1)) for n in lengths]
    impossible = 7
    tables[impossible][:, 1:] = -np.inf
    for single_root in (True, False):
        packed = np.concatenate([Scores(table).arc.ravel() for table in tables])
        heads, totals = ProjectiveDecoder(single_root).best_trees(packed, lengths + 1)
        at = 0
        for number, (n, table) in enumerate(zip(lengths, tables, strict=True)):
            if number == impossible:
                assert totals[number] == -np.inf
            else:
                one = ProjectiveDecoder(single_root=single_root).best(Scores(table))
                assert (heads[at : at + n + 1] == one.heads).all()
                assert totals[number] == one.score
            at += n + 1


def test_many_scores_of_several_orders() -> None:
    rng = np.random.default_rng(5)
    many = [Scores(rng.normal(size=(n + 1, n + 1))) for n in (3, 8, 1)]
    many.insert(1, make_problem(4, Factorisation.SIBLINGS, seed=6).scores())
    decoder = ProjectiveDecoder()
    for found, scores in zip(decoder.best_many(many), many, strict=True):
        expected = decoder.best(scores)
        assert found.score == expected.score
        assert (found.heads == expected.heads).all()
    assert decoder.best_many(many[1:2])[0].score == decoder.best(many[1]).score
    assert decoder.best_many([]) == []
    with pytest.raises(ConstraintError):
        decoder.best_many([*many, Scores(np.full((3, 3), -np.inf))])


def test_pruned_fourth_order_of_a_long_sentence() -> None:
    rng = np.random.default_rng(2)
    n = 60
    arcs = Scores(3.0 * rng.normal(size=(n + 1, n + 1)))
    unpruned = unpruned_arcs(ProjectiveDecoder().marginals(arcs).arc, 1e-3)
    index = PartIndex.over(unpruned, Factorisation.GRAND_TRI_SIBLINGS)
    higher = {
        part: rng.normal(size=index.count(part))
        for part in index.factorisation.parts
        if part is not Part.ARC
    }
    scores = Scores(np.where(unpruned, arcs.arc, -np.inf), index, higher)
    decoder = ProjectiveDecoder()
    ranked = decoder.kbest(scores, 20)
    assert ranked[0].score == pytest.approx(decoder.best(scores).score)
    for one in ranked:
        assert is_tree(one.heads)
        assert is_single_rooted(one.heads)
        assert scores.of_tree(one.heads) == pytest.approx(one.score, abs=1e-8)
    found = decoder.marginals(scores)
    assert found.arc.sum(axis=0)[1:] == pytest.approx(np.ones(n))
    assert found.log_partition >= ranked[0].score


def test_threads_give_the_same_answers() -> None:
    rng = np.random.default_rng(3)
    problems = [Scores(rng.normal(size=(21, 21))) for _ in range(40)]
    decoder = ProjectiveDecoder()
    alone = [decoder.kbest(scores, 5) for scores in problems]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda scores: decoder.kbest(scores, 5), problems))
    for one, other in zip(alone, together, strict=True):
        assert [tuple(tree.heads) for tree in one] == [tuple(tree.heads) for tree in other]


def test_a_chart_beyond_the_limit_is_an_error() -> None:
    scores, counts = Scores(np.zeros((101, 101))), PartCounts.dense(100, Factorisation.ARCS)
    needed = counts.question_memory("best")
    assert needed >= chart_memory(None, 100)
    assert ProjectiveDecoder(memory_limit=needed).best(scores).score == 0.0
    assert len(ProjectiveDecoder(memory_limit=needed).best_many([scores])) == 1
    short = ProjectiveDecoder(memory_limit=needed - 1)
    with pytest.raises(LimitError, match="prune more or lower the order"):
        short.best(scores)
    with pytest.raises(LimitError):
        short.best_many([scores])
    enough_for_one = ProjectiveDecoder(memory_limit=needed)
    with pytest.raises(LimitError, match="marginals needs"):
        enough_for_one.marginals(scores)
    with pytest.raises(LimitError, match="kbest needs"):
        enough_for_one.kbest(scores, 10)

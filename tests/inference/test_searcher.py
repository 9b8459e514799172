"""Questions about scores at a temperature, against enumeration."""

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.inference.given import given_constraints
from headwise.inference.searcher import Searcher
from headwise.inference.temperatures import Temperatures
from headwise.search.bracketing import are_kept
from headwise.search.constraints import Constraints
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.scores import Scores
from oracle import trees

TABLE = np.random.default_rng(3).normal(size=(5, 5))
EVERY = trees(4, projective=False, single_root=True)
TEMPERATURE, OF_TREES = 2.5, 0.8


class Search(Searcher):
    temperatures = Temperatures(heads=TEMPERATURE, trees=OF_TREES)

    @property
    def decoder(self):
        return NonProjectiveDecoder(True)

    def encode(self, sentences, guides=None):
        raise NotImplementedError

    def scores_of(self, tokens):
        return Scores(tokens)


def chances(temperature: float = TEMPERATURE) -> dict[tuple[int, ...], float]:
    sums = np.array([sum(TABLE[t[m], m] for m in range(1, 5)) for t in EVERY]) / temperature
    shares = np.exp(sums - sums.max())
    return dict(zip(map(tuple, EVERY), (shares / shares.sum()).tolist(), strict=True))


def test_probabilities_are_those_at_the_temperature():
    search, scores, expected = Search(), Scores(TABLE), chances()
    found = search.marginals(scores)
    for h, m in np.argwhere(found.arc > 0).tolist():
        arc = sum(chance for heads, chance in expected.items() if m and heads[m] == h)
        assert found.arc[h, m] == pytest.approx(arc, abs=1e-9)


def test_probabilities_of_trees_are_those_at_a_temperature_of_their_own():
    search, scores, expected = Search(), Scores(TABLE), chances(OF_TREES)
    found = search.tree_probabilities(scores, [np.array(heads) for heads in expected])
    assert found == pytest.approx(list(expected.values()), abs=1e-9)
    assert sum(found) == pytest.approx(1.0)
    cold = search.tree_probabilities(scores, [np.array(heads) for heads in expected], TEMPERATURE)
    assert cold == pytest.approx(list(chances().values()), abs=1e-9)


def test_probabilities_of_trees_under_constraints_are_among_those_that_satisfy_them():
    search, heads = Search(), {3: 4}
    scores = search.scores_under(TABLE, Constraints(heads=heads))
    kept = {tree: chance for tree, chance in chances(OF_TREES).items() if tree[3] == 4}
    found = search.tree_probabilities(scores, [np.array(tree) for tree in kept])
    total = sum(kept.values())
    assert found == pytest.approx([chance / total for chance in kept.values()], abs=1e-9)


def test_scores_of_trees_are_over_the_temperature():
    search, scores = Search(), Scores(TABLE)
    ranked = sorted(chances().items(), key=lambda pair: -pair[1])
    for (heads, _), tree in zip(ranked, search.kbest(scores, 5), strict=False):
        assert tuple(tree.heads.tolist()) == heads
        assert tree.score == pytest.approx(search.tree_score(scores, tree.heads))
        assert tree.score == pytest.approx(scores.of_tree(tree.heads) / TEMPERATURE)


def test_samples_are_always_the_same():
    one, other = (Search().sample(Scores(TABLE), 6) for _ in range(2))
    assert [tree.heads.tolist() for tree in one] == [tree.heads.tolist() for tree in other]
    assert {tuple(tree.heads.tolist()) for tree in one} <= set(chances())


def test_given_heads_are_kept():
    given = Sentence.from_words(["a"] * 4, heads=[None, 4, None, None])
    scores = Search().scores_under(TABLE, given_constraints(given))
    kept = {heads: chance for heads, chance in chances().items() if heads[2] == 4}
    best = Search().kbest(scores, 1)[0]
    assert tuple(best.heads.tolist()) == max(kept, key=kept.get)


def test_the_best_tree_under_constraints_is_the_best_of_those_that_satisfy_them():
    constraints = Constraints(forbidden=((1, 2),), heads={3: 4}, brackets=((3, 4),))
    best = Search().kbest(Search().scores_under(TABLE, constraints), 1)[0].heads
    left = {
        heads: chance
        for heads, chance in chances().items()
        if heads[2] != 1 and heads[3] == 4 and are_kept(np.array(heads), [(3, 4)])
    }
    assert tuple(best.tolist()) == max(left, key=left.get)

"""Probabilities: by hand, against a slow twin of section 5.3, and as scores of trees."""

import warnings
from math import log, prod

import numpy as np
import pytest
from lexicaltoys import TREEBANK, made_similarity

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, LimitError
from headwise.inference.given import given_constraints
from headwise.parsers.lexical.canonical import canonical_links
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.lexical.settings import VARIANTS
from oracle import trees

LEFT, RIGHT = 0, 1
SIMILAR = made_similarity(
    {
        "dogs": {"loudly": 0.5, "big": 0.25},
        "cats": {"dogs": 0.25, "tigers": 0.2},
        "bark": {"loudly": 0.16},
        "big": {"dogs": 0.3},
    }
)


def fitted(treebank=TREEBANK, similarity=SIMILAR, **settings) -> LexicalParser:
    parser = LexicalParser(**{"unseen": 1e-9} | settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadwiseWarning)  # that some words have no similar ones
        return parser.fit(treebank, similarity=similarity if parser.needs_similarity else None)


def chances(parser: LexicalParser, *words: str):
    return parser.search().probabilities(parser.lexicon_.encode(words))


def test_the_likelihood_of_a_tree_is_that_of_the_page():
    parser = fitted(neighbours=0)
    stops, links = chances(parser, "dogs", "bark")
    assert stops[1, LEFT, 0] == pytest.approx(1 / 2)
    assert stops[2, RIGHT, 0] == pytest.approx(1 / 2)
    assert links[2, 0, 1] == pytest.approx(1)
    scores = parser.search().scores_of(parser.lexicon_.encode(["dogs", "bark"]))
    assert scores.of_tree([-1, 2, 0]) == pytest.approx(log(1 / 4))


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_scores_of_trees_are_products_over_canonical_links(variant):
    parser = fitted(variant=variant, counts=2, neighbours=2, unseen=0.01)
    words = ["ADJ", "NOUN", "VERB", "ADJ"]
    if parser.needs_similarity:
        words = ["big", "cats", "bark", "dogs"]
    numbers = parser.lexicon_.encode(words)
    stops, links = parser.search().probabilities(numbers)
    scores = parser.search().scores_of(numbers)
    best = (-np.inf, ())
    for tree in trees(4, projective=True, single_root=True):
        count = np.zeros((5, 2), int)
        steps = []
        for u, v, d in canonical_links(tree):
            side, h, m = (LEFT, v, u) if d == "L" else (RIGHT, u, v)
            c = min(count[h, side], 1)
            ends = [stops[m, one, min(count[m, one], 1)] for one in (LEFT, RIGHT)]
            steps.append(prod(ends) * (1 - stops[h, side, c]) * links[h, c, m])
            count[h, side] += 1
        total = log(prod(steps))
        assert scores.of_tree(tree) == pytest.approx(total)
        best = max(best, (total, tree))
    found = parser.search().decoder.best(scores)
    assert found.score == pytest.approx(best[0])


def test_answers_agree_with_each_other():
    search = fitted().search()
    numbers = search.lexicon.encode(["big", "cats", "bark", "loudly"])
    scores = search.scores_of(numbers)
    best = search.decoder.best(scores)
    assert search.kbest(scores, 3)[0].score == pytest.approx(best.score)
    found = search.marginals(scores)
    assert found.arc[:, 1:].sum(axis=0) == pytest.approx(np.ones(4))
    assert 0 < search.tree_probabilities(scores, [best.heads])[0] <= 1
    given = Sentence.from_words(["big", "cats", "bark", "loudly"], heads=[None, 1, None, None])
    kept = search.decoder.best(search.scores_under(numbers, given_constraints(given))).heads
    assert kept[2] == 1


def test_a_sentence_that_is_too_long_is_an_error_with_its_place():
    endless = Sentence.from_words(["big"] * 600, comments=["# sent_id = s9"])
    with pytest.raises(LimitError, match=r"sentence s9\): a sentence of 600 words"):
        fitted().predict([endless])

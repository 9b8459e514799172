"""Probabilities: by hand, against a slow twin of section 5.3, and as scores of trees."""

import warnings
from math import log, prod

import numpy as np
import pytest
from lexicaltoys import TREEBANK, canonical_links, made_similarity

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, LimitError
from headwise.inference.given import given_constraints
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


def test_the_order_is_that_of_the_example():
    # Investors continue to pour cash into money funds (figure 2.1)
    heads = [-1, 2, 0, 2, 3, 4, 4, 8, 6]
    assert canonical_links(heads) == [
        (4, 5, "R"), (7, 8, "L"), (6, 8, "R"), (4, 6, "R"),
        (3, 4, "R"), (2, 3, "R"), (1, 2, "L"), (0, 2, "R"),
    ]  # fmt: skip


def test_every_link_comes_once_and_after_all_below_it():
    seen = set()
    every = trees(5, projective=True, single_root=False)
    for heads in every:
        links = canonical_links(heads)
        seen.add(tuple(links))
        arcs = [(v, u) if side == "L" else (u, v) for u, v, side in links]
        assert sorted(arcs) == sorted((heads[m], m) for m in range(1, 6))
        for place, (_, modifier) in enumerate(arcs):
            assert modifier not in [head for head, _ in arcs[place:]]
        for head in range(6):
            own = [m for h, m in arcs if h == head]
            right, left = [m for m in own if m > head], [m for m in own if m < head]
            assert own == [*sorted(right), *sorted(left, reverse=True)]
    assert len(seen) == len(every)  # different trees are built in different ways


def test_a_long_chain_does_not_overflow():
    heads = [-1, *range(5000)]
    assert canonical_links(heads)[0] == (4999, 5000, "R")

"""Probabilities: by hand, against a slow twin of section 5.3, and as scores of trees."""

import warnings
from math import log, prod, sqrt

import numpy as np
import pytest
from lexicaltoys import TREEBANK, made_similarity

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, LimitError
from headwise.kernels.text.lexical_chances import NONE
from headwise.parsers.lexical.canonical import canonical_links
from headwise.parsers.lexical.lexicon import UNKNOWN
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.lexical.settings import VARIANTS
from headwise.search.decoders.decoding import Decoding
from oracle import trees
from toytreebank import toy_treebank

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


def test_smoothing_is_that_of_the_page():
    stops, links = chances(fitted(), "dogs", "bark")
    # |C| = 2: alpha = 3/7; big and loudly never have modifiers on the left
    assert stops[1, LEFT, 0] == pytest.approx(3 / 7 * 1 / 2 + 4 / 7)
    stops, links = chances(fitted(), "cats", "bark")
    assert stops[1, LEFT, 0] == pytest.approx(1 / 2)  # as of dogs
    # (dogs, bark), of √(0.25 · 1), is a link; (dogs, loudly), of √(0.25 · 0.16), is not
    assert links[2, 0, 1] == pytest.approx(0.5 / (0.5 + 0.2))


def slow_smoothed(parser: LexicalParser, h: int, m: int, side: int, c: int) -> float:
    """P(link | head, modifier, c) from the definition, or P(modifier | head, c)."""
    model, lexicon, table = parser.model, parser.lexicon_, parser.counts_.links
    own_head, own_modifier = (
        word if word < lexicon.size else NONE for word in (h, m)
    )  # NONE: never seen

    def near(word):
        pairs = zip(lexicon.near[word].tolist(), lexicon.similarity[word].tolist(), strict=True)
        return [(other, value) for other, value in pairs if other != NONE]

    def cell(head, modifier):
        for e in range(table.start[head * 2 + side], table.start[head * 2 + side + 1]):
            if (table.modifier[e], table.before[e]) == (modifier, c):
                return int(table.seen[e]), int(table.linked[e])
        return 0, 0

    if model.joint:
        wanted = own_modifier if own_modifier != NONE else UNKNOWN
        total = table.total[:, c]
        contexts = [(head, wanted, value) for head, value in near(h)]
        found = {
            (head, modifier): (int(total[head * 2 + side]), cell(head, modifier)[1], value)
            for head, modifier, value in contexts
        }
        own = found.pop((own_head, wanted), (0, 0, 1.0))
    else:
        found = {
            (head, modifier): (*cell(head, modifier), sqrt(a * b))
            for head, a in near(h)
            for modifier, b in near(m)
            if not model.one_word or head == own_head or modifier == own_modifier
        }
        own = found.pop((own_head, own_modifier), (0, 0, 1.0))
    seen = [one for one in found.values() if one[0]]
    norm = sum(weight for *_, weight in seen)
    rate = 0.0 if model.joint else float(table.rate[side, c])
    similar = sum(k / n * weight for n, k, weight in seen) / norm if norm else rate
    if not own[0]:
        return similar
    alpha = (own[0] + 1) / (own[0] + 5)
    return alpha * own[1] / own[0] + (1 - alpha) * similar


@pytest.mark.parametrize("variant", ["words", "one-word", "joint"])
def test_links_are_those_of_the_slow_twin(variant):
    words = ["the", "a", "green", "tree", "forest", "parser", "grows", "sees", "in", ".", "bush"]
    rng = np.random.default_rng(1)
    table = {
        word: {other: float(rng.uniform(0.05, 0.9)) for other in words if rng.random() < 0.4}
        for word in words
    }
    parser = fitted(toy_treebank(6, 4), made_similarity(table), variant=variant, counts=3)
    given = ["bush", "sees", "the", "tree", "nothing", "forest"]
    numbers = parser.lexicon_.encode(given)
    found = chances(parser, *given)[1]
    for h in range(len(numbers)):
        for m in range(1, len(numbers)):
            for c in range(3):
                if m != h:
                    slow = slow_smoothed(parser, int(numbers[h]), int(numbers[m]), int(m > h), c)
                    least = 1e-9 / (parser.lexicon_.size if parser.model.joint else 1)
                    assert found[h, c, m] == pytest.approx(max(slow, least), abs=1e-6)


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
    assert 0 < search.tree_probability(scores, found, best.heads) <= 1
    given = Sentence.from_words(["big", "cats", "bark", "loudly"], heads=[None, 1, None, None])
    kept = search.decoder.best(search.keeping_heads(numbers, given)).heads
    assert kept[2] == 1


def test_trees_of_minimum_risk_are_those_of_enumeration():
    search = fitted(unseen=0.05).search()
    scores = search.scores_of(search.lexicon.encode(["big", "cats", "bark", "loudly"]))
    every = trees(4, projective=True, single_root=True)
    chances = np.exp([scores.of_tree(tree) for tree in every])
    chances /= chances.sum()
    rights = [
        sum(
            p * sum(map(int.__eq__, one[1:], tree[1:]))
            for p, tree in zip(chances, every, strict=True)
        )
        for one in every
    ]
    all_trees = len(every)
    for decoding in (
        Decoding("mbr"),
        Decoding("mbr", all_trees),
        Decoding("mbr-rerank", all_trees),
    ):
        found = tuple(search.decoded(scores, decoding).tolist())
        assert rights[every.index((-1, *found[1:]))] == pytest.approx(max(rights))
    drawn = search.decoded(scores, Decoding("mbr", samples=2000))
    assert rights[every.index((-1, *drawn[1:].tolist()))] == pytest.approx(max(rights), abs=0.1)


def test_a_sentence_that_is_too_long_is_an_error_with_its_place():
    endless = Sentence.from_words(["big"] * 600, comments=["# sent_id = s9"])
    with pytest.raises(LimitError, match=r"sentence s9\): a sentence of 600 words"):
        fitted().predict([endless])

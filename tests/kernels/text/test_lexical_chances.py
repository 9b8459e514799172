"""Probabilities of links against plain Python."""

import warnings
from math import sqrt

import numpy as np
import pytest
from lexicaltoys import TREEBANK, made_similarity

from headwise.errors import HeadwiseWarning
from headwise.kernels.text.lexical_chances import NONE
from headwise.parsers.lexical.lexicon import UNKNOWN
from headwise.parsers.lexical.parser import LexicalParser
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

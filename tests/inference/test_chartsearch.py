"""Questions about charts, against enumeration."""

import warnings

import numpy as np
import pytest
from boostingtoys import TRAIN, boosted
from lexicaltoys import TREEBANK, made_similarity

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, LimitError
from headwise.inference.given import given_constraints
from headwise.parsers.lexical.parser import LexicalParser
from headwise.search.decoders.decoding import Decoding
from oracle import trees

SENTENCE = Sentence.from_words(
    ["the", "old", "forest", "grows", "behind"],
    upos=["DET", "ADJ", "NOUN", "VERB", "ADP"],
    xpos=["DET", "ADJ", "NOUN", "VERB", "ADP"],
)
EVERY = trees(5, projective=True, single_root=True)


def test_everything_that_can_be_asked_is_answered():
    search = boosted().search()
    encoded = search.encode([SENTENCE])
    scores = search.scores_of(encoded.sentence(0))
    chances = np.array([scores.of_tree(heads) for heads in EVERY])
    chances = np.exp(chances - chances.max())
    chances /= chances.sum()
    found = search.marginals(scores)
    for head, word in ((3, 1), (4, 3), (0, 4)):
        expected = sum(p for p, heads in zip(chances, EVERY, strict=True) if heads[word] == head)
        assert found.arc[head, word] == pytest.approx(expected)
    best = search.decoded(scores, Decoding())
    assert search.tree_probabilities(scores, [best])[0] == pytest.approx(chances.max())
    assert len(search.decoded(scores, Decoding("mbr"))) == len(SENTENCE) + 1
    given = SENTENCE.with_tree([2, 4, 4, 0, 4])
    kept = search.scores_under(encoded.sentence(0), given_constraints(given))
    assert search.decoder.best(kept).heads.tolist() == [-1, 2, 4, 4, 0, 4]


def test_a_sentence_that_is_too_long_is_an_error_with_its_place():
    endless = Sentence.from_words(["old"] * 700, upos=["X"] * 700, comments=["# sent_id = s9"])
    with pytest.raises(LimitError, match=r"sentence s9\): a sentence of 700 words"):
        boosted(TRAIN[:5]).predict([endless])


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

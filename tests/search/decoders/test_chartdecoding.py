"""Trees of minimum risk under charts, against enumeration."""

import warnings

import numpy as np
import pytest
from lexicaltoys import TREEBANK, made_similarity

from headwise.errors import HeadwiseWarning
from headwise.parsers.lexical.parser import LexicalParser
from headwise.search.decoders.decoding import Decoding
from oracle import trees

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

from math import inf

import numpy as np
import pytest
from bracketbank import small_treebank

from headwise.constituency.annotation import Annotation
from headwise.constituency.parser import ConstituencyParser
from headwise.errors import UsageError

WORDS = ["she", "sees", "the", "man", "with", "a", "dog", "."]


def test_it_gives_back_what_it_has_seen(parser):
    for tree in small_treebank():
        leaves = list(tree.leaves())
        found = parser.kbest([leaf.form for leaf in leaves], 5, [leaf.tag for leaf in leaves])
        assert str(tree) in map(str, found.trees)


def test_candidates_are_ranked_and_distinct(parser):
    found = parser.kbest(WORDS, 20, sentence_id="s1")
    assert (np.diff(found.scores) <= 0).all()
    assert len(set(map(str, found.trees))) == len(found)
    assert found.sentence_id == "s1"
    for k in (1, 2, 5):
        assert parser.kbest(WORDS, k).trees == found.trees[:k]


def test_given_tags_are_kept(parser):
    found = parser.parse(["dogs", "bark", "."], ["XX", "VBP", "."])
    assert [leaf.tag for leaf in found.leaves()] == ["XX", "VBP", "."]


def test_without_a_margin_the_search_is_exact(parser):
    exact = ConstituencyParser(margin=inf).fit(small_treebank())
    for forms in ("she sees a cat .", "dogs bark ."):
        a, b = exact.kbest(forms.split(), 5), parser.kbest(forms.split(), 5)
        assert a.scores[0] >= b.scores[0]
    assert (exact.kbest(["dogs", "bark", "."], 5).scores >= -100).all()


def test_wrong_calls(parser):
    with pytest.raises(UsageError, match="no words"):
        parser.parse([])
    with pytest.raises(UsageError, match="2 words, but 1 tags"):
        parser.parse(["a", "b"], ["X"])
    with pytest.raises(UsageError, match="k must be from 1 to"):
        parser.kbest(["a"], 0)
    with pytest.raises(UsageError, match="no trees"):
        ConstituencyParser().fit([])
    with pytest.raises(UsageError, match="vertical"):
        ConstituencyParser(annotation=Annotation(vertical=0)).fit(small_treebank())

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
    with pytest.raises(UsageError, match="k must be an integer from 1 to"):
        parser.kbest(["a"], 0)
    with pytest.raises(UsageError, match="no trees"):
        ConstituencyParser().fit([])
    with pytest.raises(UsageError, match="vertical"):
        ConstituencyParser(annotation=Annotation(vertical=0)).fit(small_treebank())


@pytest.mark.parametrize("call", [lambda p: p.parse(WORDS), lambda p: p.save("nowhere")])
def test_a_parser_that_has_learnt_nothing_says_so(call):
    with pytest.raises(UsageError, match="not fitted"):
        call(ConstituencyParser())


@pytest.mark.parametrize("words", ["she sees", [1, 2], None, 5, []])
def test_words_are_a_list_of_texts(parser, words):
    with pytest.raises(UsageError, match="words"):
        parser.parse(words)


@pytest.mark.parametrize("k", [0, 2.5, "3", True, 2**40])
def test_k_is_a_whole_number(parser, k):
    with pytest.raises(UsageError, match="k must be an integer"):
        parser.kbest(WORDS, k)


def test_an_empty_tag_is_no_tag(parser):
    # It was taken for that of phrases, with which the kernel wrote beside its chart.
    empty, none = [""] * len(WORDS), None
    for found, right in zip(
        parser.fine_.lexicon.look_up(WORDS, empty),
        parser.fine_.lexicon.look_up(WORDS, none),
        strict=True,
    ):
        assert (found == right).all()
    assert [leaf.form for leaf in parser.parse(WORDS, empty).leaves()] == WORDS


@pytest.mark.parametrize(
    "parameters",
    [
        {"horizontal": 1.5},
        {"horizontal": -1},
        {"margin": -1.0},
        {"margin": float("nan")},
        {"margin": "7"},
        {"annotation": None},
        {"smoothing": "none"},
        {"annotation": Annotation(vertical="2")},
    ],
)
def test_parameters_without_meaning_are_refused(parameters):
    with pytest.raises(UsageError):
        ConstituencyParser(**parameters).fit(small_treebank())


@pytest.mark.parametrize("trees", ["wsj.mrg", ["(S (NN a))"]])
def test_only_trees_can_be_learnt_from(trees):
    with pytest.raises(UsageError, match="read_trees"):
        ConstituencyParser().fit(trees)


def test_numbers_of_numpy_are_parameters(tmp_path):
    parser = ConstituencyParser(horizontal=np.int64(1), margin=np.float32(7)).fit(small_treebank())
    parser.save(tmp_path / "model")
    loaded = ConstituencyParser.load(tmp_path / "model")
    assert loaded.get_params() == parser.get_params()
    assert ConstituencyParser(**loaded.get_params()).set_params(horizontal=0).horizontal == 0

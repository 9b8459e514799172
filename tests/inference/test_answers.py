import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.inference.answers import (
    MAX_TREES,
    ParseOptions,
    added,
    calibrated,
    kept_relations,
    ranked,
    renamed,
    under_tree,
    with_probabilities,
)
from headwise.search.decoders.decoding import Decoding


@pytest.mark.parametrize(
    ("misc", "expected"),
    [
        ("_", "HeadProb=0.5000"),
        ("SpaceAfter=No", "SpaceAfter=No|HeadProb=0.5000"),
        ("HeadProb=0.1|X=1", "X=1|HeadProb=0.5000"),
        ("HeadProbability=1", "HeadProbability=1|HeadProb=0.5000"),
    ],
)
def test_an_item_takes_the_place_of_an_old_one(misc, expected):
    assert added(misc, "HeadProb=0.5000") == expected


@pytest.mark.parametrize("chance", [1.0 + 1e-9, 1e9, np.inf])
def test_no_head_is_more_than_sure(chance):
    """Rounding errors of large scores are not told."""
    found = calibrated([chance], (), ParseOptions())
    sentence = Sentence.from_words(["a"]).with_tree([0], ["root"])
    assert with_probabilities(sentence, "HeadProb", found).misc == ("HeadProb=1.0000",)


def test_ranks_are_in_sent_id_and_scores_in_a_comment():
    sentence = Sentence.from_words(["a"], comments=["# x", "#sent_id=s 1", "# score = 9", "# y"])
    assert ranked(sentence, "s 1", 2, -1.5).comments == (
        "# x",
        "# sent_id = s 1/2",
        "# y",
        "# score = -1.5",
    )
    first = Sentence.from_words(["a"], comments=["# newdoc id = d", "# newpar", "# newspaper = x"])
    assert ranked(first, "1", 1, 0.0).comments[1:3] == ("# newdoc id = d", "# newpar")
    assert ranked(first, "1", 2, 0.0).comments[1] == "# newspaper = x"
    nameless = Sentence.from_words(["a"], comments=["# a sent_id"])
    assert ranked(nameless, "7", 1, 0.0).comments[:2] == ("# sent_id = 7/1", "# a sent_id")


def test_names_and_scores_are_written_into_comments():
    tree = Sentence.from_words(["a"], comments=["# sent_id = s/2", "# score = -1.5"])
    assert renamed(tree, "s1").comments == ("# sent_id = s1",)
    assert renamed(tree, "s1/1", "0.25").comments == ("# sent_id = s1/1", "# score = 0.25")
    assert renamed(tree, None).comments == ()
    assert renamed(Sentence.from_words(["a"]), "x").id == "x"


@pytest.mark.parametrize("k", [0, -1, MAX_TREES + 1])
def test_lists_have_a_length(k):
    with pytest.raises(UsageError, match="kbest must be from 1"):
        ParseOptions(kbest=k).check()


def test_a_given_relation_is_kept_whether_its_head_is_given_or_not():
    given = Sentence.from_words(["a", "b", "c"], heads=[None, 1, None], relations=["_", "_", "obj"])
    found = under_tree(given, [0, 1, 2], ["root", "nsubj↑acl", "dep"], keep=True)
    assert found.relations == ("root", "nsubj", "obj")
    assert kept_relations(given, ParseOptions(constraints=True)) == [None, None, "obj"]
    assert kept_relations(given, ParseOptions()) == [None, None, None]
    assert under_tree(given, [0, 1, 2], ["root", "x", "dep"], keep=False).relations[2] == "dep"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"decoding": "mbr"}, "one of map, mbr, mbr-rerank, as .*, not 'mbr'"),
        ({"decoding": Decoding("most")}, "expected one of 'map', 'mbr', 'mbr-rerank', not 'most'"),
        ({"kbest": 5.0}, "kbest: expected an integer, not 5.0"),
        ({"marginals": 1}, "marginals: expected true or false, not 1"),
    ],
)
def test_what_nobody_can_answer_is_refused(asked, message):
    with pytest.raises(UsageError, match=message):
        ParseOptions(**asked).check()

"""Treebanks as training data: what is kept, what is changed, and what is refused."""

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import is_projective
from headwise.errors import InputError, LimitError, MismatchError, TreeError
from headwise.learners.data import lifted, reordered, training_data
from headwise.learners.settings import TrainingSettings
from headwise.scoring.linear.atoms import AtomEncoder
from labelledtoys import labelled_treebank
from toytreebank import toy_treebank

CROSSING = toy_treebank(12, 4, crossing=1.0)
NESTED = toy_treebank(12, 4)


def prepared(sentences, guides=None, **settings):
    return training_data(sentences, TrainingSettings(**settings), AtomEncoder(), guides)


def test_nested_trees_stay_as_they_are():
    data = prepared(NESTED)
    assert [gold[1:].tolist() for gold in data.golds] == [list(s.heads) for s in NESTED]
    assert data.single_root
    assert data.left_out == 0
    assert data.words == sum(map(len, NESTED))


@pytest.mark.filterwarnings("ignore:.*have crossing arcs")
def test_crossing_arcs_are_lifted():
    data = prepared(CROSSING)
    for gold, sentence in zip(data.golds, CROSSING, strict=True):
        assert is_projective(gold.tolist())
        assert sum(gold[1:] != np.array(sentence.heads)) == 1


def test_crossing_arcs_are_undone_by_another_order():
    data = prepared(CROSSING, crossing="reorder")
    whole = AtomEncoder().encode(CROSSING)
    for number, (gold, sentence) in enumerate(zip(data.golds, CROSSING, strict=True)):
        assert is_projective(gold.tolist())
        words = data.encoded.sentence(number).atoms[0]
        before = whole.sentence(number).atoms[0]
        assert sorted(words.tolist()) == sorted(before.tolist())
        arcs = {(int(words[h]), int(words[m])) for m, h in enumerate(gold.tolist()) if m}
        old = {(int(before[h]), int(before[m])) for m, h in enumerate(sentence.heads, 1)}
        assert arcs == old


def test_crossing_arcs_are_left_out_or_searched():
    assert prepared([*NESTED, *CROSSING], crossing="leave-out").left_out == len(CROSSING)
    data = prepared(CROSSING, decoder="non-projective")
    assert [gold[1:].tolist() for gold in data.golds] == [list(s.heads) for s in CROSSING]
    with pytest.raises(InputError, match="none of 12 sentences can be learnt from"):
        prepared(CROSSING, crossing="leave-out")


def test_long_sentences_are_left_out_if_asked():
    longest = sorted(map(len, NESTED))[6]
    data = prepared(NESTED, longest=longest)
    assert len(data) == sum(len(s) <= longest for s in NESTED)
    assert data.left_out == len(NESTED) - len(data)


def test_sentences_beyond_search_are_refused_unless_left_out():
    n = 2001
    endless = Sentence.from_words(["a"] * n, heads=[0, *range(1, n)])
    with pytest.raises(LimitError, match="2001 words"):
        prepared([endless])
    assert prepared([endless, *NESTED], longest=100).left_out == 1


def test_roots():
    two = Sentence.from_words(["a", "b"], heads=[0, 0])
    assert not prepared([*NESTED, two]).single_root
    assert prepared([*NESTED, two], single_root=True).left_out == 1
    assert not prepared(NESTED, single_root=False).single_root


def test_costs_by_loss():
    tags = ["NOUN", "PUNCT"]
    pair = Sentence.from_words(["a", "."], upos=tags, heads=[0, 1])
    costs = {loss: prepared([pair], loss=loss) for loss in ("heads", "no-punctuation", "complete")}
    assert costs["heads"].costs[0].tolist() == [0, 1, 1]
    assert costs["no-punctuation"].costs[0].tolist() == [0, 1, 0]
    assert costs["complete"].costs[0].tolist() == [0, 0, 0]
    assert [data.tree_cost for data in costs.values()] == [0, 0, 1]


@pytest.mark.parametrize(
    ("heads", "message"),
    [([0, None], "word 2 has no head"), ([2, 1], "form a cycle")],
)
def test_what_is_no_tree_is_refused(heads, message):
    with pytest.raises(TreeError, match=message):
        prepared([*NESTED, Sentence.from_words(["a", "b"], heads=heads)])


def test_sentences_that_lack_relations_are_not_learnt_from_with_joint_labels():
    full = labelled_treebank(6, 1)
    gaps = [one.with_tree(one.heads, ["_"] * len(one)) for one in full[:2]]
    data = prepared([*gaps, *full[2:]], labels="joint")
    assert data.left_out == 2
    assert "_" not in data.inventory.names
    assert prepared([*gaps, *full[2:]]).left_out == 0
    some = [one.with_tree(one.heads, ["_", *one.relations[1:]]) for one in full]
    some = [one for one in some if one.heads[0]]
    for labels in ("joint", "second-stage"):
        with pytest.raises(InputError, match="in every sentence a word has no relation"):
            prepared(some, labels=labels)
    assert prepared(some, labels="none").left_out == 0


@pytest.mark.parametrize("encoding", ["head", "path", "head+path"])
def test_lifting_does_not_make_relations_of_missing_ones(encoding):
    for one in CROSSING:
        bare = one.with_tree(one.heads, ["_"] * len(one))
        assert set(lifted(bare, encoding).relations) == {"_"}


def test_nothing_to_learn_from():
    with pytest.raises(InputError, match="there is no sentence"):
        prepared([])


def test_guides_follow_their_sentences():
    data = prepared([*NESTED, *CROSSING], [*NESTED, *CROSSING], crossing="leave-out")
    heads = [head for gold in data.golds for head in gold.tolist()]
    assert data.encoded.tokens.guide.tolist() == heads
    moved = prepared(CROSSING, CROSSING, crossing="reorder")
    assert moved.encoded.tokens.guide.tolist() == [h for g in moved.golds for h in g.tolist()]


def test_missing_heads_of_a_guide_stay_missing_in_another_order():
    guide = Sentence.from_words(["a", "b", "c"], heads=[2, None, 1])
    assert reordered(guide, [0, 3, 1, 2]).heads == (2, 3, None)


def test_guides_that_do_not_fit_are_refused():
    with pytest.raises(MismatchError, match="11 guiding trees for 12 sentences"):
        prepared(NESTED, NESTED[:11])
    with pytest.raises(MismatchError, match="0 guiding trees"):
        prepared(NESTED, [])
    with pytest.raises(MismatchError, match="other words"):
        prepared(NESTED, NESTED[::-1])

import pickle
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest

from headwise.corpus.conllu import format_sentence
from headwise.corpus.extras import EmptyNode, Multiword, SurfaceToken
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence, with_columns
from headwise.errors import InputError, SourceLocation, UsageError


@pytest.fixture
def sample() -> dict[str | None, Sentence]:
    return {sentence.id: sentence for sentence in read_sample()}


def test_is_frozen_and_slotted(sample):
    sentence = sample["sample-1"]
    with pytest.raises(FrozenInstanceError):
        sentence.forms = ()
    assert not hasattr(sentence, "__dict__")


def test_extras_are_sorted_by_kind(sample):
    assert [row.id for row in sample["sample-1"].multiwords] == ["2-3"]
    assert [row.form for row in sample["sample-1"].multiwords] == ["doesn't"]
    assert [row.id for row in sample["sample-3"].empty_nodes] == ["6.1"]
    assert sample["sample-3"].multiwords == ()


def test_missing_columns_are_filled():
    sentence = Sentence.from_words(["a", "b"], heads=[2, None])
    assert sentence.lemmas == ("_", "_")
    assert not sentence.has_tree
    assert Sentence.from_words(["a"]).heads == (None,)


@pytest.mark.parametrize("column", ["lemmas", "upos", "heads", "relations", "misc"])
def test_columns_of_other_length_are_refused(column):
    with pytest.raises(InputError, match="for 2 words"):
        Sentence.from_words(["a", "b"], **{column: ["1"]})


def test_tokens_join_words_of_a_multiword(sample):
    tokens = sample["sample-1"].tokens()
    assert tokens[1] == SurfaceToken("doesn't", 2, 3, True)
    assert tokens[2] == SurfaceToken("guess", 4, 4, False)


def test_offsets_follow_the_text(sample):
    for sentence in sample.values():
        text, offsets = sentence.text, sentence.offsets()
        assert len(offsets) == len(sentence)
        for token in sentence.tokens():
            for word in range(token.first, token.last + 1):
                start, end = offsets[word - 1]
                assert text[start:end] == token.form


def test_offsets_without_a_text_comment(sample):
    for sentence in sample.values():
        bare = replace(sentence, comments=())
        assert bare.text == sentence.text
        assert bare.offsets() == sentence.offsets()


def test_offsets_of_a_text_that_differs_are_an_error():
    sentence = Sentence.from_words(
        ["one", "two"],
        comments=["# sent_id = s9", "# text = one three"],
        location=SourceLocation("f.conllu", 7),
    )
    with pytest.raises(InputError, match=r"f\.conllu:7 \(sentence s9\): word 2 'two'"):
        sentence.offsets()


def test_comment_values():
    sentence = Sentence.from_words(
        ["a"],
        comments=["# free text", "# sent_id = x", "#sent_id = y", "# text =  two", "# k = a = b"],
    )
    assert sentence.id == "x"
    assert sentence.comment("text") == " two"
    assert sentence.comment("k") == "a = b"
    assert sentence.comment("free text") is None


def test_changing_the_tree_empties_the_enhanced_graph(sample):
    sentence = sample["sample-2"]
    changed = sentence.with_tree((2, 3, 0, 3, 7, 7, 3, 3))
    assert changed.deps == ("_",) * 8
    assert changed.relations == sentence.relations
    assert "\n7\texpected\texpect\tVERB\tVBD\t" in format_sentence(changed)
    assert "\t3\tacl:relcl\t_\t" in format_sentence(changed)
    assert sentence.with_tree(sentence.heads) is sentence
    gapped = sample["sample-3"].with_tree([2, 0] + [2] * 6)
    assert "6.1\tlikes\tlike\tVERB\tVBZ\t" in format_sentence(gapped)
    assert "conj:and" not in format_sentence(gapped)
    relabelled = sentence.with_tree(sentence.heads, ("dep",) * 8)
    assert relabelled.deps == ("_",) * 8


def test_wrong_numbers_of_heads_are_refused(sample):
    with pytest.raises(InputError, match="2 heads for 8 words"):
        sample["sample-2"].with_tree([0, 1])
    with pytest.raises(InputError, match="the head of word 1 is 9, not one of 0 to 8"):
        sample["sample-2"].with_tree([9] * 8)
    with pytest.raises(InputError, match="the head of word 1 is -1"):
        Sentence.from_words(["a"], heads=[-1])
    with pytest.raises(InputError, match="1 relations for 8 words"):
        sample["sample-2"].with_tree([0] * 8, ["x"])


def test_heads_may_be_numbers_of_any_kind_and_missing():
    sentence = Sentence.from_words(["a", "b", "c"])
    for heads in ([0, 1, 2], np.array([0, 1, 2]), [np.int32(0), True, 2.0]):
        changed = sentence.with_tree(heads)
        assert changed.heads == (0, 1, 2)
        assert {type(head) for head in changed.heads} == {int}
    assert sentence.with_tree([None, 1, 2]).heads == (None, 1, 2)
    with pytest.raises(InputError, match="the head of word 2 is -1"):
        sentence.with_tree([0, -1, 2])
    with pytest.raises(InputError, match="the head of word 3 is 4, not one of 0 to 3"):
        sentence.with_tree([None, 1, 4])


def test_a_sentence_of_many_words_can_change():
    sentence = Sentence.from_words(["a"] * 3000)
    assert sentence.with_tree(range(3000)).heads == tuple(range(3000))
    with pytest.raises(InputError, match="the head of word 1 is 3001"):
        sentence.with_tree([3001] * 3000)


def test_a_changed_sentence_is_as_good_as_any(sample):
    for sentence in sample.values():
        changed = sentence.with_tree([0] * len(sentence), ["x"] * len(sentence))
        assert type(changed) is Sentence
        assert (changed.path, changed.line) == (sentence.path, sentence.line)
        assert pickle.loads(pickle.dumps(changed)) == changed == replace(changed)
        with pytest.raises(FrozenInstanceError):
            changed.heads = ()


def test_a_changed_copy_does_not_keep_the_text_as_read(sample):
    sentence = sample["sample-3"]
    assert sentence.source is not None
    changed = replace(sentence, lemmas=("x",) * len(sentence))
    assert changed.source is None
    assert not changed.checked
    assert "\tx\t" in format_sentence(changed)


def test_equality_looks_at_the_content_only(sample):
    sentence = sample["sample-3"]
    assert replace(sentence, path="elsewhere", line=99) == sentence
    assert replace(sentence, comments=()) != sentence


def test_extra_rows_know_their_ids():
    columns = ("x",) + ("_",) * 7 + ("SpaceAfter=No",)
    assert Multiword(3, 4, columns, 2).id == "3-4"
    assert Multiword(3, 4, columns, 2).misc == "SpaceAfter=No"
    assert EmptyNode(8, 10, columns).id == "8.10"
    assert EmptyNode(8, 10, columns).position == 8


def test_it_is_what_replace_gives():
    for sentence in read_sample():
        new = {name: tuple("abcdefgh"[i % 8] for i in range(len(sentence))) for name in COLUMNS}
        ours = with_columns(sentence, **new)
        theirs = replace(sentence, **new)
        for field in fields(sentence):
            assert getattr(ours, field.name) == getattr(theirs, field.name), field.name


COLUMNS = ("lemmas", "upos", "xpos", "feats")


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("upos", [1, 2], "UPOS tags are text, not int"),
        ("xpos", ["NN", None], "XPOS tags are text, not NoneType"),
        ("feats", [{"Case": "Nom"}, "_"], "FEATS are text, not dict"),
        ("lemmas", "ab", "lemmas are a list, not one text"),
        ("relations", 5, "relations are a list, not int"),
        ("misc", [1, 2], "MISC are text, not int"),
        ("comments", "# a comment", "comments are a list, not one text"),
        ("heads", 5, "heads are a list of numbers, one for each word, not 5"),
        ("heads", "20", "heads are a list of numbers"),
    ],
)
def test_columns_are_lists_of_text(column, values, message):
    with pytest.raises(UsageError, match=message):
        Sentence.from_words(["a", "b"], **{column: values})


def test_relations_of_a_tree_are_text(sample):
    sentence = sample["sample-1"]
    with pytest.raises(UsageError, match="relations are text, not int"):
        sentence.with_tree([0] * len(sentence), [1] * len(sentence))
    with pytest.raises(UsageError, match="relations are a list, not one text"):
        sentence.with_tree([0] * len(sentence), "x" * len(sentence))

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editedfiles import sentences
from headwise.corpus.conllu import format_conllu, parse_text
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.serve.editing.acts import bracket, forbid_arc
from headwise.serve.editing.marks import marks_of
from headwise.serve.editing.words import merge_words, split_word


def read_again(sentence: Sentence) -> Sentence:
    (found,) = parse_text("".join(format_conllu([sentence])), "conllu")
    return found


def test_a_split_word_leaves_the_text_as_it_was(tmp_path):
    one = split_word(sentences(tmp_path)[1], 2, ["do", "g"])
    assert one.forms[1:3] == ("do", "g")
    assert one.misc[1] == "SpaceAfter=No"
    assert one.heads == (2, 6, None, 6, 6, 0, 6)
    assert [row.id for row in one.extras] == ["3.1", "4-5"]
    assert set(one.deps) == {"_"}
    assert one.offsets()[1:3] == ((4, 6), (6, 7))
    assert read_again(one) == one


def test_a_word_becomes_a_multiword_token(tmp_path):
    one = split_word(sentences(tmp_path)[0], 3, ["s", "at"], multiword=True)
    assert one.extras[0].columns == ("sat", *"_______", "SpaceAfter=No")
    assert [token.form for token in one.tokens()] == ["A", "cat", "sat", "."]
    assert read_again(one) == one


def test_parts_of_multiword_tokens_are_split_and_merged(tmp_path):
    done = sentences(tmp_path)[1]
    longer = split_word(done, 3, ["c", "a"])
    assert longer.extras[1].id == "3-5"
    shorter = merge_words(longer, 3)
    assert shorter.extras[1].id == "3-4"
    assert shorter.forms == done.forms
    whole = merge_words(done, 3)
    assert whole.forms[2] == "can't"
    assert not whole.multiwords
    assert read_again(whole) == whole
    with pytest.raises(UsageError, match="multiword"):
        merge_words(done, 2)


def test_marks_are_counted_again(tmp_path):
    one = bracket(forbid_arc(sentences(tmp_path)[0], 4, 3), 2, 3)
    split = marks_of(split_word(one, 1, ["A", ""[:0] or "x"], multiword=True))
    assert split.forbidden == ((4, 5),)
    assert split.brackets == ((3, 4),)
    assert marks_of(merge_words(one, 2)).brackets == ((2, 2),)


@pytest.mark.parametrize(
    ("word", "forms"), [(1, ["x"]), (1, ["", "A"]), (2, ["c", "t"]), (9, ["a", "b"])]
)
def test_what_is_no_split_is_refused(tmp_path, word, forms):
    with pytest.raises(UsageError):
        split_word(sentences(tmp_path)[0], word, forms)


@given(
    heads=st.lists(st.none() | st.integers(0, 6), min_size=6, max_size=6),
    word=st.integers(1, 5),
)
def test_what_is_merged_can_be_written_and_no_word_heads_itself(heads, word):
    heads = [None if head == n else head for n, head in enumerate(heads, 1)]
    one = Sentence.from_words(list("abcdef"), heads=heads, comments=["# forbidden_arcs = 1>2"])
    merged = merge_words(one, word)
    assert len(merged) == 5
    assert all(head != n for n, head in enumerate(merged.heads, 1))
    assert read_again(merged) == merged
    assert merged.forms[word - 1] == f"{'abcdef'[word - 1]} {'abcdef'[word]}"

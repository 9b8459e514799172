import pytest

from editedfiles import sentences
from headwise.corpus.conllu import format_conllu, parse_text
from headwise.errors import UsageError
from headwise.serve.editing.acts import bracket, forbid_arc, set_note
from headwise.serve.editing.marks import marks_of
from headwise.serve.editing.sentences import merge_sentences, new_id, split_sentence


def test_split_and_merged_again_it_is_as_before_but_for_heads_across(tmp_path):
    done = bracket(forbid_arc(set_note(sentences(tmp_path)[1], "why?"), 6, 4), 3, 4)
    first, second = split_sentence(done, 3, {"s2-2"})
    assert (first.text, second.text) == ("The dog", "can't eat.")
    assert (first.id, second.id) == ("s2", "s2-3")
    assert first.heads == (2, None)
    assert second.heads == (3, 3, 0, 3)
    assert [row.id for row in (*first.extras, *second.extras)] == ["2.1", "1-2"]
    assert (marks_of(first).note, marks_of(second).note) == ("why?", "")
    assert marks_of(second).brackets == ((1, 2),)
    assert marks_of(second).forbidden == ((2, 4),)
    text = "".join(format_conllu([first, second]))
    assert list(parse_text(text, "conllu")) == [first, second]
    merged = merge_sentences(first, second)
    assert merged.text == done.text
    assert merged.forms == done.forms
    assert merged.heads == (2, None, 5, 5, None, 5)
    assert [row.id for row in merged.extras] == [row.id for row in done.extras]
    assert marks_of(merged) == marks_of(done)


def test_sentences_begin_between_tokens(tmp_path):
    done = sentences(tmp_path)[1]
    for word in (1, 4, 7):
        with pytest.raises(UsageError):
            split_sentence(done, word, ())


def test_documents_are_not_merged(tmp_path):
    first, second, _ = sentences(tmp_path)
    with pytest.raises(UsageError, match="document"):
        merge_sentences(second, first)


def test_ids_are_new():
    assert new_id("s", set()) == "s-2"
    assert new_id("s", {"s-2", "s-3"}) == "s-4"

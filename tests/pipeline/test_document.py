"""Documents: sequences of words that are the same objects at every access."""

import pickle
import time
from dataclasses import asdict, replace

import pytest

from headwise.corpus.sentence import Sentence
from headwise.pipeline.document import SHOWN, Document

ONE = Sentence.from_words(
    ["Dogs", "bark"], upos=["NOUN", "VERB"], heads=[2, 0], relations=["nsubj", "root"]
)


def document_of(count: int) -> Document:
    sentences = [
        Sentence.from_words(ONE.forms, upos=ONE.upos, heads=ONE.heads, relations=ONE.relations,
                            start=10 * number)
        for number in range(count)
    ]  # fmt: skip
    return Document("Dogs bark " * count, tuple(sentences))


def test_it_is_a_sequence_of_words():
    document = document_of(2)
    assert [word.form for word in document] == ["Dogs", "bark"] * 2
    assert len(document) == 4
    assert document[0] is document.words[0] is document.sentences[0][0]
    assert document[-1].head is None
    assert document[1:3] == (document[1], document[2])
    assert document[2] in document[3].children
    assert len({*document, *document.words}) == 4
    with pytest.raises(IndexError):
        _ = document[4]


def test_words_are_found_in_linear_time():
    document = document_of(2000)
    start = time.monotonic()
    heads = [document.words[i].head for i in range(len(document))]
    assert time.monotonic() - start < 5  # rebuilt at every access, it took minutes
    assert sum(head is None for head in heads) == 2000


def test_what_is_shown_fits_a_line():
    document = document_of(2000)
    sentence = Sentence.from_words(["x" * 100] * 300, comments=["# sent_id = " + "s" * 200])
    for one in (document, document.sentences[0], document[0], sentence, sentence[0]):
        assert len(repr(one)) < 120
        assert "\n" not in repr(one)
    assert str(document) == repr(document)
    assert repr(document_of(1)) == "<Document: 1 sentence, 2 words, 'Dogs bark '>"
    assert str(ONE) == "<Sentence: 2 words, 'Dogs bark'>"


def test_a_sentence_is_written_as_in_its_document():
    document = document_of(2)
    assert "".join(one.conllu() for one in document.sentences) == document.conllu()


def test_a_notebook_shows_the_first_trees_and_how_many_more_there_are():
    assert "more sentence" not in document_of(SHOWN)._repr_html_()
    assert "… and 1 more sentence<" in document_of(SHOWN + 1)._repr_html_()
    many = document_of(2000)._repr_html_()
    assert "… and 1,990 more sentences<" in many
    assert len(many) < 100_000
    assert Document("", ())._repr_html_() is None
    assert Document("a", (Sentence.from_words(["a"]),))._repr_html_() is None


def test_tables_and_dictionaries():
    document = document_of(2)
    rows = document.to_dicts()
    assert [(row["sentence"], row["word"], row["head"], row["start"]) for row in rows] == [
        ("1", 1, 2, 0), ("1", 2, 0, 5), ("2", 1, 2, 10), ("2", 2, 0, 15),
    ]  # fmt: skip
    assert asdict(document)["sentences"][0]["forms"] == ("Dogs", "bark")


def test_noun_phrases_of_all_sentences():
    assert [phrase.text for phrase in document_of(3).noun_phrases()] == ["Dogs"] * 3


def test_equal_documents_are_equal_whatever_was_looked_at():
    first, second = document_of(2), document_of(2)
    assert first.words
    assert first == second
    assert hash(first) == hash(second)


@pytest.mark.parametrize("name", ["foo", "text", "sentences", "forms", "form"])
def test_it_is_read_only(name):
    document = document_of(1)
    for one in (document, document.sentences[0], document[0]):
        with pytest.raises(AttributeError, match="read-only.*cannot be set.*changed copies"):
            setattr(one, name, 1)
        with pytest.raises(AttributeError, match="read-only"):
            delattr(one, name)
    assert pickle.loads(pickle.dumps(document)) == document == replace(document)

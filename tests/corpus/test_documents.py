"""Sentences as callers give them, and the ids of those of several documents."""

import pytest

from headwise.corpus.documents import all_sentences, with_distinct_ids
from headwise.corpus.formats import read_sentences, write_sentences
from headwise.corpus.sentence import Sentence
from headwise.pipeline.document import Document


def sentence(*comments: str) -> Sentence:
    return Sentence.from_words(["a"], comments=comments)


def numbered(count: int) -> Document:
    """A document as a pipeline makes them."""
    return Document("a " * count, tuple(sentence(f"# sent_id = {i + 1}") for i in range(count)))


def test_ids_of_several_documents_differ(tmp_path):
    path = tmp_path / "out.conllu"
    write_sentences(path, iter([numbered(2), numbered(0), numbered(1)]))
    found = list(read_sentences(path))
    assert [one.id for one in found] == ["1-1", "1-2", "3-1"]
    assert [one.comment("newdoc id") for one in found] == ["1", None, "3"]


def test_ids_that_are_no_numbers_stay():
    own = Document("a", (sentence("# newdoc id = mine", "# sent_id = s1"),))
    assert next(with_distinct_ids([own, numbered(1)])) == own.sentences[0]
    assert next(with_distinct_ids([Document("a", (sentence(),)), own])).id is None


@pytest.mark.parametrize("many", [False, True])
def test_one_document_and_sentences_stay_as_they_are(many):
    document = numbered(2)
    assert tuple(with_distinct_ids([document] if many else document)) == document.sentences
    assert tuple(with_distinct_ids(iter(document.sentences))) == document.sentences
    assert tuple(all_sentences([document, *document.sentences])) == document.sentences * 2
    assert list(with_distinct_ids([])) == []

"""Words as rows of a table: dictionaries for data frames, tab-separated text for spreadsheets.

Fields that hold a tab, a line end or a quotation mark are quoted, as spreadsheets expect.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.word import Word

HEADINGS = (
    "sentence", "word", "form", "lemma", "upos", "xpos", "feats", "head", "relation", "misc",
    "start", "end",
)  # fmt: skip


def word_row(name: str, word: Word) -> tuple[Any, ...]:
    """What stands under the headings; `name` is that of the sentence."""
    return (
        name, word.id, word.form, word.lemma, word.upos, word.xpos, word.feats, word.head_id,
        word.relation, word.misc, word.start, word.end,
    )  # fmt: skip


def named_words(sentences: Iterable[Sentence]) -> Iterator[tuple[str, tuple[Word, ...]]]:
    """The words of each sentence, after its `sent_id` or else its number."""
    for number, sentence in enumerate(sentences, 1):
        yield sentence.id or str(number), sentence.words


def word_dicts(sentences: Iterable[Sentence]) -> list[dict[str, Any]]:
    """A dictionary for each word: the columns of the table, None where nothing is given, and how
    likely its head and its relation are.
    """
    return [
        {key: None if value == MISSING and key != "form" else value
         for key, value in zip(HEADINGS, word_row(name, word), strict=True)}
        | {"head_probability": word.head_probability,
           "relation_probability": word.relation_probability}
        for name, words in named_words(sentences)
        for word in words
    ]  # fmt: skip


def format_tsv(sentences: Iterable[Sentence]) -> Iterator[str]:
    """A heading, and a row for every word; `sentence` is its `sent_id`, or else its number."""
    line = io.StringIO()
    writer = csv.writer(line, delimiter="\t", lineterminator="\n")
    writer.writerow(HEADINGS)
    yield line.getvalue()
    for name, words in named_words(sentences):
        line.seek(0)
        line.truncate()
        writer.writerows(word_row(name, word) for word in words)
        yield line.getvalue()

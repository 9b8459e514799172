"""Words as rows: data frames of pandas, tables of Arrow.

The columns are those of `--to tsv`, after the id of the document and before probabilities. What is
not given is null.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

from headwise.corpus.documents import Sentences, parts_of
from headwise.corpus.jsonlines import with_nulls
from headwise.corpus.output import refusing_surrogates
from headwise.corpus.sentence import Sentence
from headwise.corpus.tabular import HEADINGS
from headwise.corpus.word import commented_number, noted_number, spans_of
from headwise.integrations.libraries import library

TYPES = dict.fromkeys(("document", *HEADINGS), "string") | {
    "word": "int32", "head": "int32", "start": "int64", "end": "int64",
    "head_probability": "float64", "relation_probability": "float64",
    "tree_probability": "float64", "score": "float64",
}  # fmt: skip
"""The columns, and their types in Arrow."""

Columns = dict[str, list[Any]]
InDocument = tuple[str | None, str, Sentence]
"""A sentence after the ids of its document and itself."""


def to_arrow(docs: Sentences) -> Any:
    """A table of Arrow with a row for each word of documents or sentences, one or many.

    Documents are numbered from 1, unless a comment (`newdoc id`) names them.
    """
    return arrow_table(columns_of(in_documents(docs)))


def to_pandas(docs: Sentences) -> Any:
    """The same as a data frame of pandas; numbers that may be missing are of type Int64."""
    pandas = library("pandas")
    columns = columns_of(in_documents(docs))
    nullable = {name: pandas.array(columns[name], "Int64") for name in ("head", "start", "end")}
    likely = {
        name: pandas.array(columns[name], "float64")
        for name, kind in TYPES.items()
        if kind == "float64"
    }
    with refusing_surrogates():
        return pandas.DataFrame(columns | nullable | likely)


def arrow_table(columns: Columns) -> Any:
    """Columns as a table of Arrow."""
    with refusing_surrogates():
        return library("pyarrow").table(columns, schema=arrow_schema())


def arrow_schema() -> Any:
    """The types of the columns."""
    return library("pyarrow").schema(list(TYPES.items()))


def in_documents(given: Sentences, document: str | None = None) -> Iterator[InDocument]:
    """All sentences with ids: those of documents by their number, or as comments name them.

    `document` is the one that the first sentences belong to, where they are part of one.
    """
    number = loose = 0
    for one in parts_of(given):
        if not isinstance(one, Sentence):
            number += 1
            document = str(number)
        for place, sentence in enumerate([one] if isinstance(one, Sentence) else one.sentences, 1):
            named = sentence.comment("newdoc id")
            document = document if named is None else named
            loose += 1
            unnamed = loose if isinstance(one, Sentence) else place
            yield document, sentence.id or str(unnamed), sentence


def columns_of(sentences: Iterable[InDocument]) -> Columns:
    """The columns of the words of sentences."""
    columns: Columns = {name: [] for name in TYPES}
    for document, name, sentence in sentences:
        add_sentence(columns, document, name, sentence)
    return columns


def add_sentence(columns: Columns, document: str | None, name: str, sentence: Sentence) -> None:
    """Add the words of a sentence to columns."""
    count = len(sentence)
    spans = [span or (None, None) for span in spans_of(sentence)]
    found: dict[str, Iterable[Any]] = {
        "document": repeat(document, count),
        "sentence": repeat(name, count),
        "word": range(1, count + 1),
        "form": sentence.forms,
        "lemma": with_nulls(sentence.lemmas),
        "upos": with_nulls(sentence.upos),
        "xpos": with_nulls(sentence.xpos),
        "feats": with_nulls(sentence.feats),
        "head": sentence.heads,
        "relation": with_nulls(sentence.relations),
        "misc": with_nulls(sentence.misc),
        "start": [start for start, _ in spans],
        "end": [end for _, end in spans],
        "head_probability": numbers(sentence.misc, "HeadProb"),
        "relation_probability": numbers(sentence.misc, "LabelProb"),
        "tree_probability": repeat(commented_number(sentence, "tree_prob"), count),
        "score": repeat(commented_number(sentence, "score"), count),
    }
    for column, values in found.items():
        columns[column].extend(values)


def numbers(misc: Sequence[str], name: str) -> list[float | None]:
    """The numbers of this name in MISC."""
    item = f"{name}="
    return [noted_number(one, name) if item in one else None for one in misc]

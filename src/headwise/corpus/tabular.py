"""A table of words, tab-separated with a heading, for spreadsheets and data frames.

Fields that hold a tab, a line end or a quotation mark are quoted, as spreadsheets expect.
"""

import csv
import io
from collections.abc import Iterable, Iterator

from headwise.corpus.sentence import Sentence

HEADINGS = (
    "sentence", "word", "form", "lemma", "upos", "xpos", "feats", "head", "relation", "misc",
    "start", "end",
)  # fmt: skip


def format_tsv(sentences: Iterable[Sentence]) -> Iterator[str]:
    """A heading, and a row for every word; `sentence` is its `sent_id`, or else its number."""
    line = io.StringIO()
    writer = csv.writer(line, delimiter="\t", lineterminator="\n")
    writer.writerow(HEADINGS)
    yield line.getvalue()
    for number, sentence in enumerate(sentences, 1):
        line.seek(0)
        line.truncate()
        name = sentence.id or str(number)
        writer.writerows(
            (name, word.id, word.form, word.lemma, word.upos, word.xpos, word.feats, word.head,
             word.relation, word.misc, word.start, word.end)
            for word in sentence.words
        )  # fmt: skip
        yield line.getvalue()

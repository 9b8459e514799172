"""Words as rows of a table."""

import csv

from headwise.corpus.sentence import Sentence
from headwise.corpus.tabular import HEADINGS, format_tsv, word_dicts

SENTENCES = [
    Sentence.from_words(
        ['say "so"', "_"],
        heads=[0, 1],
        relations=["root", "dep"],
        misc=["HeadProb=0.5", "_"],
        comments=["# sent_id = s"],
    ),
    Sentence.from_words(["x"]),
]


def test_dictionaries_hold_what_the_table_holds():
    rows = word_dicts(SENTENCES)
    table = list(csv.DictReader("".join(format_tsv(SENTENCES)).splitlines(), delimiter="\t"))
    assert [tuple(row)[: len(HEADINGS)] for row in rows] == [HEADINGS] * 3
    for row, line in zip(rows, table, strict=True):
        for key in HEADINGS:
            assert str(row[key]) == line[key] or (row[key] is None and line[key] in ("_", ""))


def test_what_is_missing_is_none_but_a_form_is_text():
    first, second, third = word_dicts(SENTENCES)
    assert (first["sentence"], first["word"], first["head"], first["start"]) == ("s", 1, 0, 0)
    assert (first["head_probability"], first["relation_probability"]) == (0.5, None)
    assert (second["form"], second["upos"], second["misc"]) == ("_", None, None)
    assert (third["sentence"], third["head"], third["relation"]) == ("2", None, None)
    assert SENTENCES[0].to_dicts() == [first, second]

import pytest

from headwise.errors import UsageError
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.unlabelledstorage import rows_of_dev, rows_of_treebank, settings_of


def test_cards_say_what_was_learnt_from_and_how_good_it_is_where_that_is_known():
    report = {"sentences": 1200, "words": 34000, "left_out": 3}
    assert rows_of_treebank(report) == [
        ("sentences learnt from", "1,200 (34,000 words)"),
        ("sentences left out", 3),
    ]
    assert rows_of_dev(report) == []
    scores = {"dev_uas": 80.123, "dev_undirected": 85.0}
    assert rows_of_dev(report | scores) == [
        ("UAS on dev", "80.12"),
        ("undirected, the same way", "85.00"),
    ]


def test_a_parser_that_has_learnt_nothing_is_no_model():
    with pytest.raises(UsageError, match="not fitted"):
        settings_of(LexicalParser(), None)

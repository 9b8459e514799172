"""What models of all kinds of parsers have in common."""

import pytest

from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.registry import PARSERS, parser_class
from headwise.parsers.stored import StoredParser, rows_of_treebank
from headwise.storage.modelfile import ModelFile


def test_cards_say_what_was_learnt_from():
    report = {"sentences": 1200, "words": 34000, "left_out": 3}
    assert rows_of_treebank(report) == [
        ("sentences learnt from", "1,200 (34,000 words)"),
        ("sentences left out", 3),
    ]


def test_a_parser_that_has_learnt_nothing_is_no_model():
    with pytest.raises(UsageError, match="not fitted"):
        LexicalParser().to_model()


@pytest.mark.parametrize("kind", PARSERS)
def test_every_kind_says_how_it_is_stored(kind):
    storage = parser_class(kind).storage()
    assert storage.kind == kind
    assert issubclass(storage.own.Stored, StoredParser)
    with pytest.raises(ModelError, match=f"^m: the settings of this {storage.own.NAME} are"):
        storage.of_model(ModelFile(kind, {}, {}, ""), SourceLocation("m"))

"""The table of kinds of parsers says what their classes say."""

import pytest

from headwise.parsers.registry import PARSERS, parser_class, parser_for


@pytest.mark.parametrize("kind", PARSERS)
def test_the_table_knows_the_kind_of_each_class(kind):
    cls = parser_class(kind)
    assert cls.kind == cls.storage().kind == kind


def test_learners_select_their_kind():
    assert parser_for("lexical") is parser_class("lexical")
    assert parser_for("perceptron") is parser_for(None) is parser_class("parser")

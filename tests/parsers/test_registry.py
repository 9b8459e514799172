"""The table of kinds of parsers says what their classes say."""

import pytest

from headwise.parsers.registry import PARSERS, storage_of


@pytest.mark.parametrize("kind", PARSERS)
def test_the_table_knows_the_kind_of_each_class(kind):
    assert storage_of(kind).kind == kind

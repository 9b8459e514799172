"""A parser that several files ask."""

import pytest
from bracketbank import small_treebank

from headwise.constituency.parser import ConstituencyParser


@pytest.fixture(scope="session")
def parser() -> ConstituencyParser:
    return ConstituencyParser().fit(small_treebank())

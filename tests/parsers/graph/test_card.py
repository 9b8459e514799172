"""The card of a model."""

import pytest

from headwise.parsers.graph.parser import DependencyParser
from headwise.storage.modelfile import read_card
from toytreebank import SMALL, toy_treebank

TRAIN, DEV = toy_treebank(40, 1), toy_treebank(20, 2)


@pytest.fixture(scope="module", params=[8, 16, 32])
def parser(request, tmp_path_factory) -> DependencyParser:
    path = tmp_path_factory.mktemp("features") / "few.txt"
    path.write_text("distance h.tag m.tag\nplain h.word m.word\ndistance h.tag b.tag m.tag\n")
    made = DependencyParser(features=str(path), tables=SMALL, epochs=1, bits=request.param)
    return made.fit(TRAIN, DEV)


def test_the_card(parser, tmp_path):
    parser.save(tmp_path / "m", about={"trained on": "a|b\n<script>.conllu"})
    card = read_card(tmp_path / "m")
    assert "| trained on | a\\|b␊<script>.conllu |" in card
    assert f"under the tags it was given there | {parser.report_['dev_uas']:.2f} |" in card
    assert f"{parser.bits} bits each" in card

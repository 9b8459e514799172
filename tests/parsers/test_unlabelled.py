"""What parsers that find heads alone have in common."""

import pytest

from headwise.errors import UsageError
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.linkmargin.parser import LinkMarginParser
from headwise.parsers.unlabelled import UnlabelledParser, rows_of_dev
from headwise.pipeline.document import Document
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(40, 1), toy_treebank(10, 2)
MADE = {
    "lexical": lambda: LexicalParser(neighbours=0),
    "links": lambda: LinkMarginParser(neighbours=0, tolerance=0.2),
    "boosted": lambda: BoostedParser(rounds=1),
}


@pytest.mark.parametrize("name", MADE)
def test_streams_and_documents_are_learnt_from(name):
    def fitted(sentences, dev) -> UnlabelledParser:
        return MADE[name]().fit(sentences, dev)

    of_lists = fitted(TRAIN, DEV)
    of_streams = fitted(iter(TRAIN), iter(DEV))
    of_documents = fitted([Document("", tuple(TRAIN))], Document("", tuple(DEV)))
    scores = of_lists.scores(DEV)
    for parser in (of_streams, of_documents):
        assert parser.report_["dev_uas"] == of_lists.report_["dev_uas"]
        assert parser.report_["sentences"] == len(TRAIN)
        assert parser.scores(iter(DEV)) == scores
        assert parser.predict(DEV) == of_lists.predict(DEV)
    with pytest.raises(UsageError, match=r"read_sentences\('train\.conllu'\)"):
        fitted("train.conllu", None)


def test_cards_say_how_good_it_is_where_that_is_known():
    report = {"sentences": 1200}
    assert rows_of_dev(report) == []
    scores = {"dev_uas": 80.123, "dev_undirected": 85.0}
    assert rows_of_dev(report | scores) == [
        ("UAS on dev", "80.12"),
        ("undirected, the same way", "85.00"),
    ]

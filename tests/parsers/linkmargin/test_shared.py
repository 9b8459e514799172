"""Links of a real treebank by large margins."""

import pytest

from headwise import read_sentences
from headwise.parsers.linkmargin.parser import LinkMarginParser

FILE = "zh_gsd/zh_gsd-ud-{}.conllu.gz"


@pytest.mark.shared
@pytest.mark.parametrize(("loss", "passes"), [("local", 40), ("global", 60)])
def test_margins_of_short_chinese_sentences_are_solved(loss, passes, treebanks):
    train = [one for one in read_sentences(treebanks / FILE.format("train")) if len(one) <= 10]
    parser = LinkMarginParser(loss=loss, neighbours=0, epochs=passes, tolerance=0.005).fit(train)
    assert parser.report_["history"][-1]["gap"] <= 0.005
    assert parser.scores(train)["undirected"] > 0.95

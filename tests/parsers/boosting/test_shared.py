"""The boosted parser on a real treebank."""

import pytest

from headwise import read_sentences
from headwise.parsers.boosting.parser import BoostedParser

FILE = "en_ewt/en_ewt-ud-{}.conllu.gz"


@pytest.mark.shared
def test_links_of_ewt_are_learnt(treebanks):
    train = list(read_sentences(treebanks / FILE.format("train")))
    dev = [one for one in read_sentences(treebanks / FILE.format("dev")) if len(one) <= 6]
    parser = BoostedParser(rounds=2, longest=6, tags="upos").fit(train, dev, jobs=2)
    assert parser.report_["dev_uas"] > 75
    first, second = parser.report_["history"]
    assert second["train_uas"] > first["train_uas"]

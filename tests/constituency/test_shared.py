"""On the treebank beside the repository: what docs/constituents.md promises, on a part of it."""

import pytest

from headwise.constituency import ConstituencyParser, mbr_predict, score_trees
from headwise.constituency.files import read_trees
from headwise.corpus.constituents import remove_traces


@pytest.mark.shared
def test_accuracy_on_a_part_of_the_penn_treebank(treebanks):
    folder = treebanks / "ptb-sample"
    train = list(read_trees(folder / "ptb-sample-train.mrg.gz"))
    gold = list(read_trees(folder / "ptb-sample-dev.mrg.gz"))[:40]
    parser = ConstituencyParser().fit(train[-1700:])
    lists = []
    for tree in gold:
        leaves = list(remove_traces(tree).leaves())
        forms, tags = [leaf.form for leaf in leaves], [leaf.tag for leaf in leaves]
        lists.append(parser.kbest(forms, 20, tags))
    best = score_trees(gold, [one.best for one in lists]).ratios().ratios()[2]
    predicted = score_trees(gold, [mbr_predict(one).tree for one in lists]).ratios().ratios()[2]
    assert best > 0.75
    assert predicted > best - 0.01

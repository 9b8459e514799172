"""Children of a grammar that is smoothed are a distribution."""

import pytest
from bracketbank import small_treebank

from headwise.constituency.annotation import Annotation, plain
from headwise.constituency.markov import Smoothing


def test_what_children_come_to_is_a_distribution():
    from headwise.constituency.annotation import productions
    from headwise.constituency.markov import ChildProcess
    from headwise.corpus.headrules import HeadRules

    annotation = Annotation()
    process = ChildProcess(annotation, 2, Smoothing(1.0, 0, 0.0))
    for tree in small_treebank():
        for production in productions(plain(tree), annotation, HeadRules.load("collins")):
            if not production.word:
                process.count(production)
    for parent in process.parents:
        assert sum(process.events(parent, None).values()) == pytest.approx(1.0)
        for event in (one for one in process.events(parent, None) if not one & 1):
            following = process.events(parent, (event >> 1,))
            assert sum(following.values()) == pytest.approx(1.0)

"""Crossing arcs under projective search: counted, and warned of where there are many."""

import pytest

from headwise.errors import HeadwiseWarning
from headwise.learners.crossing import CrossingTrees
from headwise.learners.data import training_data
from headwise.learners.settings import TrainingSettings
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.lexical.parser import LexicalParser
from headwise.scoring.linear.atoms import AtomEncoder
from toytreebank import toy_treebank

NESTED, CROSSING = toy_treebank(90, 1), toy_treebank(10, 2, crossing=1.0)
WORDS = sum(map(len, [*NESTED, *CROSSING]))


def test_trees_and_heads_that_lifting_changes_are_counted():
    found = CrossingTrees.among([*NESTED, *CROSSING])
    assert found == CrossingTrees(100, 10, WORDS, 10)
    assert not CrossingTrees.among(NESTED).are_many
    assert not CrossingTrees(100, 4, WORDS, 4).are_many
    assert CrossingTrees(100, 5, WORDS, 5).are_many
    assert not CrossingTrees(10, 4, WORDS, 4).are_many


def test_projective_training_on_crossing_trees_is_warned_of():
    told = (
        r"10 of 100 training trees \(10.0%\) have crossing arcs.* 10 heads.* up to "
        rf"{1000 / WORDS:.2f} points of UAS; .*--decoder non-projective.*--set crossing=lift-head"
    )
    with pytest.warns(HeadwiseWarning, match=told):
        training_data([*NESTED, *CROSSING], TrainingSettings(), AtomEncoder())


@pytest.mark.parametrize(
    "chosen", [{"decoder": "non-projective"}, {"crossing": "lift-head"}, {"crossing": "leave-out"}]
)
def test_who_has_chosen_what_becomes_of_them_is_not_warned(chosen):
    training_data([*NESTED, *CROSSING], TrainingSettings(**chosen), AtomEncoder())


def test_few_crossing_trees_are_not_warned_of():
    training_data([*NESTED, *CROSSING[:4]], TrainingSettings(), AtomEncoder())


@pytest.mark.parametrize("parser", [LexicalParser(neighbours=0), BoostedParser(rounds=1)])
def test_parsers_that_are_always_projective_say_so(parser):
    with pytest.warns(HeadwiseWarning, match="parsers of this learner are always projective"):
        parser.fit([*NESTED[:10], *CROSSING[:5]])

"""Crossing arcs under projective search: counted, and warned of where there are many."""

from contextlib import nullcontext

import pytest

from headwise.errors import HeadwiseWarning
from headwise.learners.crossing import warn_of_crossing
from headwise.learners.data import training_data
from headwise.learners.settings import TrainingSettings
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.lexical.parser import LexicalParser
from headwise.scoring.linear.atoms import AtomEncoder
from toytreebank import toy_treebank

NESTED, CROSSING = toy_treebank(90, 1), toy_treebank(10, 2, crossing=1.0)
WORDS = sum(map(len, [*NESTED, *CROSSING]))


@pytest.mark.parametrize(
    ("nested", "crossing", "many"), [(95, 5, True), (96, 4, False), (6, 4, False), (90, 0, False)]
)
def test_crossing_trees_are_many_from_a_share_and_a_number_on(nested, crossing, many):
    trees = [*(NESTED * 2)[:nested], *CROSSING[:crossing]]
    with pytest.warns(HeadwiseWarning) if many else nullcontext():
        warn_of_crossing(trees, "")


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

"""Sets of templates of higher parts: those of the papers are whole, and mistakes have a place."""

import pytest

from headwise.errors import UsageError
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear.partsets import PAPER_002, load_part_features
from headwise.scoring.linear.parttemplates import PartTemplate
from headwise.search.parts import Part
from toytreebank import SMALL, toy_treebank

# Rows of table 1 of Ma & Zhao 2012.
ROWS = {"grand-sibling": 45, "tri-sibling": 38, "grand-tri-sibling": 11}


@pytest.mark.parametrize("part", ROWS)
def test_table_1_of_paper_002_is_whole(part):
    rows = PAPER_002[part].split()
    assert len(rows) == len(set(rows)) == ROWS[part]
    kept = [one for one in load_part_features("paper-002").templates if one.part.label == part]
    only_words = [row for row in rows if "P" not in row]  # the same with fine and coarse tags
    assert len(kept) == 2 * len(rows) - len(only_words)


def test_four_grams_without_a_head_can_be_left_out():
    whole, less = (
        {str(one) for one in load_part_features(name).templates}
        for name in ("paper-002", "paper-002-no-backoff")
    )
    assert less < whole
    assert len(whole - less) == 10
    assert all(row.startswith("grand-tri-sibling") and " h." not in row for row in whole - less)


def test_dynamic_features_are_templates_of_parts():
    """The number of previous children is whether there is a sibling, and one before it."""
    found = load_part_features("paper-003")
    assert {one.part for one in found.templates} == {
        Part.SIBLING, Part.TRI_SIBLING, Part.GRAND_SIBLING, Part.STOP,
    }  # fmt: skip
    counting = PartTemplate.parse("tri-sibling h.tag r.here s.here m.tag")
    assert counting in found.templates
    assert (
        found.only([Part.STOP]).templates
        == load_part_features("default").only([Part.STOP]).templates
    )


def test_a_parser_learns_with_dynamic_features():
    train, dev = toy_treebank(40, 1), toy_treebank(20, 2)
    parts = ("arc", "sibling", "grand-sibling", "tri-sibling", "stop")
    parser = DependencyParser(
        parts=parts, part_features="paper-003", tables=SMALL, epochs=3, labels="none"
    ).fit(train, dev)
    assert parser.score(dev) > 0.9


def test_a_set_that_does_not_exist():
    with pytest.raises(UsageError, match="sets: default, paper-002"):
        load_part_features("paper-9")

"""Whether the differences between two parsers are significant."""

from bracketbank import tree

from headwise.constituency.comparison import compare_trees
from headwise.constituency.parseval import score_trees


def test_differences_are_tested():
    gold = [tree("(S (A (X a)) (X b))")] * 20
    wrong = [tree("(S (X a) (B (X b)))")] * 20
    counts = score_trees(gold, wrong), score_trees(gold, gold)
    found = {one.measure: one for one in compare_trees(*counts, rounds=500)}
    assert (found["f1"].a, found["f1"].b) == (50.0, 100.0)
    assert found["f1"].randomisation_p < 0.01
    assert found["tags"].randomisation_p == 1.0
    assert found["f1"].to_json()["difference"] == 50.0

import pytest
from bracketbank import tree, tree_lists
from hypothesis import given, settings

from headwise.constituency.bracketing import brackets_of
from headwise.constituency.conventions import Conventions
from headwise.constituency.parseval import TreeEvaluation, compare_trees, score_tree, score_trees
from headwise.errors import MismatchError

COLLINS = Conventions.load("collins")
GOLD = tree(
    "( (S (NP-SBJ (DT the) (NN dog)) (, ,) (VP (VBZ runs) (PRT (RP off)) (SBAR (-NONE- 0)"
    " (S (-NONE- *)))) (. .)) )"
)
SYSTEM = tree("(TOP (S (NP (DT the) (NN dog) (, ,)) (VP (VBZ runs) (ADVP (RB off))) (. .)))")


def test_the_conventions_of_collins():
    """Traces, punctuation, wrappers and functions do not count, and ADVP is PRT."""
    found = score_tree(GOLD, SYSTEM, COLLINS)
    assert (found.gold, found.system, found.matched, found.crossing) == (4, 4, 4, 0)
    assert (found.words, found.tags, found.length) == (4, 3, 6)


def test_everything_counts_where_nothing_is_said():
    found = score_tree(GOLD, SYSTEM, Conventions.load("plain"))
    assert (found.gold, found.system, found.matched) == (4, 4, 2)
    assert found.words == 6


def test_equal_brackets_match_one_to_one():
    twice, once = tree("(S (NP (NP (NN a))) (B b))"), tree("(S (NP (NN a)) (B b))")
    assert score_tree(twice, once, COLLINS).matched == 2
    assert score_tree(once, twice, COLLINS).matched == 2


def test_crossing_is_counted_by_the_systems_brackets():
    gold = tree("(S (A (X a) (X b)) (B (X c) (X d)))")
    system = tree("(S (X a) (C (D (X b) (X c))) (X d))")
    assert score_tree(gold, system, COLLINS).crossing == 2
    assert score_tree(system, gold, COLLINS).crossing == 2
    unlabelled = Conventions.parse(["unlabelled"])
    assert score_tree(gold, tree("(X (Y (X a) (X b)) (X c) (X d))"), unlabelled).matched == 2


def test_measures_over_sentences():
    gold = [tree("(S (A (X a)) (X b))"), tree("(S (A (X a) (X b)) (X c))")]
    system = [tree("(S (A (X a)) (X b))"), tree("(S (X a) (B (Y b) (X c)))")]
    counts = score_trees(gold, system)
    found = TreeEvaluation.of(counts)
    assert found.values == pytest.approx(
        {
            "precision": 75.0,
            "recall": 75.0,
            "f1": 75.0,
            "complete": 50.0,
            "crossing": 0.5,
            "crossing_ratio": 25.0,
            "no_crossing": 50.0,
            "two_crossing": 100.0,
            "tags": 80.0,
        }
    )
    assert TreeEvaluation.of(counts.up_to(2)).values["f1"] == 100.0
    assert TreeEvaluation.of(counts.up_to(0)).to_json()["f1"] is None
    low, high = found.intervals["f1"]
    assert low <= 75.0 <= high


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (["(S (X a))"], "has 1 words, the gold tree 2"),
        (["(S (X a) (X c))"], "word 2 of this tree is 'c', of the gold tree 'b'"),
        ([], "only 0 system trees"),
        (["(S (X a) (X b))"] * 2, "only 1 gold trees"),
    ],
)
def test_trees_of_other_words_are_refused(system, message):
    with pytest.raises(MismatchError, match=message):
        score_trees([tree("(S (X a) (X b))")], [tree(text) for text in system])


@settings(max_examples=60, deadline=None)
@given(tree_lists(most_words=8, most_trees=2))
def test_it_agrees_with_an_independent_implementation(trees):
    """PYEVALB knows no conventions and takes equal brackets as one: trees are chosen so."""
    scorer = pytest.importorskip("PYEVALB.scorer")
    reader = pytest.importorskip("PYEVALB.parser")
    if len(trees) != 2 or any(len(set(b)) < len(b) for b in map(brackets_of, trees)):
        return
    ours = score_tree(*trees, Conventions())
    theirs = scorer.Scorer().score_trees(
        *(reader.create_from_bracket_string(str(found)) for found in trees)
    )
    # It does not look whether a bracket crosses if it matches; a matching one never does.
    assert (ours.gold, ours.system, ours.matched, ours.crossing, ours.tags) == (
        theirs.gold_brackets,
        theirs.test_brackets,
        theirs.matched_brackets,
        theirs.cross_brackets,
        theirs.correct_tags,
    )


def test_differences_are_tested():
    gold = [tree("(S (A (X a)) (X b))")] * 20
    wrong = [tree("(S (X a) (B (X b)))")] * 20
    counts = score_trees(gold, wrong), score_trees(gold, gold)
    found = {one.measure: one for one in compare_trees(*counts, rounds=500)}
    assert (found["f1"].a, found["f1"].b) == (50.0, 100.0)
    assert found["f1"].randomisation_p < 0.01
    assert found["tags"].randomisation_p == 1.0
    assert found["f1"].to_json()["difference"] == 50.0

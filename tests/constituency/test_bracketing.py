from bracketbank import small_treebank, tree, tree_lists
from hypothesis import given

from headwise.constituency.bracketing import Bracket, brackets_of, root_label, tree_of


@given(tree_lists(most_words=8, most_trees=1))
def test_a_tree_comes_back_from_its_brackets(trees):
    (found,) = trees
    assert tree_of(brackets_of(found), list(found.leaves())) == found


def test_brackets_are_listed_from_the_outside_in():
    found = brackets_of(small_treebank()[4])
    assert found == [Bracket("S", 0, 2), Bracket("VP", 0, 1)]


def test_only_wrappers_are_roots():
    assert root_label(tree("(S1 (NP (NN a)))")) == "S1"
    assert root_label(tree("( (NP (NN a)))")) == ""
    assert root_label(tree("(NP (NN a))")) is None
    assert brackets_of(tree("(NP (NN a))")) == [Bracket("NP", 0, 1)]

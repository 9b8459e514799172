import pytest
from bracketbank import small_treebank, tree

from headwise.constituency.annotation import Annotation, plain, productions
from headwise.corpus.headrules import HeadRules
from headwise.errors import TreeError

RULES = HeadRules.load("collins")


def rewritten(found, annotation):
    return [
        f"{one.parent} → {' '.join(map(str, one.children)) or one.word}"
        for one in productions(plain(found), annotation, RULES)
    ]


def test_symbols_know_their_parents_and_heads():
    found = rewritten(tree("(ROOT (S (NP (DT a)) (VP (VBZ is))))"), Annotation())
    assert found[:3] == ["ROOT → S^ROOT", "S^ROOT → NP-b^S VP-VBZ^S", "VP-VBZ^S → VBZ^VP"]
    bare = Annotation(vertical=1, tag_vertical=1, base_marks=(), head_marks=())
    assert "S → NP VP" in rewritten(small_treebank()[3], bare)[1]
    deep = Annotation(vertical=3, tag_vertical=1, base_marks=(), head_marks=())
    assert "NP^S^ROOT → DT" in rewritten(tree("(S (NP (DT a)) (VP (VBZ is)))"), deep)


def test_plain_trees_have_no_traces_functions_or_doubles():
    found = plain(tree("( (S (NP-SBJ (NP (NN a)) ) (VP (VBZ b) (NP (-NONE- *))) (. .)) )"))
    assert str(found) == "(S (NP (NN a)) (VP (VBZ b)) (. .))"
    with pytest.raises(TreeError, match="only traces"):
        plain(tree("(S (-NONE- *))"))

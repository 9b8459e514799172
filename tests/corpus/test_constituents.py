"""Constituency trees: labels, escapes, walks and equality."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.brackets import read_brackets
from headwise.corpus.constituents import (
    Constituent,
    Label,
    Leaf,
    Tree,
    bracketed,
    escape,
    parse_label,
    postorder,
    preorder,
    remove_traces,
    unescape,
)

HEN = """( (S
    (NP-SBJ-1 (DT The) (JJ old) (NN hen) )
    (VP (VBZ wants)
      (S
        (NP-SBJ (-NONE- *-1) )
        (VP (TO to)
          (VP (VB sleep) ))))
    (. .) ))
"""


def read(text: str) -> list[Tree]:
    return list(read_brackets(text.splitlines(keepends=True), "hens.mrg"))


def one(text: str) -> Tree:
    (tree,) = read(text)
    return tree


@pytest.mark.parametrize(
    ("label", "parts"),
    [
        ("NP", Label("NP")),
        ("NP-SBJ-1", Label("NP", frozenset({"SBJ"}))),
        ("NP-TTL-SBJ", Label("NP", frozenset({"TTL", "SBJ"}))),
        ("PP-LOC=2", Label("PP", frozenset({"LOC"}))),
        ("NP-SBJ=1-3", Label("NP", frozenset({"SBJ"}))),
        ("ADVP|PRT", Label("ADVP")),
        ("-LRB-", Label("-LRB-")),
        ("-NONE-", Label("-NONE-")),
        ("PRP$", Label("PRP$")),
        ("WP$", Label("WP$")),
        ("$", Label("$")),
        ("``", Label("``")),
        ("=", Label("=")),
        ("", Label("")),
    ],
)
def test_labels_are_taken_apart(label: str, parts: Label) -> None:
    assert parse_label(label) == parts


def test_constituents_show_category_and_functions() -> None:
    root = one("(NP-SBJ-1 (NN hen))").root
    assert isinstance(root, Constituent)
    assert (root.category, root.functions) == ("NP", {"SBJ"})


def test_escapes_are_undone_in_words_also_inside_them() -> None:
    tree = one(r"(NP (-LRB- -LRB-) (NN hen-LRB-s-RRB-) (CD 1\/2) (SYM \*) (X -LCB-[-RCB-))")
    assert [leaf.word for leaf in tree.leaves()] == ["(", "hen(s)", "1/2", "*", "{[}"]
    assert [leaf.form for leaf in tree.leaves()][1:4] == ["hen-LRB-s-RRB-", r"1\/2", r"\*"]


@given(st.text(alphabet="()[]{}aLR-", max_size=12))
def test_escaping_brackets_can_be_undone(word: str) -> None:
    escaped = escape(word)
    assert not set(escaped) & set("()[]{}")
    if unescape(word) == word and unescape(escaped) == word:
        return
    # Only a word that spells an escape itself, or does so once its brackets are written out, is
    # not told apart from the bracket.
    assert re.search(r"[LR]B", escaped)


names = st.text(alphabet="NPVS-=|1$\\/*", min_size=1, max_size=4)
nodes = st.recursive(
    st.builds(Leaf, names, names),
    lambda inner: st.builds(Constituent, names, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    max_leaves=12,
)


def test_orders_and_spans() -> None:
    root = one("(S (NP (DT a) (NN hen)) (VP (VBZ runs)))").root
    assert " ".join(node.label for node in preorder(root)) == "S NP DT NN VP VBZ"
    assert " ".join(node.label for node in postorder(root)) == "DT NN NP VBZ VP S"
    spans = [(node.label, start, end) for node, start, end in Tree(root).spans()]
    assert spans == [("NP", 0, 2), ("VP", 2, 3), ("S", 0, 3)]


@given(nodes)
def test_spans_cover_the_leaves_of_their_constituents(node: Leaf | Constituent) -> None:
    words = list(Tree(node).leaves())
    for found, start, end in Tree(node).spans():
        assert words[start:end] == list(Tree(found).leaves())


def test_traces_go_with_the_constituents_they_leave_empty() -> None:
    tree = remove_traces(one(HEN))
    assert tree is not None
    assert str(tree) == (
        "( (S (NP-SBJ-1 (DT The) (JJ old) (NN hen)) "
        "(VP (VBZ wants) (S (VP (TO to) (VP (VB sleep))))) (. .)))"
    )
    assert tree.location.line == 1
    assert remove_traces(one("(S (NP (-NONE- *)) (VP (-NONE- *?*)))")) is None


@given(nodes)
def test_removing_traces_keeps_all_words(node: Leaf | Constituent) -> None:
    pruned = remove_traces(Tree(node))
    left = [] if pruned is None else list(pruned.leaves())
    assert left == [leaf for leaf in Tree(node).leaves() if not leaf.is_trace]


def test_equality_and_hash_do_not_recurse() -> None:
    def deep(form: str) -> Constituent:
        node: Leaf | Constituent = Leaf("X", form)
        for _ in range(50_000):
            node = Constituent("X", (node,))
        assert isinstance(node, Constituent)
        return node

    left, right, other = deep("y"), deep("y"), deep("z")
    assert left == right
    assert left != other
    assert hash(left) == hash(right)
    assert left != "y"
    assert bracketed(left).count("(") == 50_001
    assert repr(deep("y")).startswith("<(X (X")


def test_equality_sees_the_shape() -> None:
    shapes = [
        one("(A (B b) (C (B b)))"),
        one("(A (B b) (C (B b) (B b)))"),
        one("(A (B b) (C (B b)) (B b))"),
        one("(A (C (B b)) (B b))"),
    ]
    assert all(left != right for left, right in pairwise(shapes))

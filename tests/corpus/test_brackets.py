"""Penn brackets: what is read, what is refused, and that writing gives it back."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus import brackets
from headwise.corpus.brackets import read_brackets, write_brackets
from headwise.corpus.constituents import (
    Constituent,
    Leaf,
    Tree,
    unwrapped,
)
from headwise.corpus.files import read_lines
from headwise.errors import FormatError, InputError, LimitError, SourceLocation

TREEBANKS = Path(__file__).parents[2] / "../shared/treebanks"

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


def same_after_writing(trees: list[Tree], *, indented: bool) -> bool:
    text = "".join(write_brackets(trees, indented=indented))
    return list(read_brackets(text.split("\n"))) == trees


# ----------------------------------------------------------------------------- reading


def test_tree_over_several_lines() -> None:
    tree = one(HEN)
    assert " ".join(leaf.form for leaf in tree.leaves()) == "The old hen wants *-1 to sleep ."
    assert " ".join(leaf.tag for leaf in tree.leaves()) == "DT JJ NN VBZ -NONE- TO VB ."
    assert tree.location == SourceLocation("hens.mrg", 1)


def test_outer_bracket_is_kept_and_can_be_taken_off() -> None:
    for outer in ("", "ROOT", "TOP"):
        tree = one(f"({outer} (S (VP (VB Run))))")
        assert isinstance(tree.root, Constituent)
        assert tree.root.label == outer
        assert str(unwrapped(tree)) == "(S (VP (VB Run)))"
    assert unwrapped(one("(S (VP (VB Run)))")) == one("(S (VP (VB Run)))")
    two = one("( (NP (NN hen)) (NP (NN fox)))")
    assert unwrapped(two) is two


def test_several_trees_on_a_line_and_lines_without_ends() -> None:
    trees = list(read_brackets(["(NP (NN hen))(NP (NN fox)) (NP", "(NN owl))"]))
    assert [str(tree) for tree in trees] == ["(NP (NN hen))", "(NP (NN fox))", "(NP (NN owl))"]
    assert [tree.location.line for tree in trees] == [1, 1, 1]


def test_each_tree_knows_its_line() -> None:
    assert [tree.location.line for tree in read("\n(NP\n(NN hen))\n\n(NN fox)\n(NP (NN owl))")] == [
        2,
        5,
        6,
    ]


@pytest.mark.parametrize("text", ["(NN\nhen)", "(\nNN\nhen\n)", "( NN  hen )", "(NN hen\n)"])
def test_a_leaf_may_be_broken_anywhere(text: str) -> None:
    assert one(text).root == Leaf("NN", "hen")


def test_only_ascii_space_separates_words() -> None:
    assert one("(CD 10\u00a0000)").root == Leaf("CD", "10\u00a0000")
    assert one("(NN 母\u3000鸡)").root == Leaf("NN", "母\u3000鸡")


def test_reading_streams() -> None:
    def endless() -> "object":
        while True:
            yield "(NP (NN hen))\n"

    trees = read_brackets(endless())  # type: ignore[arg-type]
    assert str(next(trees)) == "(NP (NN hen))"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("(NP (NN hen)\n", 1, "ends within this tree"),
        ("(NN fox)\n\n(NP\n(NN hen)\n", 3, "ends within this tree"),
        ("(NP (NN hen))\n)\n", 2, "closing bracket without an opening one"),
        ("hen (NN fox)", 1, "text outside brackets"),
        ("(NN fox)\nhen", 2, "text outside brackets"),
        ("()", 1, "without a label"),
        ("(S ((NN hen)))", 1, "without a label"),
        ("(S\n(NP\n( (NN hen))))", 3, "without a label"),
        ("(NP)", 1, "nothing in it"),
        ("(S (NP ))", 1, "nothing in it"),
        ("(NP (DT the) hen)", 1, "word without a tag"),
        ("(NN red hen)", 1, "two words under one tag"),
        ("(NN hen (DT the))", 1, "bracket after the word"),
        ("(NN hen (DT the\n))", 2, "bracket after the word"),
    ],
)
def test_malformed_text_is_refused_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(FormatError, match=words) as caught:
        read(text)
    assert caught.value.location == SourceLocation("hens.mrg", line)


def test_limits_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    deepest = "(X " * (brackets.MAX_DEPTH - 1) + "(X y)" + ")" * (brackets.MAX_DEPTH - 1)
    assert len(read(deepest)) == 1
    with pytest.raises(LimitError, match="nested"):
        read("(X " * 100_000)
    with pytest.raises(LimitError, match="label"):
        read("(" + "X" * 201 + " (NN hen))")
    with pytest.raises(LimitError, match="label"):
        read("(" + "X" * 201 + " hen)")
    monkeypatch.setattr(brackets, "MAX_NODES", 5)
    assert len(read("(NP (A a) (A a) (A a) (A a))" * 3)) == 3  # the count is by tree
    with pytest.raises(LimitError, match="nodes") as caught:
        read("\n(NP\n(A a) (A a) (A a) (A a) (A a))")
    assert caught.value.location.line == 2


def trees_or_error(text: str) -> list[Tree] | InputError:
    try:
        return read(text)
    except InputError as error:
        return error


def check_outcome(text: str) -> None:
    outcome = trees_or_error(text)
    if isinstance(outcome, InputError):
        assert outcome.location.path == "hens.mrg"
        assert 1 <= (outcome.location.line or 0) <= text.count("\n") + 1
    else:  # whatever was accepted is all of the text, in order
        assert re.sub(r"\s", "", text) == re.sub(r"\s", "", "".join(map(str, outcome)))


@given(st.text(alphabet="()\n \t-NPx*\\/=|", max_size=60))
def test_any_text_gives_trees_or_an_input_error(text: str) -> None:
    check_outcome(text)


@given(st.integers(0, len(HEN)), st.integers(0, 4), st.sampled_from(["", "(", ")", "( ", " x "]))
def test_damaged_trees_give_trees_or_an_input_error(start: int, gone: int, put: str) -> None:
    check_outcome(HEN[:start] + put + HEN[start + gone :])


@given(st.text(max_size=40))
def test_any_characters_give_trees_or_an_input_error(text: str) -> None:
    try:
        trees = list(read_brackets([f"(NN {text})"]))
    except InputError:
        return
    assert same_after_writing(trees, indented=False)


def test_literal_round_brackets_are_escaped_in_writing() -> None:
    tree = Tree(Constituent("NP", (Leaf("-LRB-", "("), Leaf("NN", "hen(s)"), Leaf("X", "[a]"))))
    (text,) = write_brackets([tree])
    assert text == "(NP (-LRB- -LRB-) (NN hen-LRB-s-RRB-) (X [a]))\n"
    assert [leaf.word for leaf in one(text).leaves()] == [leaf.form for leaf in tree.leaves()]


# -------------------------------------------------------------------------------- writing

names = st.text(alphabet="NPVS-=|1$\\/*", min_size=1, max_size=4)
nodes = st.recursive(
    st.builds(Leaf, names, names),
    lambda inner: st.builds(Constituent, names, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    max_leaves=12,
)
trees_of_nodes = st.builds(Tree, nodes)


@given(st.lists(trees_of_nodes, max_size=4), st.booleans())
def test_written_trees_are_read_back(trees: list[Tree], indented: bool) -> None:
    assert same_after_writing(trees, indented=indented)


def test_unlabelled_outer_bracket_is_written_as_penn_does() -> None:
    assert "".join(write_brackets([one(HEN)])).startswith("( (S (NP-SBJ-1 (DT The)")


def test_indented_form() -> None:
    (text,) = write_brackets([one(HEN)], indented=True)
    assert text.splitlines() == [line.replace(" )", ")") for line in HEN.splitlines()]


@pytest.mark.parametrize(
    "node",
    [
        Leaf("NN", "red hen"),
        Leaf("NN", ""),
        Leaf("", "hen"),
        Leaf("N(N", "hen"),
        Constituent("NP", ()),
        Constituent("N P", (Leaf("NN", "hen"),)),
        Constituent("S", (Constituent("", (Leaf("NN", "hen"),)),)),
    ],
)
def test_what_could_not_be_read_back_is_not_written(node: Leaf | Constituent) -> None:
    with pytest.raises(FormatError):
        list(write_brackets([Tree(node)]))


# ------------------------------------------------------------------------------- shared


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "trees", "words", "traces"),
    [
        ("gum/gum-train", 10_224, 177_410, 0),
        ("gum/gum-dev", 1_575, 28_119, 0),
        ("ptb-sample/ptb-sample-train", 3_396, 81_793, 5_721),
        ("ptb-sample/ptb-sample-dev", 273, 6_327, 445),
    ],
)
def test_shared_trees_are_read_and_written_back(
    name: str, trees: int, words: int, traces: int
) -> None:
    path = TREEBANKS / f"{name}.mrg.gz"
    if not path.exists():
        pytest.skip("the shared treebanks are not here")
    lines = list(read_lines(path))
    found = list(read_brackets(lines, str(path)))
    every = [leaf for tree in found for leaf in tree.leaves()]
    assert len(found) == trees
    assert sum(leaf.is_trace for leaf in every) == traces
    assert sum(not leaf.is_trace for leaf in every) == words
    written = "".join(write_brackets(found))
    if name.startswith("gum"):
        assert written == "\n".join(lines) + "\n"
    assert list(read_brackets(written.split("\n"))) == found


def test_lines_of_markup_between_trees_are_passed_over() -> None:
    text = ["<DOC>", "<S ID=1>", "( (IP (NP (NN 狗)) (VP (VV 叫))) )", "</S>", "</DOC>"]
    (tree,) = read_brackets(text)
    assert [leaf.word for leaf in tree.leaves()] == ["狗", "叫"]
    assert tree.location.line == 3
    (inside,) = read_brackets(["(S (X", "<S>", "))"])
    assert [leaf.form for leaf in inside.leaves()] == ["<S>"]

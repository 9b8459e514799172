"""Trees turned into dependencies, whatever the rules."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.brackets import read_brackets
from headwise.corpus.constituents import Constituent, Leaf, Tree, remove_traces
from headwise.corpus.dependencies import to_dependencies, to_sentence
from headwise.corpus.files import read_lines
from headwise.corpus.headrules import RULE_SETS, HeadRules
from headwise.corpus.tree import heads_array, is_projective, is_single_rooted, is_tree
from headwise.errors import SourceLocation, TreeError

TREEBANKS = Path(__file__).parents[2] / "../shared/treebanks"
YAMADA = HeadRules.load("yamada-matsumoto")
COLLINS = HeadRules.load("collins")


def test_sentence_has_words_and_tags_as_they_should_be() -> None:
    text = "(S (-LRB- -LRB-) (NP (CD 1\\/2)) (NP (NN hen-LRB-s-RRB-)) (-RRB- -RRB-))"
    (sentence,) = to_dependencies(read_brackets([text]), YAMADA)
    assert sentence.forms == ("(", "1/2", "hen(s)", ")")
    assert sentence.xpos == ("-LRB-", "CD", "NN", "-RRB-")
    assert sentence.upos == ("_",) * 4


def test_sentence_knows_where_its_tree_was() -> None:
    trees = read_brackets(["", "(NN hen)"], "hens.mrg")
    (sentence,) = to_dependencies(trees, YAMADA)
    assert sentence.location == SourceLocation("hens.mrg", 2)
    assert sentence.heads == (0,)


def test_tree_of_traces_only_is_refused() -> None:
    trees = read_brackets(["(S (NP (-NONE- *)))"], "hens.mrg")
    with pytest.raises(TreeError, match="only traces") as caught:
        list(to_dependencies(trees, YAMADA))
    assert caught.value.location == SourceLocation("hens.mrg", 1)


def test_very_wide_and_very_deep_trees() -> None:
    wide = Tree(Constituent("NP", tuple(Leaf("NN", "hen") for _ in range(5_000))))
    assert set(to_sentence(wide, YAMADA).heads) == {0, 5_000}
    node: Leaf | Constituent = Leaf("NN", "hen")
    for _ in range(20_000):
        node = Constituent("NP", (Leaf("DT", "a"), node))
    assert to_sentence(Tree(node), COLLINS).heads[-1] == 0


labels = st.sampled_from(
    ["S", "NP-SBJ", "VP", "PP", "SBAR", "PRN", "X", "CC", "NN", "VB", ",", "-LRB-"]
)
nodes = st.recursive(
    st.builds(Leaf, st.sampled_from(["NN", "VB", "CC", ",", "-NONE-", "IN"]), st.just("w")),
    lambda inner: st.builds(
        Constituent, labels, st.lists(inner, min_size=1, max_size=4).map(tuple)
    ),
    max_leaves=15,
)


def is_nested(heads: list[int]) -> bool:
    """Whether no two arcs cross: checked arc by arc, not by the library's own function."""
    spans = [(min(m, h), max(m, h)) for m, h in enumerate(heads) if m > 0]
    return not any(a < c < b < d for a, b in spans for c, d in spans)


@given(nodes, st.sampled_from(RULE_SETS))
def test_dependencies_are_a_nested_tree_over_all_words(node: Leaf | Constituent, name: str) -> None:
    tree = Tree(node)
    pruned = remove_traces(tree)
    if pruned is None:
        return
    sentence = to_sentence(tree, HeadRules.load(name))
    assert len(sentence) == len(list(pruned.leaves()))
    heads = heads_array([head or 0 for head in sentence.heads])
    assert is_tree(heads)
    assert is_single_rooted(heads)
    assert is_nested(heads)


@pytest.mark.shared
@pytest.mark.parametrize("rules", ["yamada-matsumoto", "collins"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gum/gum-train", 177_410),
        ("gum/gum-dev", 28_119),
        ("ptb-sample/ptb-sample-train", 81_793),
        ("ptb-sample/ptb-sample-dev", 6_327),
    ],
)
def test_shared_trees_become_nested_trees(name: str, words: int, rules: str) -> None:
    path = TREEBANKS / f"{name}.mrg.gz"
    if not path.exists():
        pytest.skip("the shared treebanks are not here")
    count = 0
    for sentence in to_dependencies(read_brackets(read_lines(path)), HeadRules.load(rules)):
        count += len(sentence)
        heads = heads_array([head or 0 for head in sentence.heads])
        assert is_tree(heads)
        assert is_single_rooted(heads)
        assert is_projective(heads)
    assert count == words

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_tree import trees

from headwise.corpus.conllu import read_conllu
from headwise.corpus.projectivise import (
    ENCODINGS,
    deprojectivise,
    nested_order,
    projectivise,
    reorder,
)
from headwise.corpus.tree import heads_array, is_projective, is_tree
from headwise.errors import TreeError, UsageError

# "A letter arrived yesterday that nobody expected": the clause (7) belongs to the letter (2).
LETTER = [-1, 2, 3, 0, 3, 7, 7, 2]
RELATIONS = ["", "det", "nsubj", "root", "advmod", "obj", "nsubj", "acl"]


@st.composite
def labelled_trees(draw: st.DrawFn) -> tuple[list[int], list[str]]:
    heads = draw(trees())
    relation = st.sampled_from(["a", "b", "c"])
    return heads, ["", *draw(st.lists(relation, min_size=len(heads) - 1, max_size=len(heads) - 1))]


@pytest.mark.parametrize(
    ("encoding", "clause", "letter"),
    [
        ("none", "acl", "nsubj"),
        ("head", "acl↑nsubj", "nsubj"),
        ("path", "acl↑", "nsubj↓"),
        ("head+path", "acl↑nsubj", "nsubj↓"),
    ],
)
def test_the_encodings(encoding, clause, letter):
    heads, relations = projectivise(LETTER, RELATIONS, encoding)
    assert heads == [-1, 2, 3, 0, 3, 7, 7, 3]
    assert (relations[7], relations[2]) == (clause, letter)
    back = deprojectivise(heads, relations, encoding)
    expected = LETTER if encoding != "none" else heads
    assert back == (expected, RELATIONS)


def test_the_second_candidate_is_asked_for_by_number():
    # Both 1 and 2 are `b` below the new head; the lifted word 5 belonged to the second.
    heads, relations = [-1, 3, 3, 0, 3, 2], ["", "b", "b", "root", "a", "c"]
    lifted_heads, encoded = projectivise(heads, relations, "head")
    assert encoded[5] == "c↑b#2"
    assert deprojectivise(lifted_heads, encoded, "head") == (heads, relations)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(tree=labelled_trees())
def test_lifting_gives_a_projective_tree_with_the_same_relations(encoding, tree):
    heads, relations = tree
    lifted_heads, encoded = projectivise(heads, relations, encoding)
    assert is_tree(lifted_heads)
    assert is_projective(lifted_heads)
    if is_projective(heads):
        assert (lifted_heads, encoded) == (heads, relations)
    restored, plain = deprojectivise(lifted_heads, encoded, encoding)
    assert is_tree(restored)
    assert plain == relations


@given(
    trees(),
    st.data(),
    st.sampled_from(ENCODINGS),
)
def test_any_relations_a_parser_may_invent_give_a_tree(heads, data, encoding):
    relation = st.sampled_from(["a", "b", "a↑b", "b↑a↓", "a↓", "a↑", "b↑b#2", "a↑a#0", "b↑a#x"])
    size = len(heads)
    relations = data.draw(st.lists(relation, min_size=size, max_size=size))
    restored, plain = deprojectivise(heads, relations, encoding)
    assert is_tree(restored)
    assert not any("↑" in name or "↓" in name for name in plain)


def test_what_cannot_be_lifted_is_refused():
    with pytest.raises(TreeError, match="cycle"):
        projectivise([-1, 2, 1], ["", "a", "b"])
    with pytest.raises(UsageError, match="encoded already"):
        projectivise([-1, 0], ["", "a↑"])
    with pytest.raises(UsageError, match="no encoding 'up'"):
        projectivise([-1, 0], ["", "a"], "up")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="1 relations for 2 tokens"):
        projectivise([-1, 0], [""])


@given(trees())
def test_reordering_nests_all_arcs_and_keeps_the_tree(heads):
    order = nested_order(heads)
    assert sorted(order) == list(range(len(heads)))
    assert order[0] == 0
    nested = reorder(heads, order)
    assert is_projective(nested)
    for place in range(1, len(order)):
        assert order[nested[place]] == heads[order[place]]
        # a modifier stays on its side of its head
        if heads[order[place]]:
            assert (nested[place] < place) == (heads[order[place]] < order[place])
    if is_projective(heads):
        assert order == list(range(len(heads)))


@pytest.mark.shared
@pytest.mark.parametrize("encoding", ["head", "head+path"])
def test_every_lift_in_the_shared_dev_sets_can_be_undone(treebanks, encoding):
    for path in sorted(treebanks.glob("*/*-dev.conllu.gz")):
        for sentence in read_conllu(path):
            heads, relations = heads_array(sentence.heads), ["", *sentence.relations]
            if not is_projective(heads):
                lifted = projectivise(heads, relations, encoding)
                assert deprojectivise(*lifted, encoding) == (heads, relations)

from math import log

import pytest
from bracketbank import tree, tree_lists
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.constituency.candidates import CandidateList
from headwise.constituency.nbest import read_nbest, write_nbest
from headwise.errors import FormatError, InputError, MismatchError, UsageError

BLLIP = """\
2\tnews-7
-88.366
(S1 (S (NP (NNS Dogs)) (VP (VBP bark))))
-93.0538
(S1 (NP (NNS Dogs) (NN bark)))

1\tnews-8
-8.5 -20.25
(S1 (NP (NNS Cats)))

"""


@settings(max_examples=30)
@given(trees=tree_lists())
@pytest.mark.parametrize("name", ["headwise", "bllip"])
def test_lists_come_back(tmp_path_factory, name, trees):
    path = tmp_path_factory.mktemp("lists") / "a.nbest.gz"
    lists = [
        CandidateList.of("first id", trees, [-1.5 * x for x in range(len(trees))]),
        CandidateList.of("2", trees[:1], [-0.1]),
    ]
    write_nbest(path, lists, name)
    for wanted, found in zip(lists, read_nbest(path), strict=True):
        assert found.sentence_id == wanted.sentence_id
        assert found.trees == wanted.trees
        assert found.scores == pytest.approx(wanted.scores, rel=1e-9)


def test_our_format_keeps_scores_to_the_bit(tmp_path):
    path = tmp_path / "a.nbest"
    wanted = CandidateList.of("1", [tree("(S (A x))")] * 2, [0.1 + 0.2, -1e-300])
    write_nbest(path, [wanted])
    (found,) = read_nbest(path)
    assert found.scores.tolist() == wanted.scores.tolist()


def test_logarithms_of_bllip_are_binary_and_a_rerankers_natural(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(BLLIP)
    first, second = read_nbest(path)
    assert first.sentence_id == "news-7"
    assert first.scores == pytest.approx([-88.366 * log(2), -93.0538 * log(2)])
    assert second.scores == pytest.approx([-8.5])


def test_sentences_without_an_id_are_numbered(tmp_path):
    path = tmp_path / "a.nbest"
    path.write_text("\n-1\t(S (A x))\n\n# a comment\n-2\t(S (A y))\n")
    assert [found.sentence_id for found in read_nbest(path)] == ["1", "2"]
    path.write_text("1\n-1\n(S (A x))\n")
    assert [found.sentence_id for found in read_nbest(path)] == ["1"]


def test_an_empty_file_has_no_lists(tmp_path):
    path = tmp_path / "a.nbest"
    path.write_text("\n\n")
    assert list(read_nbest(path)) == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("3\ts1\n-1\n(S (A x))\n-2\n(S (A x))\n\n", 1, "states 3 trees, but has 2"),
        ("2\ts1\n-1\n(S (A x))\n-2\n", 1, "states 2 trees, but has 1"),
        ("0\ts1\n\n", 1, "no tree"),
        ("1\ts1\n-1\n(S (A x)\n\n", 3, "closing bracket"),
        ("1\ts1\n-1\n(S (A x)))\n\n", 3, "closing bracket without"),
        ("1\ts1\n-1\n(S (A x)) (S (A x))\n\n", 3, "2 trees on one line"),
        ("1\ts1\n(S (A x))\n-1\n\n", 2, "tree 1 of 1 has no log-probability"),
        ("1\ts1\nnan\n(S (A x))\n\n", 3, "nan"),
        ("1\ts1\n-inf\n(S (A x))\n\n", 3, "probability of this tree is zero"),
        ("1\ts1\n-1.x\n(S (A x))\n\n", 2, "not a number"),
        ("# sent_id = s1\n\n", 1, "no tree"),
        ("# sent_id = s1\n-1\t(S (A x)\n", 2, "closing bracket"),
        ("# sent_id = s1\n-1\t(S (A x))\n# sent_id = s2\n", 3, "blank line missing"),
        ("# sent_id = s1\n(S (A x))\n", 2, "expected `score, tab, tree`"),
        ("# sent_id = s1\ntwo\t(S (A x))\n", 2, "not a number"),
    ],
)
def test_bad_files_are_named_with_line_and_sentence(tmp_path, text, line, message):
    path = tmp_path / "bad.nbest"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        list(read_nbest(path))
    assert caught.value.location.path == str(path)
    assert caught.value.location.line == line
    assert caught.value.location.sentence_id == "s1"


def test_more_trees_than_said(tmp_path):
    path = tmp_path / "bad.nbest"
    path.write_text("1\ts1\n-1\n(S (A x))\n-2\n(S (A x))\n\n")
    with pytest.raises(FormatError, match="more trees than it states") as caught:
        list(read_nbest(path))
    assert caught.value.location.line == 4


def test_differing_words(tmp_path):
    path = tmp_path / "bad.nbest"
    path.write_text("2\ts1\n-1\n(S (A x))\n-2\n(S (A y))\n\n")
    with pytest.raises(MismatchError, match=r"bad.nbest:5 \(sentence s1\)"):
        list(read_nbest(path))


LINES = st.sampled_from(
    [
        "",
        "1\ts",
        "2 t",
        "-1.5",
        "-1 -2",
        "nan",
        "(S (A x))",
        "(S (A x)",
        "-1\t(S (A x))",
        "# sent_id = 3",
        ")",
    ]
)


@settings(max_examples=200)
@given(st.lists(LINES, max_size=8), st.sampled_from([None, "headwise", "bllip"]))
def test_any_lines_give_lists_or_an_error_of_ours(tmp_path_factory, lines, name):
    path = tmp_path_factory.mktemp("lines") / "a.nbest"
    path.write_text("\n".join(lines))
    try:
        found = list(read_nbest(path, name))
    except InputError as error:
        assert error.location.path == str(path)
        assert error.location.line is not None
    else:
        assert all(len(one) > 0 for one in found)


def test_unknown_formats(tmp_path):
    with pytest.raises(UsageError, match="choose from headwise, bllip"):
        write_nbest(tmp_path / "a", [], "xml")


@pytest.mark.parametrize(
    "line", ["1" * 5000, f"# sent_id = a{' ' * 60_000}b", f"1 a{' ' * 60_000}b"]
)
def test_long_numbers_and_spaces_are_read_at_once(tmp_path, line):
    path = tmp_path / "a.nbest"
    path.write_text(f"{line}\n")
    with pytest.raises(InputError):
        list(read_nbest(path))

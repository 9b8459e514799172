import pytest

from headwise.constituency.conventions import Conventions, _Classes
from headwise.errors import FormatError, UsageError

PRM = """\
##------------------------------------------##
## a parameter file of EVALB                ##
##------------------------------------------##
DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL ROOT
DELETE_LABEL S1
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""


def test_ours_and_evalbs_say_the_same():
    assert Conventions.parse(PRM.splitlines()) == Conventions.load("collins")


def test_labels_lose_their_functions_and_count_as_one():
    found = Conventions.load("collins")
    assert found.label("NP-SBJ=2") == "NP"
    assert found.label("PRT-X") == found.label("ADVP")
    assert found.label("TOP") == found.label("") == found.label("-NONE-") == ""


def test_what_counts_as_one_is_joined():
    found = Conventions.parse(["same A B", "same C D", "same B C", "same-words x y"])
    assert len({found.label(name) for name in "ABCD"}) == 1
    assert found.word("x") == found.word("y")


def test_unlabelled_and_cut_off():
    found = Conventions.parse(["unlabelled", "cut-off 10", "# comment", "#", ""])
    assert (found.labelled, found.cut_off) == (False, 10)
    assert Conventions.parse(["LABELED 0"]).labelled is False


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("remove X", "unknown convention"),
        ("delete", "a value is missing"),
        ("same A", "at least two"),
        ("cut-off ten", "one number"),
    ],
)
def test_bad_files(line, message):
    with pytest.raises(FormatError, match=message) as caught:
        Conventions.parse(["delete X", line], "my.txt")
    assert caught.value.location.line == 2


def test_unknown_sets(tmp_path):
    with pytest.raises(UsageError, match="neither a file nor one of collins, plain"):
        Conventions.load("none")
    path = tmp_path / "mine.prm"
    path.write_text(PRM)
    assert Conventions.load(path) == Conventions.load("collins")


def test_many_lines_of_same_names_are_joined_in_linear_time():
    """Every name is looked up a few times, however many lines there are."""
    looked_up = 0

    class Counted(dict):
        def get(self, key, default=None):
            nonlocal looked_up
            looked_up += 1
            return super().get(key, default)

    classes = _Classes()
    classes.above = Counted()
    count = 2000
    for i in range(count):
        classes.join([f"n{i}", f"n{i + 1}"])
    assert classes.names() == {f"n{i}": "n0" for i in range(1, count + 1)}
    assert looked_up < 20 * count

import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError
from headwise.serve.editing.marks import Marks, constraints_of, marks_of, with_marks

WORDS = ["a", "b", "c", "d"]


def commented(*comments: str, **columns) -> Sentence:
    return Sentence.from_words(WORDS, comments=comments, **columns)


def test_marks_are_read_as_they_are_written():
    marks = Marks(True, "is this right?", ((0, 2), (3, 1)), ((2, 4),))
    sentence = with_marks(commented("# sent_id = s", "# free"), marks)
    assert sentence.comments[:2] == ("# sent_id = s", "# free")
    assert marks_of(sentence) == marks
    assert with_marks(sentence, Marks()).comments == ("# sent_id = s", "# free")


def test_comments_that_say_the_same_stay_as_they_are():
    sentence = commented("#checked=yes", "# note =  two  spaces")
    assert marks_of(sentence).checked
    assert with_marks(sentence, Marks(True, "x")).comments == ("#checked=yes", "# note = x")


def test_line_ends_in_notes_cannot_break_the_file():
    sentence = with_marks(commented(), Marks(note="one\n# two\r\n\nthree"))
    assert sentence.comments == ("# note = one # two three",)


@pytest.mark.parametrize("text", ["2>9", "x", "2-3", "1>1 >2", "-1>2", "999999999999>1"])
def test_marks_that_are_no_pairs_of_words_are_refused(text):
    with pytest.raises(InputError, match="forbidden_arcs"):
        marks_of(commented(f"# forbidden_arcs = {text}"))


def test_constraints_are_all_that_is_fixed():
    sentence = commented(
        "# forbidden_arcs = 2>3",
        "# brackets = 1-2",
        heads=[2, None, None, None],
        relations=["det", "root", "obj", "_"],
    )
    found = constraints_of(sentence)
    assert dict(found.heads) == {1: 2, 2: 0}
    assert found.forbidden == ((2, 3), (0, 3))
    assert found.brackets == ((1, 2),)


def test_words_that_become_one_have_no_arc_and_words_that_are_gone_have_no_marks():
    marks = Marks(note="n", forbidden=((1, 2), (2, 3), (0, 4)), brackets=((1, 2), (2, 4)))
    found = marks.renumbered([0, 1, 1, 2, -1])
    assert found == Marks(note="n", forbidden=((1, 2),), brackets=((1, 1),))

"""Every problem of a block, with its line, and none that is not there; what cannot be written."""

import re
import warnings
from dataclasses import replace

import pytest
from conllu_rows import extra, row

from headwise.corpus.conllu import (
    format_sentence,
)
from headwise.corpus.diagnosis import (
    Problem,
    diagnose,
    encoding_problem,
    layout_problems,
    sentence_id_of,
    tolerate_layout,
)
from headwise.corpus.extras import EmptyNode, Multiword
from headwise.corpus.formats import write_sentences
from headwise.corpus.rows import Block
from headwise.corpus.sentence import STANDARD_LAYOUT, Layout, Sentence
from headwise.errors import FormatError, HeadwiseWarning, SourceLocation


def block(*lines: str, line: int = 1, layout: Layout = STANDARD_LAYOUT) -> Block:
    return Block("\n".join(lines), line, layout)


def found(*lines: str, **options) -> list[tuple[int | None, str]]:
    problems = diagnose(block(*lines), "a.conllu", **options)
    return [(one.location.line, one.message) for one in problems]


def test_a_sound_block_has_no_problem():
    assert found("# sent_id = s", extra("1-2"), row(1), row(2, head=1), extra("2.1")) == []


def test_all_problems_are_told_in_the_order_of_lines():
    assert found(row(1, head=5), "x y", row(3, "", head="a")) == [
        (1, "HEAD 5 is beyond the last word, 3"),
        (2, "1 column instead of 10; is this a treebank?"),
        (3, "FORM is empty; an empty column is written _"),
        (3, "HEAD 'a' is not the number of a word, or 0"),
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("The dogs bark.", "1 column instead of 10; is this a treebank?"),
        ("1 w _ X _ _ 0 root _ _", "1 column instead of 10; are the columns separated by spaces?"),
        (row(1) + "\t", "11 columns instead of 10; does the line end with a tab?"),
        (row(1).rpartition("\t")[0], "9 columns instead of 10"),
        ("P\0K\t1", "2 columns instead of 10; is this a text file, in UTF-8?"),
    ],
)
def test_wrong_columns_are_told_with_what_is_probably_the_matter(line, said):
    assert (1, said) in found(line)


def test_after_a_wrong_id_the_count_goes_on_from_it():
    messages = [message for _, message in found(row(1), row(5), row(6), row(8))]
    assert messages == ["ID 5 where 2 was expected", "ID 8 where 7 was expected"]


def test_an_empty_node_may_come_first_and_starts_again_after_each_word():
    assert found(extra("0.1"), extra("0.2"), row(1), extra("1.1"), extra("1.3")) == []
    assert found(row(1), extra("1.2"), extra("1.1")) == [(3, "the empty node 1.1 is out of order")]


def test_formats_without_other_rows_refuse_them():
    assert found("# x", extra("1-1"), row(1), extra("1.1"), extras_allowed=False) == [
        (1, "this format has no comments"),
        (2, "this format has no multiword rows and empty nodes: '1-1'"),
        (4, "this format has no multiword rows and empty nodes: '1.1'"),
    ]


def test_lines_are_counted_from_that_of_the_block_and_the_sentence_is_named():
    (problem,) = diagnose(block("# sent_id = s7", row(2), line=40), "a.conllu")
    assert str(problem) == "a.conllu:41 (sentence s7): ID 2 where 1 was expected"
    error = problem.as_error()
    assert isinstance(error, FormatError)
    assert (error.message, error.location) == (problem.message, problem.location)


def test_the_name_of_a_sentence_is_found_whatever_else_is_wrong():
    assert sentence_id_of(block("x", "# sent_id = late", "y")) == "late"
    assert sentence_id_of(block("x", "sent_id = no comment")) is None


def test_bytes_that_are_not_utf8_are_named():
    line = b"caf\xe9 \xff".decode("utf-8", "surrogateescape")
    assert encoding_problem(line) == "not UTF-8: byte 0xe9"
    assert encoding_problem("café") is None
    assert found(row(1, line))[0] == (1, "not UTF-8: byte 0xe9")


LAYOUTS = {
    "blank lines before": (Layout("\n", blanks_before=1), 9, "a blank line that closes no"),
    "blank lines after": (Layout("\n", blanks_after=2), 13, "more than one blank line"),
    "blank lines of another kind": (Layout("\r\n", mixed=True), 12, "blank lines end otherwise"),
    "no line end": (Layout("\n", unfinished=True), 11, "the file ends without the blank line"),
    "no blank line": (Layout("\n", blanks_after=0), 11, "the file ends without the blank line"),
}


@pytest.mark.parametrize(("layout", "line", "message"), LAYOUTS.values(), ids=LAYOUTS.keys())
def test_unusual_blank_lines_are_warnings_with_their_line(layout, line, message):
    (problem,) = layout_problems(block(row(1), row(2, head=1), line=10, layout=layout), "a")
    assert problem.message.startswith(message)
    assert (problem.location.line, problem.is_error) == (line, False)


def test_usual_blank_lines_are_no_problem():
    assert layout_problems(block(row(1)), "a") == []


def test_a_kind_of_layout_is_warned_of_once_and_refused_when_strict():
    odd, told = block(row(1), layout=Layout("\n", blanks_before=1)), set[str]()
    with pytest.warns(HeadwiseWarning, match="closes no sentence"):
        tolerate_layout(odd, "a", False, told)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tolerate_layout(odd, "a", False, told)
        with pytest.raises(FormatError, match="closes no sentence"):
            tolerate_layout(odd, "a", True, told)


def test_problems_are_errors_unless_said_otherwise():
    assert Problem(SourceLocation("a", 1), "x").is_error


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence.from_words(["a\tb"]),
        Sentence.from_words(["a\nb"]),
        Sentence.from_words(["a\rb"]),
        Sentence.from_words([""]),
        Sentence.from_words([]),
        Sentence.from_words(["a"], comments=["no hash"]),
        Sentence.from_words(["a"], comments=["# two\nlines"]),
        Sentence.from_words(["a"], misc=["x\t"]),
        replace(Sentence.from_words(["a", "b"]), lemmas=("x",)),
        replace(Sentence.from_words(["a"]), extras=(Multiword(1, 2, ("x",) * 9, 0),)),
        replace(Sentence.from_words(["a"]), extras=(Multiword(1, 1, ("x",) * 9, 1),)),
        replace(Sentence.from_words(["a"]), extras=(EmptyNode(1, 1, ("x",) * 8),)),
        replace(Sentence.from_words(["a"]), extras=(EmptyNode(1, 1, ("x",) * 8 + ("",)),)),
        replace(Sentence.from_words(["a"]), extras=(EmptyNode(1, 1, ("x",) * 8 + ("a\tb",)),)),
        replace(Sentence.from_words(["a"]), extras=(EmptyNode(2, 1, ("x",) * 9),)),
    ],
)
def test_what_could_not_be_read_again_is_not_written(sentence, tmp_path):
    path = tmp_path / "out.conllu"
    with pytest.raises(FormatError, match="cannot be written"):
        write_sentences(path, [Sentence.from_words(["fine"]), sentence])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        (Sentence.from_words(["x", "a\rb"]), r"FORM of word 2 ('a\rb') holds a carriage return"),
        (Sentence.from_words(["a"], misc=["x\t"]), r"MISC of word 1 ('x\t') holds a tab"),
        (Sentence.from_words(["a", ""]), "FORM of word 2 is empty"),
        (Sentence.from_words([]), "there are no words"),
        (Sentence.from_words(["a"], comments=["no hash"]), "comment 'no hash' does not start with"),
        (
            Sentence.from_words(["a"], comments=["# \tb\n"]),
            r"a comment ('#  b\n') holds a line end",
        ),
        (replace(Sentence.from_words(["a", "b"]), lemmas=("x",)), "1 values of LEMMA for 2 words"),
        (
            replace(Sentence.from_words(["a"]), extras=(EmptyNode(1, 1, ("x",) * 8 + ("",)),)),
            "a value of row 1.1 is empty",
        ),
        (
            replace(Sentence.from_words(["a"]), extras=(EmptyNode(2, 1, ("x",) * 9),)),
            "an empty node is out of place",
        ),
    ],
)
def test_the_reason_is_told(sentence, reason):
    with pytest.raises(FormatError, match=re.escape(reason)):
        format_sentence(sentence)

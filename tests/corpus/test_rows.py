"""Blocks of rows, IDs and heads, read at once and compared with reading line by line."""

import pytest
from conllu_rows import TWO_WORDS, row
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.files import Limits
from headwise.corpus.rows import (
    MalformedError,
    are_words,
    check_columns,
    check_values,
    columns_of,
    head_text,
    is_number,
    parse_heads,
    read_blocks,
    read_stretches,
    row_starts,
    split_fields,
    word_ids,
)
from headwise.errors import HeadwiseWarning, LimitError


@pytest.mark.parametrize("text", ["0", "1", "10", "999999999"])
def test_numbers(text):
    assert is_number(text)


@pytest.mark.parametrize("text", ["", "01", "-1", "+1", "1_0", "१", "1.0", "1000000000", " 1"])
def test_what_is_no_number(text):
    assert not is_number(text)


@pytest.mark.parametrize("count", [0, 1, 1024, 1030])
def test_ids_of_short_and_long_sentences(count):
    expected = tuple(str(number) for number in range(1, count + 1))
    assert word_ids(count)[:count] == expected
    assert tuple(one.lstrip("\n") for one in row_starts(count))[:count] == expected
    assert len(row_starts(count)) >= count


def test_heads_are_read_and_written_alike():
    heads = (None, 0, 3, 2)
    column = tuple(map(head_text, heads))
    assert column == ("_", "0", "3", "2")
    assert parse_heads(column) == heads
    assert head_text(5000) == "5000"
    assert parse_heads(tuple(map(head_text, range(2000)))) == tuple(range(2000))


@pytest.mark.parametrize("column", [("2",), ("x",), ("-1",), ("_", "3"), ("01",)])
def test_heads_that_are_none_are_refused(column):
    with pytest.raises(MalformedError):
        parse_heads(column)


def test_rows_become_columns():
    rows = f"{row(1, 'a')}\n{row(2, 'b', 1)}"
    columns = columns_of(split_fields(rows))
    assert are_words(columns[0])
    assert columns[1] == ("a", "b")
    assert columns[6] == ("0", "1")
    assert len(columns) == 10


@pytest.mark.parametrize(
    "rows",
    ["1\ta", row(1, ""), row(1, "a\rb"), f"{row(1)}\t_", row(1, misc="")],
)
def test_rows_without_ten_columns_are_refused(rows):
    with pytest.raises(MalformedError):
        split_fields(rows)


def test_rows_cut_in_another_place_are_no_words():
    fields = split_fields(f"{row(1)}\t2\nw{row(2, head=1)[3:]}")
    assert not are_words(columns_of(fields)[0])


def test_columns_that_would_break_rows_are_refused():
    check_columns(["a", "b"], ["c", "d"])
    for wrong in (["a"], ["a", ""], ["a", "\t"], ["a", "\n"], ["a", "\r"]):
        with pytest.raises(MalformedError):
            check_columns(["a", "b"], wrong)
    check_values(["one"])


def test_blocks_know_their_first_line(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(f"# one\n{TWO_WORDS}{TWO_WORDS}")
    assert [(block.line, block.text.count("\n") + 1) for block in read_blocks(path)] == [
        (1, 3),
        (5, 2),
    ]


lines = st.sampled_from(["", "", "\r", "a", "b", "c\r"])


@given(st.lists(lines, min_size=1, max_size=12), st.booleans())
def test_blocks_are_the_lines_between_blank_ones(tmp_path_factory, lines, closed):
    text = "\n".join(lines) + "\n" * closed
    path = tmp_path_factory.mktemp("rows") / "a.conllu"
    path.write_bytes(text.encode())
    expected: list[list[str]] = [[]]
    for line in text.split("\n"):
        bare = line.removesuffix("\r")
        if bare:
            expected[-1].append(bare)
        elif expected[-1]:
            expected.append([])
    wanted = [rows for rows in expected if rows]
    if wanted or not text.strip("\r\n"):
        found = blocks_without_warning(path)
        assert [[one.removesuffix("\r") for one in b.text.split("\n")] for b in found] == wanted


def blocks_without_warning(path):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadwiseWarning)
        return list(read_blocks(path))


def test_stretches_say_whether_they_are_regular(tmp_path):
    path = tmp_path / "a.conllu"
    for text, is_regular in (
        (TWO_WORDS, True),
        (TWO_WORDS + TWO_WORDS, True),
        (TWO_WORDS + "\n", False),
        ("\n" + TWO_WORDS, False),
        (TWO_WORDS.replace("\n", "\r\n"), False),
        (TWO_WORDS[:-1], False),
    ):
        path.write_bytes(text.encode())
        (stretch,) = read_stretches(path)
        assert (stretch.is_regular, stretch.text) == (is_regular, text.encode())


def test_sentences_of_too_many_lines_are_refused_with_their_line(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(TWO_WORDS + "x\n" * 9 + "\n")
    assert len(list(read_blocks(path, Limits(sentence_lines=10)))) == 2
    with pytest.raises(LimitError, match="a sentence of more than 9 lines") as caught:
        list(read_blocks(path, Limits(sentence_lines=9)))
    assert caught.value.location.line == 4


def test_a_file_of_blank_lines_gives_a_warning_and_a_limit(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("\n" * 20)
    with pytest.warns(HeadwiseWarning, match="nothing but blank lines"):
        assert list(read_blocks(path)) == []
    with pytest.raises(LimitError, match="more than 10 blank lines"):
        list(read_blocks(path, Limits(sentence_bytes=10)))

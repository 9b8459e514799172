"""What the formats of ten tab-separated columns share: blocks, IDs and heads.

Reading is optimistic. A sentence is split with C-speed builtins and checked as a whole;
only when that fails is it looked at again, row by row, to say what is wrong (`diagnosis.py`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from headwise.corpus.files import DEFAULT_LIMITS, Limits, decoded, read_pieces, source_name
from headwise.corpus.sentence import STANDARD_LAYOUT, Layout
from headwise.errors import LimitError, SourceLocation, warn


def _row_starts(count: int) -> tuple[str, ...]:
    return ("1", *(f"\n{i}" for i in range(2, count + 1)))


ROW_STARTS = _row_starts(1024)
WORD_IDS = tuple(map(str, range(1, 1025)))


Columns = tuple[tuple[str, ...], ...]


class MalformedError(Exception):
    """A block of rows is not a sentence; `diagnosis.py` finds out why."""


class Block(NamedTuple):
    """The lines of one sentence, and where and how they stood in the file."""

    text: str  # lines separated by \n, without the last line end
    line: int  # number of the first line
    layout: Layout


def word_ids(count: int) -> tuple[str, ...]:
    """The ID column of at least `count` words."""
    return WORD_IDS if count <= len(WORD_IDS) else tuple(map(str, range(1, count + 1)))


def row_starts(count: int) -> tuple[str, ...]:
    """What `count` words in order start with: the line end before the row, and the ID."""
    return ROW_STARTS[:count] if count <= len(ROW_STARTS) else _row_starts(count)


class _HeadNumbers(dict[str, int | None]):
    """HEAD texts to numbers; numbers beyond those kept are worked out when met."""

    def __missing__(self, text: str) -> int:
        if not is_number(text):
            raise MalformedError
        return int(text)


class _HeadTexts(dict[int | None, str]):
    def __missing__(self, head: int | None) -> str:
        return str(head)


HEAD_NUMBERS = _HeadNumbers({"_": None} | {str(i): i for i in range(1025)})
HEAD_TEXTS = _HeadTexts({None: "_"} | {i: str(i) for i in range(1025)})


_head_number = HEAD_NUMBERS.__getitem__
head_text: Callable[[int | None], str] = HEAD_TEXTS.__getitem__
"""A head as it is written: a number, or `_` where missing."""


def is_number(text: str) -> bool:
    """Whether a text is a number as IDs are written: at most 9 ASCII digits, no leading zero."""
    return len(text) <= 9 and text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")


def parse_heads(column: tuple[str, ...]) -> tuple[int | None, ...]:
    """The HEAD column as numbers, every one of them in range."""
    heads = tuple(map(_head_number, column))
    try:
        in_range = max(heads) <= len(heads)  # type: ignore[type-var, operator]
    except TypeError:  # some are missing
        in_range = all(head is None or head <= len(heads) for head in heads)
    if not in_range:
        raise MalformedError
    return heads


def split_fields(rows: str) -> list[str]:
    """All fields of some rows, ten a row.

    All rows are split at once. Line ends are kept, stuck to what follows them: if there are as many
    as rows, and `are_words` finds one before every ID, then every row has ten columns.
    """
    marked = rows.replace("\n", "\t\n")
    line_ends = len(marked) - len(rows)
    right = 10 * line_ends + 10
    fields = marked.split("\t", right)  # no more, as each takes far more memory than a tab
    if len(fields) != right or not all(fields) or "\r" in rows:
        raise MalformedError
    return fields


_COLUMNS: Callable[[tuple[str, ...]], Columns] = itemgetter(
    *(slice(i, None, 10) for i in range(10))
)


def columns_of(fields: list[str]) -> Columns:
    """The ten columns of rows; IDs with the line ends before them."""
    return _COLUMNS(tuple(fields))


def are_words(ids: tuple[str, ...]) -> bool:
    """Whether an ID column, with its line ends, is that of words 1, 2, 3 … and nothing else."""
    return ids == row_starts(len(ids))


def check_columns(*columns: Sequence[str]) -> None:
    """Refuse columns that could not be read again."""
    if len(set(map(len, columns))) != 1:
        raise MalformedError
    check_values(list(chain.from_iterable(columns)))


def check_values(values: Sequence[str]) -> None:
    """Refuse values that would break their rows: empty, or with a tab or a line end in them."""
    text = "\t".join(values)
    if text.count("\t") != len(values) - 1 or not all(values) or "\n" in text or "\r" in text:
        raise MalformedError


# ---------------------------------------------------------------------------- blocks


class Stretch(NamedTuple):
    """Bytes of a file that are whole sentences."""

    line: int  # number of the first line
    text: bytes
    is_regular: bool  # whether sentences end with \n and one blank line each


def read_blocks(
    path: str | Path, limits: Limits = DEFAULT_LIMITS, *, errors: str = "strict"
) -> Iterator[Block]:
    """The sentences of a file as blocks of lines; `errors` says how to take what is not UTF-8."""
    for stretch in read_stretches(path, limits):
        yield from blocks_of(stretch, path, errors)


def blocks_of(stretch: Stretch, path: str | Path, errors: str = "strict") -> Iterator[Block]:
    """The sentences of a stretch of a file as blocks of lines."""
    line, text, is_regular = stretch
    if not is_regular:
        yield from _split_irregular(decoded(text, line, path, errors), line)
        return
    for block in text[:-2].split(b"\n\n"):
        yield Block(decoded(block, line, path, errors), line, STANDARD_LAYOUT)
        line += block.count(b"\n") + 2


def read_stretches(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Iterator[Stretch]:
    """A file in stretches of whole sentences."""
    blanks = bytearray()  # blank lines of pieces with no sentence: they belong to the next
    for line, piece in read_pieces(path, _last_blank_line, limits):
        if not piece.strip(b"\r\n"):
            blanks += piece
            if len(blanks) > limits.sentence_bytes:
                message = f"more than {limits.sentence_bytes:,} blank lines"
                raise LimitError(message, SourceLocation(source_name(path)))
            continue
        if blanks:
            line -= blanks.count(b"\n")
            piece = bytes(blanks) + piece
            blanks.clear()
        _refuse_many_lines(piece, line, path, limits)
        is_regular = piece.endswith(b"\n\n") and piece[:1] != b"\n"
        is_regular = is_regular and b"\r" not in piece and b"\n\n\n" not in piece
        yield Stretch(line, piece, is_regular)
    if blanks:
        message = f"{source_name(path)}: the file ends with nothing but blank lines"
        warn(message)


_BLANK_LINES = re.compile(rb"\n\r?\n[\r\n]*")  # a repeated group would take memory


def _refuse_many_lines(piece: bytes, line: int, path: str | Path, limits: Limits) -> None:
    """Raise if a sentence of a piece has more lines than a sentence can have.

    Lists of that many lines and fields would take far more memory than the lines do.
    """
    if len(piece) <= limits.sentence_lines or piece.count(b"\n") <= limits.sentence_lines:
        return
    start = 0
    for end in (*(blank.end() for blank in _BLANK_LINES.finditer(piece)), len(piece)):
        lines = piece.count(b"\n", start, end)
        if lines > limits.sentence_lines:
            raise LimitError(
                f"a sentence of more than {limits.sentence_lines:,} lines (words, other rows, "
                "comments, and the blank lines after them)",
                SourceLocation(source_name(path), line),
            )
        start, line = end, line + lines


def _last_blank_line(data: bytearray, start: int, more: bool) -> int:
    """The end of the last blank line, which closes a sentence."""
    end = _blank_line_end(data, start, len(data))
    if end == len(data) and more:  # further blank lines may follow, and belong to the same sentence
        # Only what is new is looked at: in a file of blank lines, all else was looked at before.
        end = _blank_line_end(data, start, start + len(data[start:].rstrip(b"\r\n")))
    return end


def _blank_line_end(data: bytearray, start: int, stop: int) -> int:
    plain = data.rfind(b"\n\n", start, stop)
    windows = data.rfind(b"\n\r\n", start, stop) if data.find(b"\r", start, stop) >= 0 else -1
    if plain > windows:
        return plain + 2
    return windows + 3 if windows >= 0 else -1


def _split_irregular(text: str, line: int) -> Iterator[Block]:
    """Cut text whose blank lines or line ends are unusual, remembering how they were."""
    lines = text.split("\n")
    unfinished = lines[-1] != ""
    if not unfinished:
        lines.pop()
    groups = [list(rows) for _, rows in groupby(lines, key=_is_blank)]
    blanks_before = groups.pop(0) if _is_blank(lines[0]) else []
    line += len(blanks_before)
    for i in range(0, len(groups), 2):
        rows, blanks_after = groups[i], groups[i + 1] if i + 1 < len(groups) else []
        cut = unfinished and i + 1 >= len(groups)
        newline = _newline_of(rows, cut)
        if newline == "\r\n":
            rows = [row.removesuffix("\r") for row in rows[:-1]] + [
                rows[-1] if cut else rows[-1].removesuffix("\r")
            ]
        layout = Layout(
            newline,
            blanks_before=len(blanks_before),
            blanks_after=len(blanks_after),
            unfinished=cut,
            mixed=any(blank + "\n" != newline for blank in (*blanks_before, *blanks_after)),
        )
        yield Block("\n".join(rows), line, layout)
        line += len(rows) + len(blanks_after)
        blanks_before = []


def _is_blank(line: str) -> bool:
    return line in ("", "\r")


def _newline_of(rows: list[str], cut: bool) -> str:
    """The line end of some rows; where the file is cut off, the last row cannot tell."""
    telling = rows[:-1] if cut else rows
    return "\r\n" if telling and all(row.endswith("\r") for row in telling) else "\n"

"""What is wrong with a block of rows: the slow, patient look that names every problem.

And why a sentence cannot be written in rows. Both are asked when a quick look has failed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import repr as shortened

from headwise.corpus.rows import Block, is_number
from headwise.corpus.sentence import Sentence, comment_value, text_columns
from headwise.errors import FormatError, SourceLocation, counted, quoted, warn

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong, and where. A warning is tolerated when reading."""

    location: SourceLocation
    message: str
    is_error: bool = True

    def __str__(self) -> str:
        """`file:line (sentence s): message`."""
        return f"{self.location}: {self.message}"

    def as_error(self) -> FormatError:
        """The same as something to raise."""
        return FormatError(self.message, self.location)


@dataclass(slots=True)
class _IdState:
    """How far the ID column has been followed."""

    words: int = 0
    covered: int = 0  # last word of the multiword tokens so far
    empty: int = 0  # last index of the empty nodes after the current word


def sentence_id_of(block: Block) -> str | None:
    """The sent_id of a block, whatever else is wrong with it."""
    return comment_value([row for row in block.text.split("\n") if row.startswith("#")], "sent_id")


def diagnose(block: Block, path: str | None, *, extras_allowed: bool = True) -> list[Problem]:
    """Every problem of form in a block; at least one if it cannot be read."""
    lines = block.text.split("\n")
    sentence_id = sentence_id_of(block)
    problems: list[Problem] = []

    def report(offset: int, message: str | None) -> None:
        if message:
            location = SourceLocation(path, block.line + offset, sentence_id)
            problems.append(Problem(location, message))

    rows: list[tuple[int, list[str]]] = []
    for offset, line in enumerate(lines):
        report(offset, _character_problem(line))
        if line.startswith("#"):
            if not extras_allowed:
                report(offset, "this format has no comments")
            elif rows:
                report(offset, "a comment inside a sentence; is a blank line missing before it?")
            continue
        fields = line.split("\t", 10)  # one more than there should be is enough to tell
        for message in _row_problems(line, fields):
            report(offset, message)
        rows.append((offset, fields))

    state = _IdState()
    for offset, fields in rows:
        problem = _id_problem(fields[0], state)
        if len(fields) > 1:  # or else what is wrong with the line has been said
            report(offset, problem)
        if not extras_allowed and not is_number(fields[0]):
            report(
                offset, f"this format has no multiword rows and empty nodes: {quoted(fields[0])}"
            )
    if rows and state.covered > state.words:
        report(rows[-1][0], f"a multiword token reaches word {state.covered}, which is missing")
    if state.words == 0 and not problems:
        if rows:
            report(rows[0][0], "a sentence without words")
        else:
            report(0, "comments without words")
    for offset, fields in rows:
        report(offset, _head_problem(fields, state.words))
    return sorted(problems, key=lambda problem: problem.location.line or 0)


def malformed(block: Block, path: str | None, *, extras_allowed: bool = True) -> FormatError:
    """The first problem of a block that cannot be read, to be raised."""
    problems = diagnose(block, path, extras_allowed=extras_allowed)
    if not problems:  # the fast look and the patient one must agree
        return FormatError("cannot be read", SourceLocation(path, block.line))
    return problems[0].as_error()


def _character_problem(line: str) -> str | None:
    if "\r" in line:
        return "a carriage return: end lines with \\n or \\r\\n, the same throughout the sentence"
    return encoding_problem(line)


_LET_THROUGH = re.compile("[\udc80-\udcff]")


def encoding_problem(line: str) -> str | None:
    """Bytes that are not UTF-8 are lone surrogates in a line, if they were let through."""
    bad = _LET_THROUGH.search(line)
    return f"not UTF-8: byte 0x{ord(bad[0]) - 0xDC00:02x}" if bad else None


def _row_problems(line: str, fields: list[str]) -> list[str]:
    if line.isspace():
        return ["a line of white space; sentences are closed by an empty line"]
    if len(fields) != 10:
        columns = line.count("\t") + 1
        return [f"{counted(columns, 'column')} instead of 10{_columns_hint(line, columns)}"]
    return [
        f"{name} is empty; an empty column is written _"
        for name, value in zip(COLUMNS, fields, strict=True)
        if value == ""
    ]


def _columns_hint(line: str, columns: int) -> str:
    """Why a row may not have ten columns."""
    if "\0" in line:
        return "; is this a text file, in UTF-8?"
    if len(line.split(None, 10)) == 10 and columns < 10:
        return "; are the columns separated by spaces?"
    if columns == 1:
        return "; is this a treebank?"
    return "; does the line end with a tab?" if line.endswith("\t") else ""


def _id_problem(text: str, state: _IdState) -> str | None:
    """Check the next ID, moving the state on."""
    first, dash, last = text.partition("-")
    after, dot, index = text.partition(".")
    if dash and is_number(first) and is_number(last):
        return _range_problem(text, int(first), int(last), state)
    if dot and is_number(after) and is_number(index):
        return _empty_node_problem(text, int(after), int(index), state)
    expected = state.words + 1
    state.words, state.empty = expected, 0
    if not is_number(text):
        return f"ID {quoted(text)} is not a number, a range or an empty node"
    if int(text) != expected:
        state.words = max(int(text), 1)
        hint = "; is a blank line missing before it?" if int(text) == 1 else ""
        return f"ID {text} where {expected} was expected{hint}"
    return None


def _range_problem(text: str, first: int, last: int, state: _IdState) -> str | None:
    if last < first:
        return f"the range {text} runs backwards"
    if first != state.words + 1:
        return f"the range {text} stands before word {state.words + 1}"
    if first <= state.covered:
        return f"the range {text} overlaps the one before"
    state.covered = last
    return None


def _empty_node_problem(text: str, after: int, index: int, state: _IdState) -> str | None:
    if after != state.words:
        return f"the empty node {text} stands after word {state.words}"
    if index <= state.empty:
        return f"the empty node {text} is out of order"
    state.empty = index
    return None


def _head_problem(fields: list[str], words: int) -> str | None:
    if len(fields) != 10 or not is_number(fields[0]) or fields[6] in ("_", ""):
        return None
    head = fields[6]
    if not is_number(head):
        return f"HEAD {quoted(head)} is not the number of a word, or 0"
    if int(head) > words:
        return f"HEAD {head} is beyond the last word, {words}"
    return None


def layout_problems(block: Block, path: str | None) -> list[Problem]:
    """What is tolerated about the blank lines around a sentence."""
    layout = block.layout
    rows = block.text.count("\n") + 1
    sentence_id = sentence_id_of(block)
    found = []
    if layout.blanks_before:
        found.append((-1, "a blank line that closes no sentence"))
    if layout.blanks_after > 1:
        found.append((rows + 1, "more than one blank line after a sentence"))
    if layout.mixed:
        found.append((rows, "blank lines end otherwise than rows; they will be written alike"))
    if layout.unfinished or layout.blanks_after == 0:
        found.append((rows - 1, "the file ends without the blank line that closes a sentence"))
    return [
        Problem(SourceLocation(path, block.line + offset, sentence_id), message, is_error=False)
        for offset, message in found
    ]


def tolerate_layout(block: Block, path: str | None, strict: bool, warned: set[str]) -> None:
    """Warn of unusual blank lines, once a file for each kind; under `strict`, raise."""
    for problem in layout_problems(block, path):
        if strict:
            raise problem.as_error()
        if problem.message not in warned:
            warned.add(problem.message)
            warn(str(problem))


CHARACTERS = {"\t": "a tab", "\r": "a carriage return", "\n": "a line end"}
"""What breaks a row, and how it is called."""


def unwritable(sentence: Sentence, format_name: str) -> FormatError:
    """Why a sentence cannot be written in a format, to be raised."""
    message = f"cannot be written as {format_name}: {writing_problem(sentence)}"
    return FormatError(message, sentence.location)


def writing_problem(sentence: Sentence) -> str:
    """The first reason why a sentence could not be read again."""
    if not sentence.forms:
        return "there are no words"
    names = (name for name in COLUMNS[1:] if name != "HEAD")
    for name, column in zip(names, text_columns(sentence), strict=True):
        if len(column) != len(sentence.forms):
            return f"{len(column)} values of {name} for {len(sentence.forms)} words"
        found = broken_value(column)
        if found is not None:
            return f"{name} of word {column.index(found) + 1} {trouble(found)}"
    for comment in sentence.comments:
        if not comment.startswith("#"):
            return f"the comment {shortened(comment)} does not start with #"
        if "\n" in comment or "\r" in comment:
            return f"a comment {trouble(comment.replace(chr(9), ' '))}"
    for extra in sentence.extras:
        found = broken_value(extra.columns)
        if found is not None:
            return f"a value of row {extra.id} {trouble(found)}"
    return "a multiword row or an empty node is out of place, or not of ten columns"


def broken_value(values: Sequence[str]) -> str | None:
    """The first value that would break its row."""
    return next((one for one in values if not one or any(ch in one for ch in CHARACTERS)), None)


def trouble(value: str) -> str:
    """What is wrong with a value."""
    if not value:
        return "is empty"
    character = next(ch for ch in value if ch in CHARACTERS)
    return f"({shortened(value)}) holds {CHARACTERS[character]}"

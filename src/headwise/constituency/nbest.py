"""Files of k-best lists, in our own format and in that of the BLLIP parser.

Ours: a line with the id, a line per tree with its score (a natural logarithm), a blank line.

    # sent_id = news-7
    -61.25<TAB>(ROOT (S (NP (NNS Dogs)) (VP (VBP bark))))
    -64.5<TAB>(ROOT (NP (NNS Dogs) (NN bark)))

That of Charniak & Johnson's (2005) parser: a line with the number of trees and the id, two lines
per tree (the binary logarithm of its probability, and the tree), a blank line. Where there are two
numbers above a tree, the first is a reranker's score, a natural logarithm, and is used.

    2<TAB>news-7
    -88.366
    (S1 (S (NP (NNS Dogs)) (VP (VBP bark))))
    -93.0538
    (S1 (NP (NNS Dogs) (NN bark)))
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from math import log
from pathlib import Path

from headwise.constituency.candidates import CandidateList
from headwise.corpus.brackets import read_brackets, write_brackets
from headwise.corpus.constituents import Tree
from headwise.corpus.files import read_lines, source_name
from headwise.corpus.output import write_text
from headwise.errors import FormatError, InputError, SourceLocation, UsageError, quoted

LN2 = log(2.0)
BINARY_DIGITS = 10
"""Significant digits of binary logarithms."""

_ID = re.compile(r"#\s*sent_id\s*=\s*(\S(?:.*\S)?)\s*")
_HEADER = re.compile(r"(\d{1,9})(?:\s+(\S(?:.*\S)?))?\s*")
_TREE_LINE = re.compile(r"([^\t(]*)\t\s*(\(.*)")
_NUMBERS = re.compile(r"\s*([^\s(]+)(?:\s+([^\s(]+))?\s*")

Lines = Iterator[tuple[int, str]]
"""Lines with their numbers."""


def read_nbest(path: str | Path, format_name: str | None = None) -> Iterator[CandidateList]:
    """The candidate lists of a file in one of `NBEST_FORMATS` [default: by its first line]."""
    check_format(format_name)
    lines = enumerate(read_lines(path), 1)
    first = next(((at, line) for at, line in lines if line.strip()), None)
    if first is None:
        return
    name = format_name or ("bllip" if _HEADER.fullmatch(first[1]) else "headwise")
    yield from _READERS[name](chain([first], lines), source_name(path))


def write_nbest(
    path: str | Path, lists: Iterable[CandidateList], format_name: str = "headwise"
) -> None:
    """Write candidate lists to a file, atomically."""
    check_format(format_name)
    write_text(path, (_WRITERS[format_name](found) for found in lists))


def check_format(name: str | None) -> None:
    """Raise unless it is the name of a format, or None."""
    if name is not None and name not in NBEST_FORMATS:
        known = ", ".join(NBEST_FORMATS)
        raise UsageError(f"unknown k-best format {quoted(name)}; choose from {known}")


# -------------------------------------------------------------------------------- our own


def _read_own(lines: Lines, path: str) -> Iterator[CandidateList]:
    number = 0
    sentence_id, start = "", 0
    trees: list[Tree] = []
    scores: list[float] = []
    for at, line in chain(lines, [(0, "")]):  # end the last sentence with a blank line
        if not line.strip():
            if start:
                yield CandidateList.of(sentence_id, trees, scores, SourceLocation(path, start))
            trees, scores, start = [], [], 0
            continue
        if not start:
            number, start, sentence_id = number + 1, at, str(number + 1)
        named = _ID.fullmatch(line)
        if named:
            if trees:
                raise FormatError(
                    "sent_id between the trees of a sentence; is a blank line missing?",
                    SourceLocation(path, at, sentence_id),
                )
            sentence_id = named[1]
        elif not line.startswith("#"):
            location = SourceLocation(path, at, sentence_id)
            parts = _TREE_LINE.fullmatch(line)
            if parts is None:
                raise FormatError("expected `score, tab, tree` or a comment", location)
            scores.append(_number(parts[1], location))
            trees.append(_tree(parts[2], location))


def _format_own(found: CandidateList) -> str:
    rows = zip(found.scores, write_brackets(found.trees), strict=True)
    lines = "".join(f"{float(score)!r}\t{tree}" for score, tree in rows)
    return f"# sent_id = {found.sentence_id}\n{lines}\n"


# -------------------------------------------------------------------------------- BLLIP


def _read_bllip(lines: Lines, path: str) -> Iterator[CandidateList]:
    sentences = 0
    for at, line in lines:
        if not line.strip():
            continue
        header = _HEADER.fullmatch(line)
        sentences += 1
        if header is None:
            message = "expected the number of trees of a sentence, or a blank line"
            if sentences > 1:
                message += "; the sentence before may have more trees than it states"
            raise FormatError(message, SourceLocation(path, at))
        sentence_id = header[2] or str(sentences)
        yield _bllip_sentence(lines, int(header[1]), SourceLocation(path, at, sentence_id))


def _bllip_sentence(lines: Lines, count: int, location: SourceLocation) -> CandidateList:
    """The trees of a sentence after its first line."""
    trees: list[Tree] = []
    scores: list[float] = []
    for number in range(count):
        at, above = _line(lines, number, count, location)
        where = SourceLocation(location.path, at, location.sentence_id)
        numbers = _NUMBERS.fullmatch(above)
        if numbers is None:
            raise FormatError(
                f"tree {number + 1} of {count} has no log-probability above it", where
            )
        parser_score = _number(numbers[2] or numbers[1], where)
        scores.append(_number(numbers[1], where) if numbers[2] else LN2 * parser_score)
        at, line = _line(lines, number, count, location)
        trees.append(_tree(line, SourceLocation(location.path, at, location.sentence_id)))
    return CandidateList.of(location.sentence_id or "", trees, scores, location)


def _line(lines: Lines, number: int, count: int, location: SourceLocation) -> tuple[int, str]:
    at, line = next(lines, (0, ""))
    if not line.strip():
        raise FormatError(f"the sentence states {count} trees, but has {number}", location)
    return at, line


def _format_bllip(found: CandidateList) -> str:
    rows = zip(found.scores, write_brackets(found.trees), strict=True)
    lines = "".join(f"{float(score) / LN2:.{BINARY_DIGITS}g}\n{tree}" for score, tree in rows)
    return f"{len(found)}\t{found.sentence_id}\n{lines}\n"


# -------------------------------------------------------------------------------- both


def _number(text: str, location: SourceLocation) -> float:
    try:
        return float(text)
    except ValueError:
        raise FormatError(f"{quoted(text.strip())} is not a number", location) from None


def _tree(text: str, location: SourceLocation) -> Tree:
    """The only tree of a line."""
    try:
        trees = list(read_brackets([text], location.path, first_line=location.line or 1))
    except InputError as error:
        raise type(error)(error.message, location) from None
    if len(trees) != 1:
        raise FormatError(f"{len(trees)} trees on one line", location)
    return Tree(trees[0].root, location)


_READERS: dict[str, Callable[[Lines, str], Iterator[CandidateList]]] = {
    "headwise": _read_own,
    "bllip": _read_bllip,
}
_WRITERS: dict[str, Callable[[CandidateList], str]] = {
    "headwise": _format_own,
    "bllip": _format_bllip,
}
NBEST_FORMATS = tuple(_READERS)
"""The names of the formats."""

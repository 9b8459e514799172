"""CoNLL-U 2.x: what is read is written back to the byte.

Tolerated with a warning, and an error under `strict`: blank lines before the first sentence or
more than one after a sentence, and a file that ends without its closing blank line.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from headwise.corpus.diagnosis import malformed, tolerate_layout, unwritable
from headwise.corpus.extras import EmptyNode, Multiword
from headwise.corpus.files import DEFAULT_LIMITS, Limits, source_name
from headwise.corpus.rows import (
    Block,
    MalformedError,
    Stretch,
    are_words,
    blocks_of,
    check_columns,
    check_values,
    columns_of,
    head_text,
    is_number,
    parse_heads,
    read_stretches,
    split_fields,
    word_ids,
)
from headwise.corpus.sentence import STANDARD_LAYOUT, Sentence, all_columns, text_columns
from headwise.corpus.tree import checked_heads, known_heads

Scanner = Callable[[Stretch, str], Iterable[Sentence | Block] | None]
"""Scans a stretch of a named file: its sentences, as blocks if they must be parsed row by row.

None if all of them must.
"""

COLUMNS_AFTER_ID = 9
_COMMENT_LINES = re.compile(r"(?:#.*\n)*")
"""Those at the top of a block."""

MAX_EMPTY = 999_999_999
"""Empty nodes after a word: numbers have nine digits at most."""

# ---------------------------------------------------------------------------- reading


def read_conllu(
    path: str | Path,
    *,
    strict: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    scan: Scanner | None = None,
) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file (plain, gzip, xz, or `-`), one at a time.

    With `scan`, plain ones are only scanned: their columns are decoded when asked for.
    """
    name = source_name(path)
    warned: set[str] = set()
    for stretch in read_stretches(path, limits):
        scanned = None if scan is None else scan(stretch, name)
        if scanned is None:
            for block in blocks_of(stretch, path):
                if block.layout is not STANDARD_LAYOUT:
                    tolerate_layout(block, name, strict, warned)
                yield parse_block(block, name)
            continue
        for one in scanned:
            yield one if isinstance(one, Sentence) else parse_block(one, name)


def parse_text(text: str, name: str) -> Iterator[Sentence]:
    """The sentences of CoNLL-U in memory; messages call it by a name.

    Blank lines before and after it do not count.
    """
    plain = text.removeprefix("\ufeff").strip("\r\n")
    if plain:
        whole = Stretch(1, f"{plain}\n\n".encode(), is_regular=False)
        yield from (parse_block(block, name) for block in blocks_of(whole, name))


def parse_again(text: str, path: str | None, line: int) -> Sentence:
    """A sentence from its text, which is known to be well-formed."""
    return _parse(Block(text, line, STANDARD_LAYOUT), path)


def parse_block(block: Block, path: str | None = None) -> Sentence:
    """One sentence from its lines."""
    try:
        return _parse(block, path)
    except MalformedError:
        raise malformed(block, path) from None


def _parse(block: Block, path: str | None) -> Sentence:
    text = block.text
    start = _COMMENT_LINES.match(text).end()  # type: ignore[union-attr]  # it always matches
    comments = tuple(text[: start - 1].split("\n")) if start else ()
    if comments and "\r" in text:
        raise MalformedError
    fields = split_fields(text[start:])
    columns = columns_of(fields)
    extras: tuple[Multiword | EmptyNode, ...] = ()
    if not are_words(columns[0]):
        extras = _take_extras(fields)
        columns = columns_of(fields)
        if not are_words(columns[0]):
            raise MalformedError
    _, forms, lemmas, upos, xpos, feats, heads, relations, deps, misc = columns
    sentence = Sentence(
        forms, lemmas, upos, xpos, feats, parse_heads(heads), relations, deps, misc,
        comments, extras, block.layout, path, block.line,
    )  # fmt: skip
    return sentence.as_read(text if block.layout is STANDARD_LAYOUT else None)


def _take_extras(fields: list[str]) -> tuple[Multiword | EmptyNode, ...]:
    """Remove the multiword rows and empty nodes from the fields, and give them back."""
    ids = fields[::10]
    rows = [row for row, text in enumerate(ids) if "-" in text or "." in text]
    words = len(ids) - len(rows)
    extras: list[Multiword | EmptyNode] = []
    for taken, row in enumerate(rows):
        identifier = ids[row].removeprefix("\n")
        position = row - taken
        columns = tuple(fields[10 * row + 1 : 10 * row + 10])
        if "-" in identifier:
            extras.append(Multiword(*_number_pair(identifier, "-"), columns, position))
        else:
            extras.append(EmptyNode(*_number_pair(identifier, "."), columns))
            if extras[-1].position != position:
                raise MalformedError
    if not words:
        raise MalformedError
    _check_places(extras, words)
    kept: list[str] = []
    for start, end in pairwise((-1, *rows, len(ids))):
        kept += fields[10 * start + 10 : 10 * end]
    fields[:] = kept
    fields[0] = fields[0].removeprefix("\n")
    return tuple(extras)


def _check_places(extras: Iterable[Multiword | EmptyNode], words: int) -> None:
    """Refuse multiword rows and empty nodes that are not where they say they are, or overlap."""
    covered, last_empty, position = 0, (0, 0), 0
    for extra in extras:
        if not position <= extra.position <= words:
            raise MalformedError
        position = extra.position
        if isinstance(extra, Multiword):
            if extra.first != position + 1 or not covered < extra.first <= extra.last <= words:
                raise MalformedError
            covered = extra.last
        else:
            if not 1 <= extra.index <= MAX_EMPTY or (position, extra.index) <= last_empty:
                raise MalformedError
            last_empty = position, extra.index


def _number_pair(text: str, separator: str) -> tuple[int, int]:
    first, found, second = text.partition(separator)
    if not (found and is_number(first) and is_number(second)):
        raise MalformedError
    return int(first), int(second)


# ---------------------------------------------------------------------------- writing


def format_conllu(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The text of each sentence, as its layout says."""
    missing_end = ""  # what must come before a further sentence where one was the unfinished last
    for sentence in sentences:
        layout = sentence.layout
        yield missing_end + layout.newline * layout.blanks_before + format_sentence(sentence)
        missing_end = "" if layout.blanks_after else layout.newline * (1 + layout.unfinished)


def format_sentence(sentence: Sentence) -> str:
    """One sentence as CoNLL-U text, with the blank line that closes it."""
    if sentence.source is not None:
        return sentence.source + "\n\n"
    try:
        _check(sentence)
    except MalformedError:
        raise unwritable(sentence, "CoNLL-U") from None
    text = joined_rows(sentence)
    layout = sentence.layout
    if layout is STANDARD_LAYOUT:
        return text
    end = "\n" * (layout.blanks_after + (not layout.unfinished or layout.blanks_after > 0))
    return (text[:-2] + end).replace("\n", layout.newline)


def joined_rows(sentence: Sentence) -> str:
    """The comments and rows of a sentence, and the blank line that closes it."""
    *first, heads, relations, deps, misc = all_columns(sentence)
    columns = *first, map(head_text, heads), relations, deps, misc
    rows = zip(word_ids(len(heads)), *columns)  # noqa: B905  # there are more IDs than words
    lines = [*sentence.comments, *map("\t".join, rows), "\n"]
    if sentence.extras:
        for before, extra in enumerate(sentence.extras, len(sentence.comments)):
            lines.insert(before + extra.position, "\t".join((extra.id, *extra.columns)))
    return "\n".join(lines)


def _check(sentence: Sentence) -> None:
    """Refuse what could not be read again; of a sentence that was read, look at the tree only."""
    if sentence.checked:
        check_values(sentence.relations)  # heads were looked at when they were given
        return
    check_columns(*text_columns(sentence))
    check_heads(sentence)
    _check_comments(sentence.comments)
    if sentence.extras:
        _check_extras(sentence.extras, len(sentence.forms))


def check_heads(sentence: Sentence) -> None:
    """Refuse heads that are not words of the sentence."""
    words = len(sentence.forms)
    if known_heads(sentence.heads, words) is None:
        checked_heads(sentence.heads, words, sentence.location)


def _check_extras(extras: tuple[Multiword | EmptyNode, ...], words: int) -> None:
    """Refuse multiword rows and empty nodes that could not be read again."""
    if any(len(extra.columns) != COLUMNS_AFTER_ID for extra in extras):
        raise MalformedError
    check_values([value for extra in extras for value in extra.columns])
    _check_places(extras, words)


def _check_comments(comments: tuple[str, ...]) -> None:
    """Refuse comments that could not be read again."""
    text = "\n" + "\n".join(comments) if comments else ""
    line_ends = text.count("\n")
    if line_ends != len(comments) or text.count("\n#") != line_ends or "\r" in text:
        raise MalformedError

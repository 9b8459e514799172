"""Raw text from files, in pieces of bounded size."""

import re
from collections.abc import Iterator
from pathlib import Path

from headwise.corpus.files import (
    DEFAULT_LIMITS,
    Limits,
    decoded,
    read_chunks,
    source_name,
    without_byte_order_mark,
)
from headwise.text.cutting import CutNotice

USUAL_BYTES = 1 << 17
MOST_BYTES = 1 << 19
"""The bytes after which a text is cut at the next blank line, and after which anywhere."""

NO_BLANK_LINE = f"there is no blank line in the {MOST_BYTES // 1024:,} KiB before"

BLANK_LINE = re.compile(rb"\n[ \t\r]*\n")

LONGEST_END = 64
MARKS = "|".join(re.escape(mark) for mark in ".!?…。！？।؟۔")
CLOSING = "|".join(re.escape(mark) for mark in "\"')]»”’」』）")
SENTENCE_LINE = re.compile(f"(?:{MARKS})(?:{CLOSING}){{0,4}}[ \t\r]{{0,8}}\n".encode())
"""The end of a line with which a sentence ends, as far as marks can tell."""
LAST_SENTENCE_LINE = re.compile(SENTENCE_LINE.pattern + rb"\Z")


def read_blocks(
    path: str | Path,
    *,
    errors: str = "strict",
    limits: Limits = DEFAULT_LIMITS,
    notice: CutNotice | None = None,
    usual_bytes: int | None = None,
) -> Iterator[str]:
    """The text of a file in blocks that can be tokenised one by one: joined, they are the text.

    Blocks end with the first blank line after `usual_bytes` (`USUAL_BYTES`), across which the
    tokeniser does not look. Where there is none for half a million bytes, a block ends
    with a line that ends a sentence, else with any line, else with a space, else anywhere; the
    `notice` says so once, if a sentence may be cut by it.
    `errors` says what happens to bytes that are not UTF-8: `strict` or `replace`.
    """
    usual_bytes = USUAL_BYTES if usual_bytes is None else usual_bytes
    pending, line, offset = bytearray(), 1, 0
    notice, is_cut = notice or CutNotice(source_name(path)), False
    for chunk in read_chunks(path, limits):
        pending += chunk if line > 1 or pending else without_byte_order_mark(chunk, path)
        while (end := _end_of_block(pending, usual_bytes)) > 0:
            block = bytes(memoryview(pending)[:end])
            del pending[:end]
            text = decoded(block, line, path, errors)
            if is_cut:
                notice.tell(line, offset, NO_BLANK_LINE)
            line, offset = line + block.count(b"\n"), offset + len(text)
            is_cut = not _ends_sentence(block)
            yield text
    if is_cut and pending.strip():
        notice.tell(line, offset, NO_BLANK_LINE)
    if pending:
        yield decoded(bytes(pending), line, path, errors)


def _ends_sentence(block: bytes) -> bool:
    """Whether a block ends with a blank line, or with a line that ends a sentence."""
    if block[len(block.rstrip()) :].count(b"\n") >= 2:
        return True
    return LAST_SENTENCE_LINE.search(block, max(0, len(block) - LONGEST_END)) is not None


def _end_of_block(pending: bytearray, usual_bytes: int) -> int:
    """Where the first block of some bytes ends; 0 if more must be read first."""
    if len(pending) <= usual_bytes:
        return 0
    blank = BLANK_LINE.search(pending, usual_bytes)
    if blank is not None:
        return blank.end()
    if len(pending) <= MOST_BYTES:
        return 0
    lines = [line.end() for line in SENTENCE_LINE.finditer(pending, MOST_BYTES // 2)]
    if lines:
        return lines[-1]
    for mark in (b"\n", b" "):
        found = pending.rfind(mark, MOST_BYTES // 2)
        if found >= 0:
            return found + 1
    end = len(pending) - 4
    while pending[end] & 0xC0 == 0x80:  # within a character
        end -= 1
    return end

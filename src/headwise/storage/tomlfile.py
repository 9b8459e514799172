"""TOML files, read within limits, so that any file takes little time and memory.

`tomllib` stores the path to every table, so that one dotted key of 100,000 parts would take 24 GB.
Files that are too long or too deeply nested are rejected before they are parsed. Nor does `tomllib`
report the lines of keys, which messages name (`line_of`).
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from headwise.errors import FormatError, LimitError, SourceLocation, UsageError

MAX_BYTES = 1 << 20
MAX_DEPTH = 32
"""Largest number of parts of a dotted key, and of nested brackets."""
MAX_DIGITS = 100
"""A 64-bit integer has 20 digits, a float in full usually fewer than 100."""

# Unterminated strings match too, so that no text is scanned twice.
_TOKENS = re.compile(
    r"""
      (?P<string> \"{3} (?:\\.?|[^\\])*? (?:\"{3}|\Z) | '{3} .*? (?:'{3}|\Z)
                | "(?:\\.|[^"\\\n])*"? | '[^'\n]*'? )
    | (?P<comment> \#[^\n]* )
    | (?P<bare> [\w+-]+ )
    | (?P<space> [ \t]+ )
    | (?P<dot> \. )
    | (?P<open> [\[{] )
    | (?P<close> [\]}] )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_OF_A_KEY = ("string", "bare", "space", "dot")
_POSITION = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def read_toml(path: str | Path) -> tuple[str, dict[str, Any]]:
    """The text of a TOML file, and its parsed contents."""
    text = _read_text(path)
    check_limits(text, str(path))
    try:
        return text, tomllib.loads(text)
    except ValueError as error:  # tomllib's own errors, and those of dates and numbers
        position = _POSITION.search(str(error))
        line = int(position[1]) if position and position[1] else text.count("\n") + 1
        message = f"is not valid TOML: {_POSITION.sub('', str(error))}"
        raise FormatError(message, SourceLocation(str(path), line)) from None


def toml_value(text: str) -> Any:
    """A value as it would stand in a file: `5`, `true`, `["a", "b"]`; text needs no quotes."""
    check_limits(text, "")
    try:
        table = tomllib.loads(f"value = {text}")
    except ValueError:
        return text
    return table["value"] if len(table) == 1 else text


def check_limits(text: str, path: str) -> None:
    """Raise if keys or brackets are nested too deeply, or a number is too long."""
    dots = depth = 0
    for token in _TOKENS.finditer(text):
        kind = token.lastgroup
        dots = dots + (kind == "dot") if kind in _OF_A_KEY else 0
        depth = max(0, depth + (kind == "open") - (kind == "close"))
        if dots >= MAX_DEPTH:
            _fail(f"a key has more than {MAX_DEPTH} parts", text, token.start(), path)
        if depth > MAX_DEPTH:
            _fail(f"brackets are nested more than {MAX_DEPTH} deep", text, token.start(), path)
        if kind == "bare" and digits_of(token[0]) > MAX_DIGITS:
            _fail(f"a number has more than {MAX_DIGITS} digits", text, token.start(), path)


def digits_of(word: str) -> int:
    """The number of digits of a number, decimal or hexadecimal."""
    if word.startswith(("0x", "0o", "0b")):
        return len(word)
    return sum(map(str.isdecimal, word))


def _fail(message: str, text: str, at: int, path: str) -> None:
    raise LimitError(f"{message}: shorten it", SourceLocation(path, text.count("\n", 0, at) + 1))


def _read_text(path: str | Path) -> str:
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise LimitError(
            f"is too long for a settings file (limit: {MAX_BYTES:,} bytes)",
            SourceLocation(str(path)),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError("is not UTF-8", SourceLocation(str(path), line)) from None


_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")

Keys = tuple[str | int, ...]  # names of tables and a key; indices into arrays of tables


def line_of(keys: Sequence[str | int], text: str) -> int | None:
    """The line of a key or of the innermost table or value that contains it, or None."""
    best, found = 0, None
    for line, here in _keys_by_line(text):
        if len(here) > best and here == tuple(keys)[: len(here)]:
            best, found = len(here), line
    return found


def _keys_by_line(text: str) -> Iterator[tuple[int, Keys]]:
    table: Keys = ()
    numbers: Counter[Keys] = Counter()
    for line, row in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(row):
            table = _parts(header[2])
            if header[1] == "[[":
                numbers[table] += 1
                table = (*table, numbers[table] - 1)
            yield line, table
        elif key := _KEY.match(row):
            yield line, table + _parts(key[1])


def _parts(dotted: str) -> Keys:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))

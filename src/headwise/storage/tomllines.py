"""Line numbers of keys in a TOML text, for messages; `tomllib` does not report them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

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

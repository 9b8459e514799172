"""Where in a TOML text a key stands, for messages: the parser of the library does not say."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")

Keys = tuple[str | int, ...]  # names of tables and a key; numbers where tables stand in a list


def line_of(keys: Sequence[str | int], text: str) -> int | None:
    """The line of a key, of the value or table that it is within, or None if there is none."""
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

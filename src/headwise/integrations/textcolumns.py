"""Texts in a column of a table: of a Parquet file, or of JSON lines with an object a row."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwise.corpus.files import read_lines, source_name
from headwise.errors import (
    FormatError,
    SourceLocation,
    UsageError,
    counted,
    listed,
    quoted,
    warn,
)
from headwise.integrations import parquet

DEFAULT_ID = "id"
"""The column of ids that is taken without being asked for, if there is one."""

Row = tuple[int, object, str | None]
"""The number of a row, its id and its text."""


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Reads the texts of tables; without `id_column`, see `read_texts`."""

    column: str
    id_column: str | None = None

    def __call__(self, path: Path) -> Iterator[tuple[str, str]]:
        """The id and the text of each row of a table."""
        return read_texts(path, self.column, self.id_column)


def read_texts(path: Path, column: str, id_column: str | None) -> Iterator[tuple[str, str]]:
    """The id and the text of each row of a table; rows whose text is null are left out.

    Without `id_column`, ids come from a column `id`, or else are the numbers of the rows.
    """
    rows = parquet_rows if path.suffix.lower() == parquet.ENDING else json_rows
    nulls = 0
    for number, name, text in rows(path, column, id_column):
        if text is None:
            nulls += 1
        else:
            yield str(number if name is None else name), text
    if nulls:
        message = f"{source_name(path)}: {counted(nulls, 'row')} without text (null) in {column!r}"
        warn(message)


def parquet_rows(path: Path, column: str, id_column: str | None) -> Iterator[Row]:
    """The rows of a Parquet file."""
    if id_column is None and DEFAULT_ID in parquet.column_names(path):
        id_column = DEFAULT_ID
    return parquet.read_rows(path, column, id_column)


def json_rows(path: Path, column: str, id_column: str | None) -> Iterator[Row]:
    """The rows of a file of JSON lines; blank lines do not count."""
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            yield (
                number,
                *json_row(line, column, id_column, SourceLocation(source_name(path), number)),
            )


def json_row(
    line: str, column: str, id_column: str | None, at: SourceLocation
) -> tuple[object, str | None]:
    """The id and the text of a row."""
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        message = "a column is read from Parquet (.parquet) or from JSON lines, an object a line"
        raise FormatError(f"this is not JSON: {error}; {message}", at) from None
    if not isinstance(row, dict):
        raise FormatError(f"a row is an object {{…}}, not {quoted(row)}", at)
    for wanted in filter(None, (column, id_column)):
        if wanted not in row:
            raise FormatError(f"there is no column {wanted!r}; there are {listed(list(row))}", at)
    name, text = row.get(id_column or DEFAULT_ID), row[column]
    if text is not None and not isinstance(text, str):
        raise FormatError(f"{column!r} holds {quoted(text)}, not text", at)
    if isinstance(name, dict | list):
        raise FormatError(f"{id_column or DEFAULT_ID!r} holds {quoted(name)}, not an id", at)
    if text is not None and not is_utf8(text):
        raise FormatError(f"{column!r} holds a lone surrogate", at)
    return name, text


def is_utf8(text: str) -> bool:
    """Whether a text is whole characters: JSON can write half ones."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_without_column(path: Path) -> None:
    """Raise for a Parquet file of which nobody has said where its text is."""
    names = listed(parquet.column_names(path))
    raise UsageError(f"{path}: which column has the text? say --column NAME (there are {names})")

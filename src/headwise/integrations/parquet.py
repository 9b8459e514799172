"""Parquet files: words written as rows, row group by row group; texts read from a column."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from headwise.corpus.files import (
    DEFAULT_LIMITS,
    STANDARD_STREAM,
    Limits,
    source_name,
    tell_watcher,
)
from headwise.corpus.output import open_output
from headwise.corpus.sentence import Sentence
from headwise.errors import FormatError, LimitError, SourceLocation, UsageError, listed
from headwise.integrations.frames import (
    TYPES,
    Columns,
    add_sentence,
    arrow_schema,
    arrow_table,
    in_documents,
)
from headwise.integrations.libraries import library

ENDING = ".parquet"
ROWS = 1 << 16
"""Words in a row group: all that is kept in memory."""

TEXTS_AT_A_TIME = 256


def write_parquet(
    path: str | Path,
    sentences: Iterable[Sentence],
    rows: int = ROWS,
    document: str | None = None,
) -> None:
    """Write the words of sentences, in row groups of fixed size; the file appears when complete.

    `document` is the one that the first sentences belong to.
    """
    library("pyarrow.parquet")
    if str(path) == STANDARD_STREAM:
        raise UsageError(f"Parquet is written to a file: name one (-o words{ENDING})")
    write_tables(path, word_tables(sentences, rows, document), rows)


def write_tables(path: str | Path, tables: Iterable[Any], rows: int = ROWS) -> None:
    """Write tables of words one after the other, in row groups of fixed size."""
    parquet = library("pyarrow.parquet")
    with (
        open_output(path) as stream,
        parquet.ParquetWriter(stream, arrow_schema(), compression="zstd") as writer,
    ):
        for table in regrouped(tables, rows):
            writer.write_table(table.combine_chunks(), row_group_size=rows)  # in pages of one size


def word_tables(
    sentences: Iterable[Sentence], rows: int, document: str | None = None
) -> Iterator[Any]:
    """The words of sentences as tables of a minimum number of rows."""
    columns: Columns = {name: [] for name in TYPES}
    for owner, name, sentence in in_documents(sentences, document):
        add_sentence(columns, owner, name, sentence)
        if len(columns["form"]) >= rows:
            yield arrow_table(columns)
            columns = {name: [] for name in TYPES}
    yield arrow_table(columns)


def regrouped(tables: Iterable[Any], rows: int) -> Iterator[Any]:
    """The rows of tables in tables of exactly the same length; the last one may have fewer.

    So a file does not depend on where its parts were cut.
    """
    arrow = library("pyarrow")
    waiting: list[Any] = []
    count = 0
    for table in tables:
        waiting.append(table)
        count += len(table)
        if count >= rows:
            whole = arrow.concat_tables(waiting)
            for start in range(0, count - count % rows, rows):
                yield whole.slice(start, rows)
            waiting, count = [whole.slice(count - count % rows)], count % rows
    if count:
        yield arrow.concat_tables(waiting)


def read_rows(
    path: Path, column: str, id_column: str | None
) -> Iterator[tuple[int, object, str | None]]:
    """The number, the id and the text of each row of a Parquet file; None where they are null."""
    parquet = library("pyarrow.parquet")
    number, location = 0, SourceLocation(source_name(path))
    # A text that stands in a dictionary once is not repeated in memory for each of its rows.
    options = {"pre_buffer": False, "read_dictionary": [column]}
    with damage_named(path):
        check_columns(parquet.read_schema(path), column, id_column, location)
    with damage_named(path), parquet.ParquetFile(path, **options) as file:
        check_expansion(file.metadata, location)
        names = [column] if id_column in (None, column) else [column, id_column]
        for batch in file.iter_batches(TEXTS_AT_A_TIME, columns=names):
            texts = batch.column(column)
            ids = batch.column(id_column).to_pylist() if id_column else [None] * len(texts)
            for name, text in zip(ids, texts, strict=True):
                number += 1
                yield number, name, text.as_py()
            tell_watcher(path, path.stat().st_size * len(texts) // file.metadata.num_rows)


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Let errors of Arrow say which file is damaged."""
    try:
        yield
    except (library("pyarrow").ArrowException, OSError, UnicodeDecodeError) as error:
        message = f"this is not Parquet, or it is damaged: {str(error).splitlines()[0]}"
        raise FormatError(message, SourceLocation(source_name(path))) from None


def check_expansion(
    metadata: Any, location: SourceLocation, limits: Limits = DEFAULT_LIMITS
) -> None:
    """Raise if a row group grows more than a compressed file may."""
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        packed = sum(group.column(at).total_compressed_size for at in range(group.num_columns))
        if group.total_byte_size > max(limits.expansion_from, limits.expansion * packed):
            raise LimitError(
                f"a row group grows to more than {limits.expansion} times its size; if you trust "
                "the file, write it again without compression",
                location,
            )


def check_columns(schema: Any, column: str, id_column: str | None, at: SourceLocation) -> None:
    """Raise unless the columns are there, with text in one and plain values in the other."""
    types = library("pyarrow").types
    for name in filter(None, (column, id_column)):
        if name not in schema.names:
            raise FormatError(f"there is no column {name!r}; there are {listed(schema.names)}", at)
    kind = schema.field(column).type
    value = kind.value_type if types.is_dictionary(kind) else kind
    is_text = types.is_string(value) or types.is_large_string(value) or types.is_null(value)
    if not (is_text or str(value) == "string_view"):
        raise FormatError(f"column {column!r} holds {kind}, not text", at)
    if id_column is not None and types.is_nested(schema.field(id_column).type):
        kind = schema.field(id_column).type
        raise FormatError(f"column {id_column!r} holds {kind}, which cannot be an id", at)


def read_tables(path: Path) -> Iterator[Any]:
    """A Parquet file of words, one row group after the other."""
    with library("pyarrow.parquet").ParquetFile(path) as file:
        for number in range(file.num_row_groups):
            yield file.read_row_group(number)


def column_names(path: Path) -> list[str]:
    """The columns of a Parquet file."""
    parquet = library("pyarrow.parquet")
    with damage_named(path):
        names: list[str] = parquet.read_schema(path).names
    return names

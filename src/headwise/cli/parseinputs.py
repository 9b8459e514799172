"""What `headwise parse` reads: arguments as files, texts or columns of tables."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from headwise.cli.formatters import STANDARD_STREAM
from headwise.corpus.formats import JSONL, TOKENS, format_of
from headwise.errors import UsageError

if TYPE_CHECKING:
    from headwise.integrations.ray.job import OpenTable
    from headwise.pipeline.inputs import Input


def chosen_inputs(
    arguments: list[str] | None,
    kind: str | None,
    table: "OpenTable | None",
    stream_kind: str = "raw",
) -> "list[Input]":
    """The inputs that the arguments name, or standard input if there are none.

    table: what reads the texts of tables, if the arguments are such.
    """
    from headwise.pipeline.inputs import DOCUMENTS, Input, input_of

    named = arguments or [str(STANDARD_STREAM)]
    if table is not None:
        paths = [table_path(argument) for argument in named]
        return [Input(DOCUMENTS, path, documents=partial(table, path)) for path in paths]
    for argument in named:
        if argument.lower().endswith(".parquet") and Path(argument).is_file():
            from headwise.integrations.textcolumns import refuse_without_column

            refuse_without_column(Path(argument))
    return [input_of(argument, kind, stream_kind=stream_kind) for argument in named]


def table_reader(kind: str | None, column: str | None, id_column: str | None) -> "OpenTable | None":
    """What reads the texts of a table, if a column is named."""
    if column is None:
        if id_column is not None:
            raise UsageError("--id-column goes with --column, which says where the text is")
        return None
    from headwise.integrations.textcolumns import TextColumn

    if kind not in (None, JSONL.name):
        raise UsageError("--column reads raw text from Parquet or JSON lines: leave out the kind")
    return TextColumn(column, id_column)


PLAIN_TEXT = {".txt", ".tok"}
"""Endings of files that have text and no columns."""


def table_path(argument: str) -> Path:
    """The table that an argument names; a text is none."""
    path = Path(argument)
    if path != STANDARD_STREAM and not path.is_file():
        raise UsageError(f"there is no file {argument}: --column reads Parquet or JSON lines")
    if PLAIN_TEXT & {ending.lower() for ending in path.suffixes}:
        raise UsageError(
            f"{argument} is plain text, which has no columns: leave out --column (it reads Parquet "
            "or JSON lines)"
        )
    return path


LARGE = 1 << 20
"""Bytes of text from which processes beat threads, although they take seconds to start."""


def use_processes(inputs: "list[Input]", jobs: int) -> int:
    """How many processes parse: of large plain text, as many as jobs, of all else one.

    Python, which does a third of the work on text, runs in one thread at a time. Files of CoNLL-U
    are read, parsed and written by kernels, for which threads will do.
    """
    from headwise.pipeline.inputs import PLAIN

    if jobs == 1 or not all(one.kind in PLAIN for one in inputs):
        return 1
    paths = [one.path for one in inputs if one.path is not None and one.path.is_file()]
    return jobs if sum(path.stat().st_size for path in paths) >= LARGE else 1


def chosen_kind(
    text: bool, presegmented: bool, tokenized: bool, from_format: str | None
) -> str | None:
    """The kind of input that the call names; None to decide by file extension."""
    from headwise.pipeline.inputs import PRESEGMENTED, RAW, TOKENIZED

    flags = {RAW: text, PRESEGMENTED: presegmented, TOKENIZED: tokenized}
    said = [name for name, given in flags.items() if given]
    if from_format is not None:
        entry = format_of("-", from_format)
        said.append(TOKENIZED if entry is TOKENS else entry.name)
    if len(said) > 1:
        raise UsageError("give one of --text, --presegmented, --tokenized and --from")
    return said[0] if said else None

"""A job: files to parse, the files that they become, and how they are parsed."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any

from headwise.corpus.formats import FORMATS, Formatter
from headwise.corpus.tabular import format_tsv
from headwise.errors import UsageError, listed
from headwise.inference.answers import BEST_TREES, ParseOptions
from headwise.pipeline.inputs import DOCUMENTS, RAW, Input, kind_of

PARQUET, TSV = "parquet", "tsv"
EXTENSIONS = {
    "conllu": ".conllu", "conllx": ".conllx", "jsonl": ".jsonl", TSV: ".tsv", PARQUET: ".parquet",
}  # fmt: skip
"""The formats that files can become, and how these are called."""

COMPRESSED = (".gz", ".xz")

OpenTable = Callable[[Path], Iterator[tuple[str, str]]]
"""Reads the documents of a table."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How files are parsed: the options of `headwise parse`.

    table: reads the documents of a table, if texts are in a column of tables.
    """

    to_format: str = "conllu"
    options: ParseOptions = BEST_TREES
    kind: str | None = None
    errors: str = "strict"
    own_tags: bool = False
    table: OpenTable | None = None

    def check(self) -> None:
        """Raise if this cannot be done file by file."""
        if self.to_format not in EXTENSIONS:
            known = ", ".join(EXTENSIONS)
            raise UsageError(f"files cannot be written as {self.to_format!r}; choose from {known}")
        self.options.check()

    def input_of(self, path: Path) -> Input:
        """What a file holds."""
        if self.table is not None:
            return Input(DOCUMENTS, path, documents=partial(self.table, path))
        return Input(self.kind or kind_of(path), path)

    def formatter(self) -> Formatter:
        """What turns sentences into text."""
        found = format_tsv if self.to_format == TSV else FORMATS[self.to_format].format
        assert found is not None
        return found

    def described(self, model: str) -> dict[str, Any]:
        """What results depend on, for the manifest."""
        return {
            "model": model,
            "to": self.to_format,
            "options": repr(self.options),
            "kind": self.kind,
            "errors": self.errors,
            "own_tags": self.own_tags,
            "table": repr(self.table) if self.table is not None else None,
        }


@dataclass(frozen=True, slots=True)
class FilePair:
    """A file, and the file that it becomes."""

    source: Path
    target: Path

    def state(self) -> tuple[int, int]:
        """The size of the source and when it was changed: other values mean other content."""
        about = self.source.stat()
        return about.st_size, about.st_mtime_ns


def paired(arguments: Iterable[str], output: Path, to_format: str) -> list[FilePair]:
    """The files that arguments name, and files below `output` that they become.

    What is below the folder that all of them have in common is kept of their paths.
    """
    sources = found_files(arguments)
    shared = os.path.commonpath([one.parent for one in sources])
    pairs = [FilePair(one, output / renamed(one.relative_to(shared), to_format)) for one in sources]
    owners: dict[Path, Path] = {}
    for pair in pairs:
        if pair.target in owners:
            raise UsageError(
                f"{owners[pair.target]} and {pair.source} would both become {pair.target}: "
                "rename one of them"
            )
        owners[pair.target] = pair.source
    return pairs


def found_files(arguments: Iterable[str]) -> list[Path]:
    """The files that arguments name, patterns with `*` and `**` included, each once.

    Paths are absolute: workers may run in other folders.
    """
    found: dict[Path, None] = {}
    missing = []
    for argument in arguments:
        matching = glob(argument, recursive=True)  # noqa: PTH207 - a pattern may be absolute
        names = [argument] if Path(argument).is_file() else sorted(matching)
        files = [Path(os.path.abspath(name)) for name in names if Path(name).is_file()]  # noqa: PTH100
        found.update(dict.fromkeys(files))
        if not files:
            missing.append(argument)
    if missing:
        raise UsageError(f"no file matches {listed(missing)}")
    if not found:
        raise UsageError("name the files to parse")
    return list(found)


def renamed(path: Path, to_format: str) -> Path:
    """The name of what a file becomes: `a.txt.gz` becomes `a.conllu`."""
    plain = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return plain.with_suffix(EXTENSIONS[to_format])


def is_big(pair: FilePair, recipe: Recipe, piece_bytes: int) -> bool:
    """Whether a file is cut into pieces: raw text that is longer than one."""
    if recipe.input_of(pair.source).kind != RAW:
        return False
    size = pair.state()[0]
    return size > (piece_bytes // 4 if pair.source.suffix.lower() in COMPRESSED else piece_bytes)

"""Treebanks of experiments: find, read, sample and checksum their files."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np

from headwise.corpus.formats import BRACKETS, format_of, read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, SourceLocation, UsageError

T = TypeVar("T")
Paths = str | tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreebankFiles:
    """The files of a treebank: paths, or patterns such as `wsj/0[2-9]/*.mrg`.

    language: selects published figures by language.
    format, head_rules: as in `headwise train --from … --head-rules …`.
    """

    train: Paths
    dev: Paths
    test: Paths = ()
    language: str = ""
    format: str | None = None
    head_rules: str | None = None


@dataclass(frozen=True)
class Treebank:
    """A named treebank, and the folders to search for its files, in this order."""

    name: str
    files: TreebankFiles
    folders: tuple[Path, ...]

    def paths(self, split: str) -> list[Path]:
        """The files of a split, ordered by pattern and name; empty if one is missing."""
        given: Paths = getattr(self.files, split)
        patterns = (given,) if isinstance(given, str) else given
        found = [self._matching(pattern) for pattern in patterns]
        return [path for some in found for path in some] if all(found) else []

    def _matching(self, pattern: str) -> list[Path]:
        for folder in self.folders:
            start = Path(folder, pattern)  # an absolute pattern ignores the folder
            found = sorted(Path(start.anchor or ".").glob(str(start.relative_to(start.anchor))))
            if found:
                return found
        return []

    def lacks(self, split: str) -> bool:
        """Whether no files are listed for a split."""
        return not getattr(self.files, split)

    def missing(self, scored_on: str) -> str | None:
        """What is missing, or None."""
        if self.lacks(scored_on):
            return (
                f"{self.name} has no {scored_on} files to score: add {scored_on} = … to its table, "
                "or score another split (--on)"
            )
        for split in dict.fromkeys(("train", "dev", scored_on)):
            if not self.paths(split):
                where = ", ".join(map(str, self.folders))
                return f"{self.name}: no {split} files ({getattr(self.files, split)!r}) in {where}"
        return None

    def sentences(self, split: str) -> list[Sentence]:
        """The sentences of a split."""
        found = [
            sentence
            for path in self.paths(split)
            for sentence in read_sentences(
                path, self.files.format, head_rules=self.files.head_rules
            )
        ]
        if not found:
            raise InputError(f"{split} has no sentences", SourceLocation(self.name))
        return found

    def bracket_paths(self, split: str) -> list[Path]:
        """The files of a split, which must be bracketed trees."""
        paths = self.paths(split)
        if not all(format_of(path, self.files.format) is BRACKETS for path in paths):
            raise UsageError(f"{self.name}: a grammar requires bracketed trees")
        return paths

    @cached_property
    def length(self) -> int:
        """The number of training sentences."""
        return len(self.sentences("train"))

    @cached_property
    def checksums(self) -> dict[str, str]:
        """A hash of the files of each split."""
        return {
            split: _digest(paths)
            for split in ("train", "dev", "test")
            if (paths := self.paths(split))
        }


def _digest(paths: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()[:16]


def sample(items: Sequence[T], size: int | None, seed: int) -> list[T]:
    """A random sample of the items without replacement, in order; a larger sample with the same
    seed contains a smaller one."""
    if size is None:
        return list(items)
    if size > len(items):
        raise UsageError(f"cannot sample {size} sentences from {len(items)}")
    drawn = np.random.default_rng(seed).permutation(len(items))[:size]
    return [items[number] for number in sorted(drawn.tolist())]

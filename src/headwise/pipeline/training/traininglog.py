"""Training logs: JSON lines, the first about the training, then one for every epoch."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwise import __version__
from headwise.corpus.files import read_lines
from headwise.errors import FormatError, SourceLocation, UsageError
from headwise.learners.callbacks import Plan, TrainingCallback

FORMAT = "headwise-training-log"


@dataclass(frozen=True, slots=True)
class LogWriter(TrainingCallback):
    """A callback that keeps a log. Going on from a checkpoint, it goes on from that epoch.

    about: what the first line shall say besides: settings, files.
    """

    path: Path
    about: Mapping[str, Any]

    def begin(self, plan: Plan) -> None:
        """Write the first line, and those of epochs before a checkpoint."""
        first = {
            "format": FORMAT,
            "headwise_version": __version__,
            **self.about,
            "sentences": plan.sentences,
            "words": plan.words,
            "left_out": plan.left_out,
        }
        self.write("w", first, *plan.history)

    def epoch(self, record: dict[str, Any]) -> None:
        """Note what an epoch came to."""
        self.write("a", record)

    def write(self, mode: str, *records: Mapping[str, Any]) -> None:
        """Write records, down to the disk."""
        try:
            with self.path.open(mode, encoding="utf-8") as stream:
                for record in records:
                    stream.write(json.dumps(record, allow_nan=False) + "\n")
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class TrainingLog:
    """A log that was read: what its training was, and its epochs (or members) in order."""

    about: Mapping[str, Any]
    epochs: list[dict[str, Any]]
    members: list[dict[str, Any]]


def read_log(path: str | Path) -> TrainingLog:
    """Read a training log. The last line may be cut short: its training may still be running."""
    if not Path(path).is_file():
        raise UsageError(f"there is no file {path}")
    records: list[dict[str, Any]] = []
    broken: int | None = None
    for number, line in enumerate(read_lines(path), 1):
        if broken is not None and records:
            raise FormatError("is not a line of a training log", SourceLocation(str(path), broken))
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            records.append(record)
        else:
            broken = number
    if not records or records[0].get("format") != FORMAT:
        raise FormatError("is not a training log of Headwise", SourceLocation(str(path), 1))
    for number, record in enumerate(records[1:], 2):
        if not _is_record(record):
            raise FormatError("is not a line of a training log", SourceLocation(str(path), number))
    members = [record for record in records[1:] if "member" in record]
    return TrainingLog(records[0], [one for one in records[1:] if "member" not in one], members)


def _is_record(record: Mapping[str, Any]) -> bool:
    """Whether a record has an epoch, and numbers where there are figures."""
    figures = [record.get(name, 0.0) for name in ("loss", "dev_uas", "dev_las", "member")]
    return type(record.get("epoch")) is int and all(type(one) in (int, float) for one in figures)

"""What is finished of a job: a line for each file, added when its output is in its place.

The first line says what the job is. A line that a crash has cut short does not count; the file
that it was about is done again, with the same result.
"""

import json
import os
from pathlib import Path
from typing import Any

from headwise.errors import UsageError
from headwise.integrations.ray.job import FilePair

NAME = "headwise.manifest.jsonl"


class Manifest:
    """The manifest of a folder of outputs."""

    def __init__(self, folder: Path, job: dict[str, Any]) -> None:
        """Read it, or begin one; raises if the folder has results of another job."""
        self.path = folder / NAME
        self.rows: dict[str, dict[str, Any]] = {}
        lines = self._whole_lines()
        if not lines:
            self._add({"job": job})
        elif lines[0].get("job") != job:
            raise UsageError(
                f"{folder} has the results of another job ({differing(lines[0], job)}): choose "
                "another folder, or remove it"
            )
        for row in lines[1:]:
            if not is_row(row):
                raise self._damaged("a line says of no file what became of it")
            self.rows[row["input"]] = row

    def _damaged(self, how: object) -> UsageError:
        return UsageError(f"{self.path} is damaged ({how}): remove it")

    def _whole_lines(self) -> list[dict[str, Any]]:
        """The lines of the file; one that was cut short is removed."""
        if not self.path.exists():
            return []
        data = self.path.read_bytes()
        end = data.rfind(b"\n") + 1
        if end < len(data):
            os.truncate(self.path, end)
        try:
            lines = [json.loads(line) for line in data[:end].splitlines()]
        except (ValueError, RecursionError) as error:
            raise self._damaged(error) from None
        if not all(isinstance(line, dict) for line in lines):
            raise self._damaged("a line is no JSON object")
        return lines

    def _add(self, row: dict[str, Any]) -> None:
        """Add a line that is on the disk before anything else happens."""
        line = (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "surrogateescape")
        with self.path.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def is_done(self, pair: FilePair) -> bool:
        """Whether a file was parsed as it is now, and its output is there."""
        row = self.rows.get(str(pair.source))
        if row is None or "error" in row or not pair.target.is_file():
            return False
        same = [row["size"], row["changed"]] == list(pair.state())
        return same and row["output_size"] == pair.target.stat().st_size

    def finished(self, pair: FilePair, state: tuple[int, int], words: int) -> None:
        """Note that a file is parsed, as it was in this state, and its output in its place."""
        self._note(pair, {
            "size": state[0], "changed": state[1], "output": str(pair.target),
            "output_size": pair.target.stat().st_size, "words": words,
        })  # fmt: skip

    def failed(self, pair: FilePair, message: str) -> None:
        """Note that a file cannot be parsed."""
        self._note(pair, {"error": message})

    def _note(self, pair: FilePair, about: dict[str, Any]) -> None:
        row = {"input": str(pair.source)} | about
        self._add(row)
        self.rows[str(pair.source)] = row


def is_row(row: dict[str, Any]) -> bool:
    """Whether a line says of a file that it is finished, or why it cannot be parsed."""
    numbers = [row.get(name) for name in ("size", "changed", "output_size")]
    is_known = "error" in row or all(type(one) is int for one in numbers)
    return isinstance(row.get("input"), str) and is_known


def differing(first: dict[str, Any], job: dict[str, Any]) -> str:
    """What another job has done otherwise."""
    before = first.get("job")
    if not isinstance(before, dict):
        return "its manifest is of another version"
    names = [name for name in job if before.get(name) != job[name]]
    return ", ".join(f"{name} {before.get(name)!r}, now {job[name]!r}" for name in names)

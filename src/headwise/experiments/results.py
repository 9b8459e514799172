"""Results of runs, stored in one JSON file each and found by their settings."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.output import open_output
from headwise.errors import FormatError, HeadwiseError, InputError, SourceLocation, UsageError
from headwise.evaluate.measures import NAMES
from headwise.evaluate.ratios import RatioCounts
from headwise.experiments.runs import ExperimentRun, key_of_result
from headwise.experiments.treebanks import Treebank
from headwise.storage.jsonfile import read_json_file
from headwise.storage.npzfile import read_npz

Views = tuple[RatioCounts, RatioCounts]
"""Counts per sentence, with and without punctuation, for significance tests."""

Verdicts = NDArray[np.uint8]
"""Which words have the right head, for McNemar's test."""


_ARRAYS = (("all", "top"), ("all", "bottom"), ("no", "top"), ("no", "bottom"))
"""The arrays of a file of counts: the view, and numerators or denominators."""


@dataclass(frozen=True, slots=True)
class Result:
    """A result and its file."""

    path: Path
    data: Mapping[str, Any]

    @property
    def counts_path(self) -> Path:
        """The file of the counts per sentence."""
        return self.path.with_suffix(".counts.npz")

    def counts(self) -> Views | None:
        """The counts per sentence, if they are stored."""
        if not self.counts_path.exists():
            return None
        names = [f"{view}_{part}" for view, part in _ARRAYS]
        arrays = self._stored(names)
        if len(arrays) < len(names):
            raise self.damaged(self.counts_path)
        found = [arrays[name] for name in names]
        shape = len(found[0]) if found[0].ndim else 0, len(NAMES)
        if any(one.dtype != np.int32 or one.shape != shape for one in found):
            raise self.damaged(self.counts_path)
        return RatioCounts(*found[:2]), RatioCounts(*found[2:])

    def verdicts(self) -> Verdicts | None:
        """What `head_verdicts` said of every word, if it is stored; older results lack it."""
        if not self.counts_path.exists():
            return None
        found: Verdicts | None = self._stored(["words"]).get("words")
        if found is not None and (found.dtype != np.uint8 or found.ndim != 1):
            raise self.damaged(self.counts_path)
        return found

    def _stored(self, names: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Those of some arrays that are stored."""
        try:
            return read_npz(self.counts_path, names)
        except InputError:
            raise self.damaged(self.counts_path) from None

    def damaged(self, path: Path) -> FormatError:
        """What is wrong with a file of this result that does not hold what was stored."""
        message = "is damaged: delete the result (.json and .counts.npz), and it will be run again"
        return FormatError(message, SourceLocation(str(path)))

    def check_data(self, treebank: Treebank) -> None:
        """Raise if the result is for other files than the treebank has now."""
        checksums = self.data.get("data", {})
        if not isinstance(checksums, dict):
            raise self.damaged(self.path)
        for split, digest in checksums.items():
            if treebank.checksums.get(split, digest) != digest:
                raise UsageError(
                    f"{self.path} is for another {split} file of {treebank.name} than the current "
                    "one: rename the treebank, or use another results folder (--results)"
                )


class Results:
    """The results in a folder."""

    def __init__(self, folder: Path) -> None:
        """Open a folder, which need not exist yet."""
        self.folder = folder

    @cached_property
    def _by_key(self) -> dict[str, list[Result]]:
        found: dict[str, list[Result]] = {}
        for path in sorted(self.folder.glob("*.json")):
            data = read_json_file(path)
            if not isinstance(data, dict) or not {"treebank", "settings", "scores"} <= data.keys():
                continue  # written by something else
            try:
                key = key_of_result(data)
            except HeadwiseError:  # settings that no longer exist
                continue
            found.setdefault(key, []).append(Result(path, data))
        return found

    def find(self, run: ExperimentRun) -> Result | None:
        """The result of a run, if it was done; preferably the one with its file name."""
        same = self._by_key.get(run.key, [])
        return next((one for one in same if one.path.name == run.file_name), next(iter(same), None))

    def keep(
        self,
        run: ExperimentRun,
        data: Mapping[str, Any],
        views: Views,
        verdicts: Verdicts | None = None,
    ) -> Result:
        """Store a result, replacing older ones of the same run.

        The JSON file is written last, so that a result that is there is complete.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        result = Result(self.folder / run.file_name, data)
        packed = io.BytesIO()
        arrays = _arrays(views) | ({} if verdicts is None else {"words": verdicts})
        np.savez_compressed(packed, **arrays)
        with open_output(result.counts_path) as stream:
            stream.write(packed.getvalue())
        with open_output(result.path) as stream:
            stream.write((json.dumps(data, indent=1, sort_keys=True) + "\n").encode())
        for older in self._by_key.pop(run.key, []):
            if older.path != result.path:
                older.path.unlink()
                older.counts_path.unlink(missing_ok=True)
        self._by_key[run.key] = [result]
        return result

    def checkpoint(self, run: ExperimentRun) -> Path:
        """The checkpoint from which an interrupted run resumes."""
        return self.folder / Path(run.file_name).with_suffix(".checkpoint").name


def _arrays(views: Views) -> dict[str, Any]:
    by_name = dict(zip(("all", "no"), views, strict=True))
    return {
        f"{view}_{part}": getattr(by_name[view], part).astype(np.int32) for view, part in _ARRAYS
    }

"""What came out of runs, kept as one JSON file each, and found again by what they say."""

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from headwise.corpus.output import open_output
from headwise.errors import FormatError, HeadwiseError, SourceLocation, UsageError
from headwise.evaluate.ratios import RatioCounts
from headwise.experiments.runs import Run, key_of_result
from headwise.experiments.treebanks import Treebank

Views = tuple[RatioCounts, RatioCounts]
"""Counts of all sentences, with punctuation and without, as tests of significance need them."""


@dataclass(frozen=True, slots=True)
class Result:
    """A result and its file."""

    path: Path
    data: Mapping[str, Any]

    @property
    def counts_path(self) -> Path:
        """Where the counts of its sentences are, if they are kept."""
        return self.path.with_suffix(".counts.npz")

    def counts(self) -> Views | None:
        """The counts of its sentences, if they were kept."""
        if not self.counts_path.exists():
            return None
        try:
            with np.load(self.counts_path, allow_pickle=False) as arrays:
                views = [
                    RatioCounts(arrays[f"{view}_top"], arrays[f"{view}_bottom"])
                    for view in ("all", "no")
                ]
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
            message = "is damaged: remove it and its result, and the run is done again"
            raise FormatError(message, SourceLocation(str(self.counts_path))) from None
        return views[0], views[1]

    def check_data(self, treebank: Treebank) -> None:
        """Raise if it is of other files than the treebank has now."""
        for split, digest in self.data.get("data", {}).items():
            if treebank.checksums.get(split, digest) != digest:
                raise UsageError(
                    f"{self.path} is of another {split} of {treebank.name} than there is now: give "
                    "the treebank another name, or keep its results elsewhere (--results)"
                )


class Results:
    """The results of a folder."""

    def __init__(self, folder: Path) -> None:
        """The folder need not exist yet."""
        self.folder = folder

    @cached_property
    def _by_key(self) -> dict[str, list[Result]]:
        found: dict[str, list[Result]] = {}
        for path in sorted(self.folder.glob("*.json")):
            try:
                data = json.loads(path.read_text("utf-8"))
            except (ValueError, RecursionError) as error:
                raise FormatError(f"is no JSON: {error}", SourceLocation(str(path))) from None
            if not isinstance(data, dict) or not {"treebank", "settings", "scores"} <= data.keys():
                continue  # of a script
            try:
                key = key_of_result(data)
            except HeadwiseError:  # settings that there are no more: no run can ask for it
                continue
            found.setdefault(key, []).append(Result(path, data))
        return found

    def find(self, run: Run) -> Result | None:
        """The result of a run, if it was done; one of its very name before others."""
        same = self._by_key.get(run.key, [])
        return next((one for one in same if one.path.name == run.file_name), next(iter(same), None))

    def keep(self, run: Run, data: Mapping[str, Any], views: Views) -> Result:
        """Write a result, in the place of older ones of the same run.

        Its own file comes last: where it is, all of it is.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        result = Result(self.folder / run.file_name, data)
        packed = io.BytesIO()
        np.savez_compressed(packed, **_arrays(views))
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

    def checkpoint(self, run: Run) -> Path:
        """Where a run that is cut short can go on from."""
        return self.folder / Path(run.file_name).with_suffix(".checkpoint").name


def _arrays(views: Views) -> dict[str, Any]:
    named = zip(("all", "no"), views, strict=True)
    return {
        f"{name}_{part}": getattr(view, part).astype(np.int32)
        for name, view in named
        for part in ("top", "bottom")
    }

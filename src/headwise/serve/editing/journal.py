"""The journal of a file that is being corrected: what is saved, but not in the file yet.

    .NAME.journal, beside the file, a line of JSON each:
    {"file": fingerprint}                        the file that all of this belongs to
    {"place": 3, "count": 1, "texts": ["…"]}     texts in the place of `count` sentences
    {"written": fingerprint}                     the file is about to be all of the above; what
                                                 is saved while it is written comes after this

A line is on the disk before it counts as saved. One that is not whole was never shown as saved.
Whoever corrects a file holds the lock of its journal, and removes it in the end.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from weakref import finalize

from headwise.errors import UsageError
from headwise.storage.filelock import locked_handle, remove_closing
from headwise.storage.wholefolder import beside, make_durable

ENCODING = ("utf-8", "surrogateescape")
NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Characters that no bytes stand behind in this encoding."""

Entry = dict[str, Any]


class Journal:
    """The journal of one file, open and locked until it is closed."""

    def __init__(self, file: Path) -> None:
        """Open the journal of a file; raise if somebody else corrects the file."""
        target = file.resolve()
        self.path = beside(target, "journal")
        try:
            self.handle = locked_handle(self.path)
        except BlockingIOError:
            raise UsageError(
                f"{file} is being corrected by another server: open another window of that one"
            ) from None
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from error
        self._closing = finalize(self, os.close, self.handle)
        self.length = self.path.read_bytes().rfind(b"\n") + 1
        os.ftruncate(self.handle, self.length)  # without a line that is not whole

    def entries(self) -> Iterator[Entry]:
        """What it holds; raise if a line is none of ours."""
        for number, line in enumerate(self.path.read_bytes().split(b"\n")[:-1], 1):
            entry = entry_of(line)
            if entry is None:
                raise UsageError(
                    f"{self.path}:{number} is damaged: move this journal away to correct the file "
                    "as it is, without what was saved last"
                )
            yield entry

    def note(self, fingerprint: bytes, place: int, count: int, texts: Sequence[bytes]) -> None:
        """Save that texts stand in the place of sentences of the file with this fingerprint."""
        if not self.length:
            self.append({"file": fingerprint.hex()})
        decoded = [text.decode(*ENCODING) for text in texts]
        self.append({"place": place, "count": count, "texts": decoded})

    def append(self, entry: Entry) -> None:
        """Write a line to the disk; or raise, and nothing is written."""
        data = json.dumps(entry).encode() + b"\n"
        try:
            if os.write(self.handle, data) != len(data):
                raise OSError(28, "No space left on device")
            os.fsync(self.handle)
        except OSError as error:
            os.ftruncate(self.handle, self.length)
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from error
        self.length += len(data)

    def clear(self) -> None:
        """Forget all of it, once the file itself is on the disk under its name."""
        make_durable(self.path.parent)
        os.ftruncate(self.handle, 0)
        os.fsync(self.handle)
        self.length = 0

    @property
    def is_open(self) -> bool:
        """Whether it was not closed."""
        return self._closing.alive

    def close(self) -> None:
        """Remove the journal, if nothing is left in it."""
        if self.is_open:
            if self.length:
                self._closing()
            else:
                remove_closing(self.path, self._closing)


def entry_of(line: bytes) -> Entry | None:
    """The entry of a line, or None: anyone may have written it."""
    try:
        entry = json.loads(line)
        found = entry.keys()
    except (ValueError, RecursionError, AttributeError):
        return None
    if found == {"file"} or found == {"written"}:
        return entry if all(isinstance(one, str) for one in entry.values()) else None
    if found != {"place", "count", "texts"} or not isinstance(entry["texts"], list):
        return None
    numbers = entry["place"], entry["count"]
    if not all(type(one) is int and one >= 0 for one in numbers):
        return None
    texts = entry["texts"]
    is_bytes = all(isinstance(one, str) and not NO_BYTES.search(one) for one in texts)
    return entry if is_bytes else None

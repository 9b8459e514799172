"""A CoNLL-U file that is corrected: whole at every moment, and nothing that was saved is lost.

A small file is written whole at every change. Changes of a large one go into a journal beside it
(`journal.py`), and into the file after a pause and at the end. What was not changed is written back
as the bytes that were read. Before a file is replaced, it must still be what was read or written
last: what other programs have written is never overwritten.
"""

import codecs
import hashlib
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count as counted
from pathlib import Path
from threading import RLock

from headwise.corpus.conllu import format_sentence, read_conllu
from headwise.corpus.output import open_output
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError, HeadwiseWarning, UsageError
from headwise.serve.editing.journal import ENCODING, Entry, Journal

BOM = codecs.BOM_UTF8
SMALL = 1 << 18
"""Largest file, in bytes, that is written at every change; that takes a few milliseconds."""

Stamp = tuple[int, int, int]


class ChangedFileError(HeadwiseError):
    """Another program has changed the file: nothing was written."""


@dataclass(slots=True)
class TreebankFile:
    """Sentences of a file, and the bytes of each.

    start: the bytes before the first sentence.
    size, fingerprint, stamp: of the file as it was read or written last; the size is that which it
        would have with all that the journal holds.
    lock: whoever changes what is saved holds it, and never for long.
    folding: who writes the journal into the file holds it, as a pause may end while the server
        ends. It is taken before the lock.
    """

    path: Path
    journal: Journal
    sentences: list[Sentence] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)
    start: bytes = b""
    size: int = 0
    fingerprint: bytes = b""
    stamp: Stamp = (0, 0, 0)
    lock: RLock = field(default_factory=RLock)
    folding: RLock = field(default_factory=RLock)

    @classmethod
    def read(cls, path: str | Path) -> "TreebankFile":
        """Read a file, which must be plain CoNLL-U; a journal that was left behind is used up."""
        path = Path(path)
        bytes_of(path)  # raises if there is no file, before a journal is made
        opened = cls(path, Journal(path))
        try:
            opened._take()
            if opened.journal.length:
                opened._recover(list(opened.journal.entries()))
        except BaseException:
            opened.journal.close()
            raise
        return opened

    def read_again(self) -> None:
        """Take the file as it is now."""
        with self.folding, self.lock:
            with suppress(ChangedFileError):  # what was saved here is in a file of its own then
                self.fold()
            self._take()

    def _take(self) -> None:
        stamp, data = stamp_of(self.path), bytes_of(self.path)
        if data.startswith((b"\x1f\x8b", b"\xfd7zXZ\x00")):
            raise UsageError(f"{self.path} is compressed: decompress it to correct it")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HeadwiseWarning)  # it is written back as it was
            found = list(read_conllu(self.path))
        if bytes_of(self.path) != data:
            raise UsageError(f"{self.path} was changed while it was read: try again")
        if not found:
            raise UsageError(f"{self.path} has no sentences to correct")
        starts = [0, *(one.end() for one in re.finditer(b"\n", data))]
        places = [starts[(one.line or 1) - 1] for one in found]
        places[0] = max(places[0], len(BOM) if data.startswith(BOM) else 0)
        self.start = data[: places[0]]
        self.pieces = [data[a:b] for a, b in zip(places, [*places[1:], len(data)], strict=True)]
        self.sentences, self.size = found, len(data)
        self.fingerprint, self.stamp = fingerprint(data), stamp

    # ------------------------------------------------------------------ saving

    def replace(
        self, place: int, count: int, new: Sequence[Sentence], own: Sequence[bytes] | None = None
    ) -> None:
        """Save sentences in the place of `count` others; or raise, and nothing is done.

        own: their bytes, if they have been in the file before.
        """
        texts = [format_sentence(one).encode() for one in new] if own is None else own
        pieces = [*self.pieces[:place], *texts, *self.pieces[place + count :]]
        change = sum(map(len, texts)) - sum(map(len, self.pieces[place : place + count]))
        with self.lock:
            if self.size + change <= SMALL and not self.journal.length:
                self._write(self._whole(pieces))
            else:
                self.check_unchanged()
                self.journal.note(self.fingerprint, place, count, texts)
            self.pieces, self.size = pieces, self.size + change
        self.sentences[place : place + count] = new

    def fold(self) -> None:
        """Write what the journal holds into the file; or raise, and the journal still holds it.

        That takes a while. What is saved meanwhile stays in the journal.
        """
        with self.folding:
            with self.lock:
                if not self.journal.length or not self.journal.is_open:
                    return
                data = self._whole(self.pieces)
                self.journal.append({"written": fingerprint(data).hex()})
                length = self.journal.length
            self._write(data)
            with self.lock:
                if self.journal.length == length:
                    self.journal.clear()

    def close(self) -> None:
        """Let others correct the file; everything is in it then, or else in the journal."""
        with self.folding, self.lock:
            try:
                self.fold()
            except UsageError as error:
                raise UsageError(
                    f"{error}; what was saved is in {self.journal.path}, from where the next "
                    "server that corrects the file will take it"
                ) from None
            finally:
                self.journal.close()

    def _whole(self, pieces: Iterable[bytes]) -> bytes:
        return b"".join((self.start, *pieces))

    def _write(self, data: bytes) -> None:
        with open_output(self.path, self._replacing(data)) as stream:
            stream.write(data)

    @contextmanager
    def _replacing(self, data: bytes) -> Iterator[None]:
        """The moment in which the file is replaced by what was written beside it."""
        with self.lock:
            self.check_unchanged(thoroughly=True)
            yield
            self.fingerprint, self.stamp = fingerprint(data), stamp_of(self.path)

    # ------------------------------------------------------------------ other programs

    def check_unchanged(self, *, thoroughly: bool = False) -> None:
        """Raise if another program has changed the file, by its time and size, or by its content.

        What is only in the journal is written to a file of its own then.
        """
        if not thoroughly and stamp_of(self.path) == self.stamp:
            return
        try:
            stamp, now = stamp_of(self.path), fingerprint(bytes_of(self.path))
        except UsageError:
            stamp, now = self.stamp, b""
        if now == self.fingerprint:
            self.stamp = stamp
            return
        raise ChangedFileError(
            f"{self.path.name} was changed by another program: nothing was saved; load it again to "
            f"go on with what it holds now{self._rescued()}"
        )

    def _rescued(self) -> str:
        """Where that is which was saved, but is not in the file."""
        if not self.journal.length:
            return ""
        path = written_aside(self.path, self._whole(self.pieces))
        self.journal.clear()
        return f"; the file with what was saved here before is {path.name}"

    def _recover(self, entries: Sequence[Entry]) -> None:
        """Use a journal that a server has left behind."""
        now = self.fingerprint.hex()
        places = [
            n for n, one in enumerate(entries) if now in (one.get("file"), one.get("written"))
        ]
        changes = [one for one in entries if "texts" in one]
        if places:
            for one in entries[places[-1] :]:
                if "texts" in one:
                    self.pieces[one["place"] : one["place"] + one["count"]] = encoded(one)
            self.fold()
            self._take()
        elif changes:
            path = written_aside(self.path, b"".join(b"".join(encoded(one)) for one in changes))
            self.journal.clear()
            raise UsageError(
                f"{self.path} was changed by another program after a server that corrected it had "
                f"ended unexpectedly: what it had saved last is in {path}; start again to go on"
            )
        else:
            self.journal.clear()


def encoded(entry: Entry) -> list[bytes]:
    """The texts of an entry as bytes."""
    return [text.encode(*ENCODING) for text in entry["texts"]]


def written_aside(path: Path, data: bytes) -> Path:
    """Write data beside a file, under a name that nothing has: NAME.saved-1.conllu."""
    names = (path.with_name(f"{path.stem}.saved-{n}{path.suffix}") for n in counted(1))
    found = next(one for one in names if not one.exists())
    with open_output(found) as stream:
        stream.write(data)
    return found


def bytes_of(path: Path) -> bytes:
    """What a file holds."""
    if path.exists() and not path.is_file():  # a pipe, or a device that never ends
        raise UsageError(f"{path} is not a regular file: only such can be corrected")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error


def stamp_of(path: Path) -> Stamp:
    """What changes with a file, if anything: its identity, its size and its time."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return found.st_ino, found.st_size, found.st_mtime_ns


def fingerprint(data: bytes) -> bytes:
    """What tells the content of files apart."""
    return hashlib.blake2b(data, digest_size=16).digest()

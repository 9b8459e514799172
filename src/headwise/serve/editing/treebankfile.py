"""A CoNLL-U file that is corrected: read once, and written whole after every change.

What was not changed is written back as the bytes that were read. Before a file is replaced, it
must still be what was read or written last: what other programs have written is never overwritten.
"""

import codecs
import contextlib
import hashlib
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headwise.corpus.conllu import format_sentence, read_conllu
from headwise.corpus.output import open_output
from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError, HeadwiseWarning, UsageError

if sys.platform != "win32":
    import fcntl


BOM = codecs.BOM_UTF8


class ChangedFileError(HeadwiseError):
    """Another program has changed the file: nothing was written."""


@dataclass(slots=True)
class TreebankFile:
    """Sentences of a file, and the bytes of each.

    start: the bytes before the first sentence; the fingerprint is that of the whole file.
    """

    path: Path
    sentences: list[Sentence] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)
    start: bytes = b""
    fingerprint: bytes = b""

    @classmethod
    def read(cls, path: str | Path) -> "TreebankFile":
        """Read a file, which must be plain CoNLL-U."""
        opened = cls(Path(path))
        opened.read_again()
        return opened

    def read_again(self) -> None:
        """Take the file as it is now."""
        data = self._bytes()
        if data.startswith((b"\x1f\x8b", b"\xfd7zXZ\x00")):
            raise UsageError(f"{self.path} is compressed: decompress it to correct it")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HeadwiseWarning)  # it is written back as it was
            found = list(read_conllu(self.path))
        if self._bytes() != data:
            raise UsageError(f"{self.path} was changed while it was read: try again")
        if not found:
            raise UsageError(f"{self.path} has no sentences to correct")
        starts = line_starts(data)
        places = [starts[(one.line or 1) - 1] for one in found]
        places[0] = max(places[0], len(BOM) if data.startswith(BOM) else 0)
        self.start = data[: places[0]]
        self.pieces = [data[a:b] for a, b in zip(places, [*places[1:], len(data)], strict=True)]
        self.sentences, self.fingerprint = found, fingerprint(data)

    def replace(
        self, place: int, count: int, new: Sequence[Sentence], own: Sequence[bytes] | None = None
    ) -> None:
        """Put sentences in the place of `count` others and write the file; or raise, nothing done.

        own: their bytes, if they have been in the file before.
        """
        texts = [format_sentence(one).encode() for one in new] if own is None else own
        pieces = [*self.pieces[:place], *texts, *self.pieces[place + count :]]
        self._write(b"".join((self.start, *pieces)))
        self.pieces = pieces
        self.sentences[place : place + count] = new

    def _write(self, data: bytes) -> None:
        with locked(self.path):
            self.check_unchanged()
            with open_output(self.path) as stream:
                stream.write(data)
        self.fingerprint = fingerprint(data)

    def check_unchanged(self) -> None:
        """Raise if another program has changed the file."""
        try:
            now = fingerprint(self._bytes())
        except UsageError:
            now = b""
        if now != self.fingerprint:
            raise ChangedFileError(
                f"{self.path.name} was changed by another program: nothing was saved; load it "
                "again to go on with what it holds now"
            )

    def _bytes(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            raise UsageError(f"there is no file {self.path}") from None
        except OSError as error:
            raise UsageError(f"cannot read {self.path}: {error.strerror}") from error


def fingerprint(data: bytes) -> bytes:
    """What tells the content of files apart."""
    return hashlib.blake2b(data, digest_size=16).digest()


def line_starts(data: bytes) -> list[int]:
    """Where each line of a file starts."""
    starts, at = [0], data.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = data.find(b"\n", at + 1)
    return starts


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other servers that correct the file from writing it meanwhile, where the system can."""
    if sys.platform == "win32" or not path.exists():
        yield
        return
    with path.open("rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield

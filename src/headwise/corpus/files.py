"""Files as streams: plain, gzip or xz, `-` for standard input.

Reading never holds more than a piece of a file, and stops at stated limits.
"""

import codecs
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import BinaryIO, cast

from headwise.corpus.sentence import comment_value
from headwise.errors import (
    FormatError,
    LimitError,
    SourceLocation,
    UsageError,
    warn,
)

MIB = 1 << 20
CHUNK = 1 << 17
STANDARD_STREAM = "-"
BYTE_ORDER_MARK = "a byte order mark at the start was dropped"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of one thing is believed before it is taken for an accident or an attack."""

    line_bytes: int = 4 * MIB
    sentence_bytes: int = 16 * MIB
    sentence_lines: int = 100_000  # words and other rows, comments, and the blank lines after them
    expansion: int = 200  # how many times its size a compressed file may grow …
    expansion_from: int = 64 * MIB  # … once it has given this many bytes


DEFAULT_LIMITS = Limits()


ReadingCallback = Callable[[str, int], None]
"""Called with the name of a file and the number of further bytes that were read and used."""

_reading_watcher: ContextVar[ReadingCallback | None] = ContextVar("reading_watcher", default=None)


@contextmanager
def watched_reading(callback: ReadingCallback) -> Iterator[None]:
    """Report whatever is read meanwhile to a callback: files are opened deep down."""
    before = _reading_watcher.set(callback)
    try:
        yield
    finally:
        _reading_watcher.reset(before)


def tell_watcher(path: str | Path, count: int) -> None:
    """Report bytes of a file as read to whoever watches."""
    callback = _reading_watcher.get()
    if callback is not None:
        callback(str(path), count)


def source_name(path: str | Path) -> str:
    """How a source is called in messages."""
    return "<standard input>" if str(path) == STANDARD_STREAM else str(path)


class _Counted(io.RawIOBase):
    """A stream that counts the bytes read from it: what a compressed file has really cost."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self.stream.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


def _open_binary(path: str | Path) -> BinaryIO:
    try:
        if str(path) == STANDARD_STREAM:
            # A duplicate, so that closing ours leaves the interpreter's own stream open.
            return os.fdopen(os.dup(0), "rb", buffering=CHUNK)
        return Path(path).open("rb", buffering=CHUNK)
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder, not a file") from None
    except OSError as error:
        raise UsageError(f"cannot read {source_name(path)}: {error.strerror}") from error


def read_chunks(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Iterator[bytes]:
    """The bytes of a file, decompressed where its first bytes say gzip or xz."""
    with _open_binary(path) as raw:
        buffered = cast("io.BufferedReader", raw)
        try:
            magic = buffered.peek(6)[:6]
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from error
        if magic.startswith(b"\x1f\x8b"):
            yield from _decompressed(buffered, path, "gzip", limits)
        elif magic.startswith(b"\xfd7zXZ\x00"):
            yield from _decompressed(buffered, path, "xz", limits)
        else:
            # read1 gives what a pipe has ready, so that streams are answered at once.
            while chunk := buffered.read1(CHUNK):
                yield chunk
                tell_watcher(path, len(chunk))  # not before: now it has been used


def _decompressed(raw: BinaryIO, path: str | Path, kind: str, limits: Limits) -> Iterator[bytes]:
    counted = _Counted(raw)
    source = io.BufferedReader(counted, CHUNK)
    given, line, told = 0, 1, 0
    try:
        with gzip.open(source) if kind == "gzip" else lzma.open(source) as stream:
            while chunk := stream.read(CHUNK):
                given += len(chunk)
                line += chunk.count(b"\n")
                if given > max(limits.expansion_from, limits.expansion * counted.count):
                    raise LimitError(
                        f"the {kind} data grows to more than {limits.expansion} times its size; "
                        "if you trust it, decompress it first and read the plain file",
                        SourceLocation(source_name(path), line),
                    )
                yield chunk
                tell_watcher(path, counted.count - told)
                told = counted.count
    except MemoryError:
        message = f"the {kind} data asks for more memory than there is"
        raise LimitError(message, SourceLocation(source_name(path), line)) from None
    except (gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError) as error:
        raise FormatError(
            f"the {kind} data is damaged or cut short ({error})",
            SourceLocation(source_name(path), line),
        ) from error


Boundary = Callable[[bytearray, int, bool], int]
"""`boundary(data, start, more)` is the end of the last whole unit in `data`; -1 if there is none.

Nothing before `start` needs to be searched. With `more`, data surely follow, so that a unit which
ends with the data may go on.
"""


def read_pieces(
    path: str | Path, boundary: Boundary, limits: Limits = DEFAULT_LIMITS
) -> Iterator[tuple[int, bytes]]:
    """Cut a file at boundaries: (number of the piece's first line, its bytes).

    Bytes are decoded by the caller, unit by unit: a single emoji would turn a whole piece into
    four bytes a character, and make it slow.
    """
    pending, line, searched = bytearray(), 1, 0
    for chunk in read_chunks(path, limits):
        pending += chunk if line > 1 or pending else without_byte_order_mark(chunk, path)
        end = boundary(pending, searched, len(chunk) == CHUNK)
        if end > 0:
            piece = bytes(memoryview(pending)[:end])
            del pending[:end]
            yield line, piece
            line += piece.count(b"\n")
        searched = max(len(pending) - 3, 0)
        _refuse_endless(pending, line, path, limits)
    if pending:
        yield line, bytes(pending)


NOT_TEXT = {
    b"%PDF-": "a PDF file",
    b"PK\3\4": "a document of Word or a ZIP archive",
    b"\xd0\xcf\x11\xe0": "a document of Word or the like",
    b"{\\rtf": "an RTF document",
    b"PAR1": "a Parquet file",
}
"""What files begin with that people take for text."""


def without_byte_order_mark(chunk: bytes, path: str | Path) -> bytes:
    """The first bytes of a file, if they are UTF-8."""
    if chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
        message = "this is UTF-16, not UTF-8; convert it, e.g. with iconv -f UTF-16 -t UTF-8"
        raise FormatError(message, SourceLocation(source_name(path), 1))
    for start, what in NOT_TEXT.items():
        if chunk.startswith(start):
            message = f"this is {what}, not text: save it as plain text first"
            raise FormatError(message, SourceLocation(source_name(path), 1))
    if chunk.startswith(codecs.BOM_UTF8):
        message = f"{source_name(path)}:1: {BYTE_ORDER_MARK}"
        warn(message)
    return chunk.removeprefix(codecs.BOM_UTF8)


def _refuse_endless(pending: bytearray, line: int, path: str | Path, limits: Limits) -> None:
    if len(pending) <= limits.line_bytes:
        return
    if len(pending) - (pending.rfind(b"\n") + 1) > limits.line_bytes:
        raise LimitError(
            f"a line of more than {limits.line_bytes:,} bytes",
            SourceLocation(source_name(path), line + pending.count(b"\n")),
        )
    if len(pending) > limits.sentence_bytes:
        raise LimitError(
            f"a sentence of more than {limits.sentence_bytes:,} bytes; is a blank line missing?"
            if pending.strip(b"\r\n")
            else f"more than {limits.sentence_bytes:,} blank lines",
            SourceLocation(source_name(path), line),
        )


def refuse_many_words(
    count: int, location: SourceLocation, limits: Limits = DEFAULT_LIMITS
) -> None:
    """Raise if a sentence that stands on one line has more words than a sentence can have."""
    if count > limits.sentence_lines:
        raise LimitError(f"a sentence of more than {limits.sentence_lines:,} words", location)


def decoded(piece: bytes, line: int, path: str | Path, errors: str = "strict") -> str:
    """The text of some bytes that start at a line of a file."""
    try:
        return piece.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        bad_line = line + piece.count(b"\n", 0, error.start)
        raise FormatError(
            f"not UTF-8: byte 0x{piece[error.start]:02x} ({error.reason}); convert it, e.g. with "
            "iconv -f LATIN1 -t UTF-8",
            SourceLocation(source_name(path), bad_line, _sentence_id_before(piece, error.start)),
        ) from None


def _sentence_id_before(piece: bytes, position: int) -> str | None:
    """The id of the sentence that holds a byte, if its comment can be read."""
    start = max(piece.rfind(b"\n\n", 0, position), piece.rfind(b"\n\r\n", 0, position), 0)
    rows = piece[start:position].decode("utf-8", "replace").split("\n")
    return comment_value([row.rstrip("\r") for row in rows if row.startswith("#")], "sent_id")


def _last_line_end(data: bytearray, start: int, more: bool) -> int:
    return data.rfind(b"\n", start) + 1


def read_lines(
    path: str | Path, limits: Limits = DEFAULT_LIMITS, *, errors: str = "strict"
) -> Iterator[str]:
    """The lines of a file without their line ends (`\\n` or `\\r\\n`)."""
    for number, piece in read_pieces(path, _last_line_end, limits):
        lines = piece.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        for i, line in enumerate(lines):
            yield decoded(line, number + i, path, errors).removesuffix("\r")


def packaged_text(folder: str, name: str) -> str:
    """A text in a folder of the package's data."""
    path = resources.files("headwise").joinpath("data", folder, f"{name}.txt")
    return path.read_text(encoding="utf-8")


def named_lines(
    name: str | Path,
    known: Sequence[str],
    folder: str,
    what: str,
    besides: Sequence[str] = (),
) -> tuple[Iterable[str], str]:
    """The lines of a text, and what it is called in messages.

    known: names of texts in a folder of the package's data; others are files.
    what: what these texts are, for messages.
    besides: what else a name may be, for messages.
    """
    if name in known:
        return packaged_text(folder, str(name)).splitlines(), f"{name}.txt"
    if not Path(name).is_file():
        named = ", ".join((*known, *besides))
        raise UsageError(f"no {what} {str(name)!r}: neither a file nor one of {named}")
    return read_lines(name), str(name)

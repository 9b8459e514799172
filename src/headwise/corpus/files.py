"""Files as streams: plain, gzip or xz, `-` for standard input and output.

Reading never holds more than a piece of a file, and stops at stated limits. Writing is whole or
not at all: an output file appears under its name only when everything has been written.
"""

import codecs
import contextlib
import gzip
import io
import lzma
import os
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from headwise.errors import FormatError, HeadwiseWarning, LimitError, Place, UsageError
from headwise.safe import safe_text

MIB = 1 << 20
CHUNK = 1 << 17
STANDARD_STREAM = "-"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of one thing is believed before it is taken for an accident or an attack."""

    line_bytes: int = 16 * MIB
    sentence_bytes: int = 64 * MIB
    expansion: int = 200  # how many times its size a compressed file may grow …
    expansion_from: int = 64 * MIB  # … once it has given this many bytes


DEFAULT_LIMITS = Limits()


def source_name(path: str | Path) -> str:
    """How a source is called in messages."""
    return "<standard input>" if str(path) == STANDARD_STREAM else str(path)


# ---------------------------------------------------------------------------- reading


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
    if str(path) == STANDARD_STREAM:
        # A duplicate, so that closing ours leaves the interpreter's own stream open.
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=CHUNK)
    try:
        return Path(path).open("rb", buffering=CHUNK)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error


def read_chunks(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Iterator[bytes]:
    """The bytes of a file, decompressed where its first bytes say gzip or xz."""
    with _open_binary(path) as raw:
        buffered = cast(io.BufferedReader, raw)
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


def _decompressed(raw: BinaryIO, path: str | Path, kind: str, limits: Limits) -> Iterator[bytes]:
    counted = _Counted(raw)
    source = io.BufferedReader(counted, CHUNK)
    given, line = 0, 1
    try:
        with gzip.open(source) if kind == "gzip" else lzma.open(source) as stream:
            while chunk := stream.read(CHUNK):
                given += len(chunk)
                line += chunk.count(b"\n")
                if given > max(limits.expansion_from, limits.expansion * counted.count):
                    raise LimitError(
                        f"the {kind} data grows to more than {limits.expansion} times its size; "
                        "if you trust it, decompress it first and read the plain file",
                        Place(source_name(path), line),
                    )
                yield chunk
    except (gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError) as error:
        raise FormatError(
            f"the {kind} data is damaged or cut short ({error})", Place(source_name(path), line)
        ) from error


def read_pieces(
    path: str | Path, boundary: Callable[[bytes, int], int], limits: Limits = DEFAULT_LIMITS
) -> Iterator[tuple[int, bytes]]:
    """Cut a file at boundaries: (number of the piece's first line, its bytes).

    `boundary(data, start)` gives the end of the last whole unit in `data`, looking no further
    back than `start`, or -1 where there is none. Bytes are decoded by the caller, unit by unit:
    a single emoji would turn a whole piece into four bytes a character, and make it slow.
    """
    pending, line, searched = b"", 1, 0
    for chunk in read_chunks(path, limits):
        pending += chunk if line > 1 or pending else _without_byte_order_mark(chunk, path)
        end = boundary(pending, searched)
        if end == len(pending) and len(chunk) == CHUNK:
            continue  # what follows, and is surely there, may belong to this boundary
        searched = max(len(pending) - 3, 0)
        if end > 0:
            piece, pending = pending[:end], pending[end:]
            yield line, piece
            line += piece.count(b"\n")
            searched = 0
        _refuse_endless(pending, line, path, limits)
    if pending:
        yield line, pending


def _without_byte_order_mark(chunk: bytes, path: str | Path) -> bytes:
    if chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
        message = "this is UTF-16, not UTF-8; convert it, e.g. with iconv -f UTF-16 -t UTF-8"
        raise FormatError(message, Place(source_name(path), 1))
    if chunk.startswith(codecs.BOM_UTF8):
        message = f"{source_name(path)}: a byte order mark at the start was dropped"
        warnings.warn(message, HeadwiseWarning, stacklevel=2)
    return chunk.removeprefix(codecs.BOM_UTF8)


def _refuse_endless(pending: bytes, line: int, path: str | Path, limits: Limits) -> None:
    if len(pending) <= limits.line_bytes:
        return
    line += pending.count(b"\n")
    if len(pending) - (pending.rfind(b"\n") + 1) > limits.line_bytes:
        raise LimitError(
            f"a line of more than {limits.line_bytes:,} bytes", Place(source_name(path), line)
        )
    if len(pending) > limits.sentence_bytes:
        raise LimitError(
            f"a sentence of more than {limits.sentence_bytes:,} bytes; is a blank line missing?",
            Place(source_name(path), line),
        )


def decoded(piece: bytes, line: int, path: str | Path, errors: str = "strict") -> str:
    """The text of some bytes that start at a line of a file."""
    try:
        return piece.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        bad_line = line + piece.count(b"\n", 0, error.start)
        raise FormatError(
            f"not UTF-8: byte 0x{piece[error.start]:02x} ({error.reason})",
            Place(source_name(path), bad_line, _sentence_id_before(piece, error.start)),
        ) from None


def _sentence_id_before(piece: bytes, position: int) -> str | None:
    """The id of the sentence that holds a byte, if its comment can be read."""
    for row in piece[:position].split(b"\n"):
        if row.startswith(b"# sent_id = "):
            return row[len(b"# sent_id = ") :].strip().decode("utf-8", "replace")
    return None


def _last_line_end(data: bytes, start: int) -> int:
    return data.rfind(b"\n", start) + 1


def read_lines(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Iterator[str]:
    """The lines of a file without their line ends (`\\n` or `\\r\\n`)."""
    for number, piece in read_pieces(path, _last_line_end, limits):
        lines = piece.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        for i, line in enumerate(lines):
            yield decoded(line, number + i, path).removesuffix("\r")


# ---------------------------------------------------------------------------- writing


def write_text(path: str | Path, pieces: Iterator[str]) -> None:
    """Write pieces of text to a file, to a compressed file (`.gz`, `.xz`) or to `-`."""
    to_terminal = str(path) == STANDARD_STREAM and sys.stdout.isatty()
    with open_output(path) as stream:
        for batch in _batched(pieces):
            stream.write((safe_lines(batch) if to_terminal else batch).encode("utf-8"))


def safe_lines(text: str) -> str:
    """Text for a terminal: lines and columns as they are, nothing else that it would obey."""
    return "\n".join("\t".join(map(safe_text, line.split("\t"))) for line in text.split("\n"))


def _batched(pieces: Iterator[str], size: int = CHUNK // 4) -> Iterator[str]:
    """Join small pieces, so that encoding and writing are done rarely."""
    batch: list[str] = []
    length = 0
    for piece in pieces:
        batch.append(piece)
        length += len(piece)
        if length >= size:
            yield "".join(batch)
            batch, length = [], 0
    if batch:
        yield "".join(batch)


@contextlib.contextmanager
def open_output(path: str | Path) -> Iterator[BinaryIO]:
    """A binary stream to a file that appears whole or not at all; `-` is standard output."""
    if str(path) == STANDARD_STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        with _opened_for_writing(target) as stream:
            yield stream
        return
    target = target.resolve()  # a link stays a link
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with _opened_for_writing(part, like=target) as stream:
            yield stream
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def _opened_for_writing(path: Path, like: Path | None = None) -> Iterator[BinaryIO]:
    try:
        raw = path.open("wb")
    except OSError as error:
        raise UsageError(f"cannot write {like or path}: {error.strerror}") from error
    with raw:
        if like is not None and like.exists():
            path.chmod(like.stat().st_mode & 0o777)
        suffix = (like or path).suffix
        with _compressor(raw, suffix) as stream:
            yield stream
        if like is not None:
            raw.flush()
            os.fsync(raw.fileno())


@contextlib.contextmanager
def _compressor(raw: BinaryIO, suffix: str) -> Iterator[BinaryIO]:
    if suffix == ".gz":
        # No time stamp and no name: the same data gives the same bytes.
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as packed:
            yield cast(BinaryIO, packed)
    elif suffix == ".xz":
        with lzma.open(raw, "wb") as packed_xz:
            yield cast(BinaryIO, packed_xz)
    else:
        yield raw

"""Output that is whole or not at all, to a file (plain, `.gz`, `.xz`) or `-` for standard output.

A file appears under its name only when everything has been written.
"""

import contextlib
import gzip
import lzma
import os
import sys
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, cast

from headwise.corpus.files import CHUNK, STANDARD_STREAM
from headwise.errors import FormatError, UsageError
from headwise.safe import safe_text


def write_text(
    path: str | Path, pieces: Iterator[str], *, drawn: bool = False, flush: bool = False
) -> None:
    """Write pieces of text to a file, to a compressed file (`.gz`, `.xz`) or to `-`.

    On a terminal, text is made safe here, and shown piece by piece. Drawings (`drawn`) were made
    safe before they were coloured, so they are written as they are. With `flush`, every piece can
    be read by others before the next one is made.
    """
    to_terminal = str(path) == STANDARD_STREAM and sys.stdout.isatty()
    at_once = flush or to_terminal
    with open_output(path) as stream:
        for piece in pieces if at_once else _batched(pieces):
            stream.write(_encoded(safe_lines(piece) if to_terminal and not drawn else piece))
            if at_once:
                stream.flush()


@contextlib.contextmanager
def _naming(path: str | Path) -> Iterator[None]:
    """Let an error of the system say which file could not be written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except FileNotFoundError as error:
        raise UsageError(f"cannot write {path}: there is no folder {Path(path).parent}") from error
    except OSError as error:
        name = "<standard output>" if str(path) == STANDARD_STREAM else path
        raise UsageError(f"cannot write {name}: {error.strerror}") from error


def _encoded(text: str) -> bytes:
    with refusing_surrogates():
        return text.encode("utf-8")


@contextlib.contextmanager
def refusing_surrogates() -> Iterator[None]:
    """Let an error of encoding say what cannot be encoded."""
    try:
        yield
    except UnicodeEncodeError as error:
        code = ord(error.object[error.start])
        message = f"cannot be written: a value holds U+{code:04X}, a lone surrogate"
        raise FormatError(message) from None


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
def open_output(
    path: str | Path, replacing: AbstractContextManager[object] | None = None
) -> Iterator[BinaryIO]:
    """A binary stream to a file that appears whole or not at all; `-` is standard output.

    replacing: entered when all is written, for the moment in which the file gets its name; if it
        raises, the file stays as it was.
    """
    with _naming(path):
        if str(path) == STANDARD_STREAM:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
            return
        target = Path(path)
        if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            with target.open("wb") as raw, _compressor(raw, target.suffix) as stream:
                yield stream
            return
        target = target.resolve()  # a link stays a link
        part = target.with_name(f".{target.name[:40]}.{uuid.uuid4().hex}.part")  # at most 255 bytes
        try:
            with part.open("wb") as raw:
                if target.exists():
                    part.chmod(target.stat().st_mode & 0o777)
                with _compressor(raw, target.suffix) as stream:
                    yield stream
                raw.flush()
                os.fsync(raw.fileno())
            with replacing or contextlib.nullcontext():
                part.replace(target)
        finally:
            part.unlink(missing_ok=True)


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

"""Vectors of words as files that `--vectors` reads: `.npz`, or text, a word a line."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.output import open_output, write_text
from headwise.errors import UsageError

TEXT_ENDINGS = (".txt", ".vec")
ENDINGS = (".npz", *TEXT_ENDINGS)


def check_vector_path(path: Path, *, force: bool) -> None:
    """Raise if vectors cannot be written there, before long work is done for them."""
    if not any(str(path).endswith(ending) for ending in endings()):
        raise UsageError(f"{path}: a file of vectors ends in {', '.join(endings())}")
    if path.is_dir():
        raise UsageError(f"{path} is a folder, not a file")
    if path.exists() and not force:
        raise UsageError(f"{path} already exists: choose another name, or --force")
    if not path.resolve().parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}")


def endings() -> list[str]:
    """The endings of files of vectors; text may be compressed."""
    packed = [f"{ending}{one}" for ending in TEXT_ENDINGS for one in (".gz", ".xz")]
    return [*ENDINGS, *packed]


def write_vectors(path: Path, words: Sequence[str], vectors: NDArray[np.float32]) -> None:
    """Write vectors, whole or not at all, in the format of the file's name."""
    if path.suffix == ".npz":
        names = np.frombuffer("\n".join(words).encode(), np.uint8)
        with open_output(path) as stream:
            np.savez_compressed(stream, words=names, vectors=vectors.astype(np.float16))
        return
    write_text(path, lines(words, vectors))


def lines(words: Sequence[str], vectors: NDArray[np.float32]) -> Iterator[str]:
    """The lines of a text file of vectors, after how many there are and how long."""
    yield f"{len(words)} {vectors.shape[1]}\n"
    for word, row in zip(words, vectors.tolist(), strict=True):
        yield f"{word} {' '.join(f'{value:.5g}' for value in row)}\n"

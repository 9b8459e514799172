"""Pretrained word vectors: read from files of others, kept in 8 bits.

word v1 … vd           text, one word a line, most frequent words first; `.gz` and `.xz` too,
200000 100             with or without such a first line (word2vec, fastText, GloVe)
words, vectors, scale  arrays of an `.npz` file: words as UTF-8 bytes with line breaks between
                       or as strings; vectors of floats, or of 8 bits with a scale a dimension
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.files import read_lines
from headwise.errors import FormatError, SourceLocation, UsageError
from headwise.storage.npzfile import read_npz

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character: strings of NumPy may have them, models cannot."""
LARGEST = 127
MAX_DIMENSIONS = 512
LARGEST_VALUE = 1e6
"""Of a number in a vector: larger ones are mistakes."""


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Vectors of words: `numbers[word] * scale`, a scale per dimension.

    Row 0 of `numbers` is zero, for words without a vector; row i is of `words[i - 1]`.
    """

    words: tuple[str, ...]
    numbers: NDArray[np.int8]
    scale: NDArray[np.float32]

    @classmethod
    def none(cls) -> "WordVectors":
        """No vectors, of no dimensions."""
        return cls((), np.zeros((1, 0), np.int8), np.zeros(0, np.float32))

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self.numbers.shape[1])

    def as_floats(self) -> NDArray[np.float32]:
        """The vectors as floats, row 0 being zero."""
        return self.numbers.astype(np.float32) * self.scale


def read_vectors(
    path: str | Path, needed: Collection[str] = (), maximum: int | None = None
) -> WordVectors:
    """The first `maximum` vectors of a file, and those of `needed` words wherever they stand.

    They are scaled so that the mean square of all their numbers is 1, as networks like it.
    """
    path = Path(path)
    if not path.is_file():
        raise UsageError(f"there is no file of vectors {path}")
    pairs = npz_rows(path) if path.suffix == ".npz" else text_rows(path)
    wanted = frozenset(needed)
    words: dict[str, None] = {}
    rows: list[NDArray[np.float32]] = []
    for number, (word, row) in enumerate(pairs):
        if (maximum is None or number < maximum or word in wanted) and is_word(word, words):
            words[word] = None
            rows.append(as_row(row, path, number))
    if not rows:
        raise FormatError("there are no vectors", SourceLocation(str(path)))
    return quantised(tuple(words), np.stack(rows))


def is_word(word: str, others: Collection[str]) -> bool:
    """Whether a word can be kept: it is new, of whole characters, and no blank or broken line."""
    return bool(word) and "\n" not in word and word not in others and not SURROGATE.search(word)


def as_row(row: Any, path: Path, number: int) -> NDArray[np.float32]:
    """The numbers of a vector."""
    found = np.asarray(row, np.float32)
    if not np.abs(found).max(initial=0.0) < LARGEST_VALUE:
        raise FormatError(f"vector {number + 1} has NaN or huge numbers", SourceLocation(str(path)))
    return found


def quantised(words: tuple[str, ...], matrix: NDArray[np.float32]) -> WordVectors:
    """Vectors in 8 bits, scaled to a mean square of 1."""
    matrix = matrix / max(float(np.sqrt(np.mean(np.square(matrix, dtype=np.float64)))), 1e-12)
    scale = np.maximum(np.abs(matrix).max(axis=0) / LARGEST, np.float32(1e-6)).astype(np.float32)
    numbers = np.zeros((len(words) + 1, matrix.shape[1]), np.int8)
    numbers[1:] = np.rint(matrix / scale)
    return WordVectors(words, numbers, scale)


def text_rows(path: Path) -> Iterator[tuple[str, Iterable[str]]]:
    """The words and numbers of a text file."""
    dimensions = 0
    for line_number, line in enumerate(read_lines(path), 1):
        text = line.rstrip()
        if not text:
            continue
        if line_number == 1 and is_header(text):
            dimensions = int(text.split()[1])
            check_dimensions(dimensions, path, line_number)
            continue
        if not dimensions:
            dimensions = len(text.split(" ")) - 1
            check_dimensions(dimensions, path, line_number)
        word, *numbers = text.rsplit(" ", dimensions)
        if len(numbers) != dimensions:
            raise FormatError(
                f"{len(numbers)} numbers follow the word, not {dimensions} as before",
                SourceLocation(str(path), line_number),
            )
        try:
            yield word, np.array(numbers, np.float32)
        except ValueError:
            raise FormatError(
                f"the vector of {word[:40]!r} is not {dimensions} numbers",
                SourceLocation(str(path), line_number),
            ) from None


def is_header(text: str) -> bool:
    """Whether a first line says how many vectors there are, and how long they are."""
    parts = text.split()
    return len(parts) == 2 and all(part.isdecimal() and len(part) < 19 for part in parts)


def check_dimensions(dimensions: int, path: Path, line: int | None = None) -> None:
    """Raise unless vectors have a sensible length."""
    if not 1 <= dimensions <= MAX_DIMENSIONS:
        raise FormatError(
            f"vectors must have 1 to {MAX_DIMENSIONS} dimensions, not {dimensions}: is this a "
            "file of vectors?",
            SourceLocation(str(path), line),
        )


def npz_rows(path: Path) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """The words and numbers of an `.npz` file."""
    location = SourceLocation(str(path))
    arrays = read_npz(path, ("words", "vectors", "scale"))
    if not {"words", "vectors"} <= arrays.keys():
        raise FormatError("has no arrays `words` and `vectors`", location)
    words, vectors = words_of(arrays["words"], location), arrays["vectors"]
    if vectors.ndim != 2 or len(vectors) != len(words) or vectors.dtype.kind not in "fi":
        raise FormatError(
            f"has {len(words)} words for vectors of shape {vectors.shape}, {vectors.dtype}",
            location,
        )
    check_dimensions(vectors.shape[1], path)
    scale = arrays.get("scale", np.ones((), np.float32))
    if scale.shape not in ((), (1,), (vectors.shape[1],)) or scale.dtype.kind not in "fi":
        raise FormatError(f"has a scale of shape {scale.shape}, {scale.dtype}", location)
    for word, row in zip(words, vectors, strict=True):
        yield word, row * scale.astype(np.float32)


def words_of(array: NDArray[Any], location: SourceLocation) -> list[str]:
    """The words of an `.npz` file."""
    if array.dtype.kind == "U":
        return [str(word) for word in array.ravel()]
    if array.dtype == np.uint8:
        try:
            return array.tobytes().decode().split("\n")
        except UnicodeDecodeError as error:
            raise FormatError(f"its words are not UTF-8: {error}", location) from error
    raise FormatError(f"its words are {array.dtype}, not bytes or strings", location)

"""Dense vectors of words from text: positive PMI with contexts, reduced by a singular value
decomposition.

    text → contexts (who stands beside whom) → positive PMI → truncated SVD → a vector each

The text is read twice, as a stream. What stays in memory are the words that are kept, the pairs of
words and contexts that occur, of which the rarest are forgotten where there are too many, and the
vectors.
"""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from headwise.errors import UsageError
from headwise.progress import Progress, silent
from headwise.storage.settings import LARGEST_INT, check_counts, check_types
from headwise.text.similarity.contexts import Block, Contexts, count_contexts, most_frequent, pmi

_NOT_STORABLE = re.compile(r"[\s\ud800-\udfff]")

Sentences = Iterable[Sequence[str]]
Matrix = NDArray[np.float32]

SENTENCES_AT_A_TIME = 50_000
MOST_PAIRS = 40_000_000
"""Distinct pairs of words and contexts that are counted: about 1.5 GB while they are added up."""
MOST_WORDS = 2_000_000
"""Distinct words that are counted; beyond, those that occurred once are forgotten."""
POWERS = 3
"""Power iterations of the decomposition, and how many dimensions more it is made in."""
BESIDES = 20


@dataclass(frozen=True, kw_only=True)
class VectorTraining:
    """How vectors are made from text.

    dimensions: numbers in a vector.
    vocabulary: the most words that get a vector, the most frequent ones, …
    least: … of those with at least this many occurrences.
    stop_words: number of most frequent words that contexts reach across.
    sides: whether a word on the left is another context than the same word on the right.
    smoothing: power of the frequencies of contexts, below 1 so that rare ones weigh less.
    lowercase: lowercase word forms.
    seed: random seed of the decomposition.
    """

    dimensions: int = 100
    vocabulary: int = 50_000
    least: int = 5
    stop_words: int = 100
    sides: bool = True
    smoothing: float = 0.75
    lowercase: bool = True
    seed: int = 0

    def check(self) -> None:
        """Raise if a value has no meaning."""
        check_types(self)
        check_counts(self, {"dimensions": (1, 512), "vocabulary": (2, 1_000_000)})
        check_counts(self, {"least": (1, LARGEST_INT), "stop_words": (0, LARGEST_INT)})
        check_counts(self, {"seed": (0, (1 << 31) - 1)})
        if not 0 < self.smoothing <= 1:
            raise UsageError(f"smoothing must be above 0 and at most 1, not {self.smoothing}")


def build_vectors(
    read: Callable[[], Sentences], training: VectorTraining, progress: Progress = silent
) -> tuple[list[str], Matrix]:
    """Words, the most frequent first, and their vectors; `read` gives the text from the start."""
    training.check()
    words = frequent_words(cased(read(), training), training)
    progress("words counted", len(words), len(words) + 1)
    blocks, stop_words = numbered_blocks(cased(read(), training), words), training.stop_words
    contexts = count_contexts(
        blocks, len(words), stop_words, sides=training.sides, most_pairs=MOST_PAIRS
    )
    progress("pairs counted", len(contexts.count), len(contexts.count) + 1)
    table = positive_pmi(contexts, training.smoothing)
    found = decomposed(table, training.dimensions, training.seed)
    progress("vectors", 1, 1)
    return words, found


def cased(sentences: Sentences, training: VectorTraining) -> Sentences:
    """The sentences, in lower case if so chosen."""
    if not training.lowercase:
        return sentences
    return ([word.lower() for word in one] for one in sentences)


def frequent_words(sentences: Sentences, training: VectorTraining) -> list[str]:
    """The words that get a vector, the most frequent first."""
    counts: Counter[str] = Counter()
    for words in sentences:
        counts.update(words)
        if len(counts) > MOST_WORDS:
            counts = Counter({word: count for word, count in counts.items() if count > 1})
    least = training.least
    kept = {word: n for word, n in counts.items() if n >= least and is_storable(word)}
    return most_frequent(kept, training.vocabulary, least)


def is_storable(word: str) -> bool:
    """Whether a word can stand in a file of vectors."""
    return bool(word) and not _NOT_STORABLE.search(word)


def numbered_blocks(sentences: Sentences, words: Sequence[str]) -> Iterator[Block]:
    """Blocks of sentences as numbers of words, -1 for those without; and where sentences start."""
    numbers = {word: number for number, word in enumerate(words)}
    stream = iter(sentences)
    while some := list(islice(stream, SENTENCES_AT_A_TIME)):
        tokens, starts = array("i"), array("q", [0])
        for one in some:
            tokens.extend([numbers.get(word, -1) for word in one])
            starts.append(len(tokens))
        if len(tokens):
            yield np.array(tokens, np.int32), np.array(starts, np.int64)


def positive_pmi(contexts: Contexts, smoothing: float = 1.0) -> csr_array:
    """max(0, log P(w, c) / (P(w) P'(c))), where P' are the smoothed frequencies of contexts."""
    values = pmi(contexts, smoothing).astype(np.float32)
    kept = values > 0
    places = contexts.word[kept], contexts.context[kept]
    return csr_array((values[kept], places), shape=(contexts.words, contexts.contexts))


def decomposed(table: csr_array, dimensions: int, seed: int) -> Matrix:
    """The rows of a sparse table in few dimensions: U √S of its truncated SVD.

    By random projection and power iterations (Halko, Martinsson & Tropp 2011). Signs are chosen so
    that the largest number of each dimension is positive.
    """
    random = np.random.default_rng(seed)
    size = min(dimensions + BESIDES, *table.shape)
    base = orthogonal(table @ random.standard_normal((table.shape[1], size), np.float32))
    for _ in range(POWERS):
        base = orthogonal(table @ orthogonal(table.T @ base))
    left, values, _ = np.linalg.svd(np.ascontiguousarray((table.T @ base).T), full_matrices=False)
    rows = (base @ left) * np.sqrt(values)
    found = np.zeros((table.shape[0], dimensions), np.float32)
    kept = min(dimensions, size)
    largest = rows[np.abs(rows).argmax(axis=0), np.arange(size)]
    found[:, :kept] = (rows * np.where(largest < 0, -1, 1))[:, :kept]
    return found


def orthogonal(columns: Matrix) -> Matrix:
    """An orthogonal basis of the space of some columns."""
    found: Matrix = np.linalg.qr(columns)[0]
    return found

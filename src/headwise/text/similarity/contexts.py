"""Which words stand in whose contexts, how often; vectors of their PMI, and the nearest vectors."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from headwise.errors import InputError
from headwise.kernels.text.cosines import Vectors, nearest
from headwise.kernels.text.wordcontexts import context_pairs
from headwise.progress import Progress

Keys = NDArray[np.int64]

MOST_WAITING = 1 << 24
"""The number of distinct keys of blocks that wait before they are merged."""


@dataclass(slots=True)
class KeyCounts:
    """How often keys occur, counted in blocks: memory is bounded by the distinct ones."""

    keys: list[Keys] = field(default_factory=list)
    counts: list[Keys] = field(default_factory=list)
    waiting: int = 0

    def add(self, keys: Keys) -> None:
        """Count the keys of a block."""
        distinct, counts = np.unique(keys, return_counts=True)
        self.keys.append(distinct)
        self.counts.append(counts)
        self.waiting += len(distinct)
        if self.waiting > MOST_WAITING:
            self.merge()

    def merge(self) -> None:
        """Make one block of all."""
        keys, counts = summed(np.concatenate(self.keys), np.concatenate(self.counts))
        self.keys, self.counts, self.waiting = [keys], [counts], 0

    def forget_rare(self, most: int) -> None:
        """Forget the rarest keys until at most `most` are left."""
        self.merge()
        least = 1
        while len(self.keys[0]) > most:
            least += 1
            kept = self.counts[0] >= least
            self.keys, self.counts = [self.keys[0][kept]], [self.counts[0][kept]]

    def total(self) -> tuple[Keys, Keys]:
        """The distinct keys in order, and how often each occurred."""
        if not self.keys:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        self.merge()
        return self.keys[0], self.counts[0]


def summed(keys: Keys, counts: Keys) -> tuple[Keys, Keys]:
    """The distinct keys in order, and the sums of their counts."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))
    return ordered[first], np.add.reduceat(counts[order], first) if len(first) else counts[:0]


Block = tuple[NDArray[np.int32], NDArray[np.int64]]
"""Numbers of words, and where sentences start among them."""

TOKENS_AT_A_TIME = 1 << 20
"""The number of tokens, up to the end of a sentence, that are counted at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A text as numbers of words: words are numbered by frequency, the most frequent is 0.

    Words that are too rare are -1.
    """

    words: tuple[str, ...]
    tokens: NDArray[np.int32]
    starts: NDArray[np.int64]  # of sentences, and the end

    def blocks(self) -> Iterator[Block]:
        """The text in blocks of sentences."""
        first = 0
        while first < len(self.starts) - 1:
            reach = self.starts[first] + TOKENS_AT_A_TIME
            last = max(first + 1, int(np.searchsorted(self.starts, reach, "right")) - 1)
            yield self.tokens, self.starts[first : last + 1]
            first = last


@dataclass(frozen=True, slots=True, eq=False)
class Contexts:
    """How often words have contexts, in the order of words; and how many of both there are."""

    word: NDArray[np.int64]
    context: NDArray[np.int64]
    count: NDArray[np.int64]
    words: int
    contexts: int


def numbered(sentences: Iterable[Sequence[str]], most_words: int, least: int) -> Text:
    """A text as numbers: of the words that occur `least` times or more, the most frequent ones.

    Sentences of no or one word have no contexts, but their words are counted.
    """
    numbers: dict[str, int] = {}
    tokens, starts = array("i"), array("q", [0])
    for words in sentences:
        tokens.extend([numbers.setdefault(word, len(numbers)) for word in words])
        starts.append(len(tokens))
    found = np.frombuffer(tokens, np.int32) if len(tokens) else np.empty(0, np.int32)
    counts = np.bincount(found, minlength=len(numbers)).tolist()
    kept = most_frequent(dict(zip(numbers, counts, strict=True)), most_words, least)
    new = np.full(len(numbers), -1, np.int32)
    new[[numbers[word] for word in kept]] = np.arange(len(kept), dtype=np.int32)
    return Text(tuple(kept), new[found], np.frombuffer(starts, np.int64))


def most_frequent(counts: Mapping[str, int], most: int, least: int) -> list[str]:
    """The words that occur `least` times or more, the most frequent of them first."""
    found = (word for word, count in counts.items() if count >= least)
    kept = sorted(found, key=lambda word: (-counts[word], word))[:most]
    if len(kept) < 2:
        raise InputError(f"there are no two words that occur {least} times: give more text")
    return kept


def count_contexts(
    blocks: Iterable[Block],
    words: int,
    stop_words: int,
    *,
    sides: bool = False,
    most_pairs: int | None = None,
) -> Contexts:
    """The contexts of the first `words` words, which begin with the stop words.

    A context is a word; with `sides`, a word on the left or on the right. Of more than `most_pairs`
    pairs, the rarest are forgotten.
    """
    contexts, counts = (1 + sides) * words, KeyCounts()
    for tokens, starts in blocks:
        counts.add(context_pairs(tokens, starts, stop_words, words, contexts))
        if most_pairs is not None and len(counts.keys[0]) > most_pairs:  # after merging
            counts.forget_rare(most_pairs // 2)
    keys, count = counts.total()
    return Contexts(keys // contexts, keys % contexts, count, words, contexts)


ROWS_AT_A_TIME = 256
DENSE = 5
"""Columns with entries in at least one row of this many are faster as dense ones."""


def pmi(contexts: Contexts, smoothing: float = 1.0) -> NDArray[np.float64]:
    """log P(w, c) / (P(w) P(c)) of every pair that occurs (equation 3.13).

    smoothing: power of the frequencies of contexts.
    """
    count = contexts.count.astype(np.float64)
    of_word = np.bincount(contexts.word, count, contexts.words)
    of_context = np.bincount(contexts.context, count, contexts.contexts) ** smoothing
    expected = of_word[contexts.word] * of_context[contexts.context] / max(of_context.sum(), 1.0)
    found: NDArray[np.float64] = np.log(count / expected)
    return found


def unit_vectors(contexts: Contexts) -> Vectors:
    """The vectors of all words, made of length 1."""
    from scipy.sparse import csr_array

    values, words = pmi(contexts), contexts.words
    lengths = np.sqrt(np.bincount(contexts.word, values**2, words))
    scaled = (values / np.where(lengths > 0, lengths, 1.0)[contexts.word]).astype(np.float32)
    places = (contexts.word.astype(np.int32), contexts.context.astype(np.int32))
    rows = csr_array((scaled, places), shape=(words, contexts.contexts))
    rows.sort_indices()
    columns = rows.tocsc()
    entries = np.diff(columns.indptr)
    many = np.flatnonzero(entries * DENSE > words)
    dense_of = np.full(contexts.contexts, -1, np.int32)
    dense_of[many] = np.arange(len(many), dtype=np.int32)
    return Vectors(
        rows.indptr.astype(np.int64),
        rows.indices.astype(np.int32),
        rows.data,
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int32),
        columns.data,
        dense_of,
        np.ascontiguousarray(columns[:, many].toarray().T, np.float32).reshape(-1, words),
    )


def nearest_words(
    vectors: Vectors, count: int, progress: Progress
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The nearest words of each word by cosine (equation 3.14), nearest first, block by block.

    -1 stands where a word has fewer. `progress` is called with the words done and their total.

    The kernel is our own: SciPy's sparse product takes five times the CPU time for 9,000 words, as
    it knows no dense columns, and its cosines differ in their last bits.
    """
    words = len(vectors.row_start) - 1
    near, cosine = np.empty((words, count), np.int32), np.empty((words, count), np.float32)
    for first in range(0, words, ROWS_AT_A_TIME):
        last = min(words, first + ROWS_AT_A_TIME)
        near[first:last], cosine[first:last] = nearest(vectors, first, last, count)
        progress("words", last, words)
    return near, cosine

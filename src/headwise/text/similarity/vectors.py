"""Vectors of pointwise mutual information, and the words whose vectors are nearest."""

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.text.cosines import Vectors, nearest
from headwise.progress import Progress
from headwise.text.similarity.contexts import Contexts

ROWS_AT_A_TIME = 256
DENSE = 5
"""Columns with entries in at least one row of this many are faster as dense ones."""


def pmi(contexts: Contexts) -> NDArray[np.float64]:
    """log P(w, c) / (P(w) P(c)) of every pair that occurs (equation 3.13)."""
    count = contexts.count.astype(np.float64)
    of_word = np.bincount(contexts.word, count, contexts.words)
    of_context = np.bincount(contexts.context, count, contexts.contexts)
    expected = of_word[contexts.word] * of_context[contexts.context] / count.sum()
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
    """
    words = len(vectors.row_start) - 1
    near, cosine = np.empty((words, count), np.int32), np.empty((words, count), np.float32)
    for first in range(0, words, ROWS_AT_A_TIME):
        last = min(words, first + ROWS_AT_A_TIME)
        near[first:last], cosine[first:last] = nearest(vectors, first, last, count)
        progress("words", last, words)
    return near, cosine

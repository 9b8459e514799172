"""Sentences packed into rows of one or two lengths, several in a row: few shapes to compile.

A row holds whole sentences one after the other, each beginning with its root. The encoder starts
anew at every root, and arcs stay within sentences, so that neighbours do not see each other. With
sentences padded to a length of their own, every length would be compiled for itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.scoring.neural.vocabulary import ABSENT, TAG_COLUMNS, Vocabulary
from headwise.scoring.neural.wordfeatures import Indices, WordFeatures


class Rows(NamedTuple):
    """Tokens in rows: the first two dimensions of each array are row and position.

    features: of words, as `WordFeatures` gives them.
    tags: indices of gold tags by column, `ABSENT` where there is none.
    sentence: the number of a token's sentence in its row, from 1; 0 where the row is empty.
    position: of the token in its sentence; that of the root is 0.
    first, last: whether a token is the first or the last one of its sentence.
    heads: the position in the row of the token's head; `ABSENT` for roots.
    relations: indices of relations; `ABSENT` for roots.
    """

    features: Indices
    tags: Indices
    sentence: Indices
    position: Indices
    first: NDArray[np.bool_]
    last: NDArray[np.bool_]
    heads: Indices
    relations: Indices


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSentences:
    """Sentences as numbers, one after the other, each beginning with its root."""

    starts: NDArray[np.int64]
    features: Indices
    tags: Indices
    heads: Indices
    relations: Indices

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of tokens of each sentence, its root included."""
        return np.diff(self.starts)

    @classmethod
    def of(
        cls, sentences: Sequence[Sentence], vocabulary: Vocabulary, words: WordFeatures
    ) -> "NumberedSentences":
        """Number all words, tags and relations of sentences; heads may be missing."""
        starts = np.cumsum([0, *(len(one) + 1 for one in sentences)])
        is_word = np.ones(starts[-1], np.bool_)
        is_word[starts[:-1]] = False
        features = np.tile(words.root, (starts[-1], 1))
        features[is_word] = words.rows([form for one in sentences for form in one.forms])
        tags = np.full((starts[-1], len(TAG_COLUMNS)), ABSENT, np.int32)
        heads = np.full(starts[-1], ABSENT, np.int32)
        relations = np.full(starts[-1], ABSENT, np.int32)
        numbers = [numbered(vocabulary.tags(name)) for name in TAG_COLUMNS]
        named = numbered(vocabulary.relations)
        for one, start, end in zip(sentences, starts, starts[1:], strict=False):
            for column, (name, known) in enumerate(zip(TAG_COLUMNS, numbers, strict=True)):
                tags[start + 1 : end, column] = [known.get(v, ABSENT) for v in getattr(one, name)]
            heads[start + 1 : end] = [ABSENT if head is None else head for head in one.heads]
            relations[start + 1 : end] = [
                ABSENT if head is None else named.get(name, ABSENT)
                for head, name in zip(one.heads, one.relations, strict=True)
            ]
        return cls(starts, features, tags, heads, relations)


def stored_numbers(
    sentences: Iterable[Sentence], vocabulary: Vocabulary, folder: Path | None
) -> NumberedSentences:
    """Sentences as numbers in a file without a name, which is mapped into memory as it is read.

    So memory does not grow with the sentences: 8 bytes of each stay there, and 64 of each token on
    disk (128 with characters). The file is gone when it is closed, or the process ends.
    """
    words = WordFeatures(vocabulary)
    columns_of_words = len(words.root)
    width = columns_of_words + len(TAG_COLUMNS) + 2
    sizes = [np.zeros(1, np.int64)]
    with TemporaryFile(dir=folder) as stream:
        for some in in_pieces(sentences):
            own = NumberedSentences.of(some, vocabulary, words)
            columns = (own.features, own.tags, own.heads[:, None], own.relations[:, None])
            np.concatenate(columns, axis=1).tofile(stream)
            sizes.append(own.sizes)
        stream.flush()
        starts = np.cumsum(np.concatenate(sizes))
        table = np.memmap(stream, np.int32, "r", shape=(int(starts[-1]), width))
    return NumberedSentences(
        starts,
        features=table[:, :columns_of_words],
        tags=table[:, columns_of_words:-2],
        heads=table[:, -2],
        relations=table[:, -1],
    )


def in_pieces(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Sentences, some at a time."""
    stream = iter(sentences)
    while some := list(islice(stream, SENTENCES_AT_A_TIME)):
        yield some


SENTENCES_AT_A_TIME = 2000


def numbered(names: Sequence[str]) -> dict[str, int]:
    """Names with their indices."""
    return {name: index for index, name in enumerate(names)}


def row_lengths(sizes: NDArray[np.int64]) -> tuple[int, ...]:
    """Lengths of rows: one for nearly all sentences, and one for the few longest.

    The encoder takes a step for every position of a row, so that short rows are faster.
    """
    usual, longest = (
        max(SHORTEST_ROW, -(-int(size) // 16) * 16)
        for size in (np.quantile(sizes, NEARLY_ALL), sizes.max())
    )
    return (usual,) if usual == longest else (usual, longest)


SHORTEST_ROW = 64
NEARLY_ALL = 0.95


def packed(sizes: NDArray[np.int64], order: Sequence[int], length: int) -> list[list[int]]:
    """Which sentences share a row: each goes into the last few open rows if there is room."""
    rows: list[list[int]] = []
    open_rows: list[tuple[int, int]] = []  # room, row
    for sentence in order:
        size = int(sizes[sentence])
        fitting = [one for one in open_rows if one[0] >= size]
        if fitting:
            best = min(fitting)
            open_rows.remove(best)
            rows[best[1]].append(sentence)
            open_rows.append((best[0] - size, best[1]))
        else:
            rows.append([sentence])
            open_rows.append((length - size, len(rows) - 1))
            if len(open_rows) > MAX_OPEN:
                open_rows.remove(min(open_rows))
    return rows


MAX_OPEN = 32
"""Rows that are filled side by side: more would sort sentences by length."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The sentences of each row of a batch; rows that are missing are empty."""

    rows: list[list[int]]
    count: int
    length: int


def batches_of(sizes: NDArray[np.int64], order: Sequence[int], tokens: int) -> list[Batch]:
    """Batches of about `tokens` tokens: those of usual sentences, then those of the longest."""
    found = []
    previous = 0
    for length in row_lengths(sizes):
        own = [one for one in order if previous < sizes[one] <= length]
        count = max(1, tokens // length)
        rows = packed(sizes, own, length)
        found += [
            Batch(rows[start : start + count], count, length)
            for start in range(0, len(rows), count)
        ]
        previous = length
    return found


def filled(data: NumberedSentences, batch: Batch) -> Rows:
    """The rows of a batch with their sentences."""
    shape = (batch.count, batch.length)
    found = Rows(
        features=np.zeros((*shape, data.features.shape[1]), np.int32),
        tags=np.full((*shape, len(TAG_COLUMNS)), ABSENT, np.int32),
        sentence=np.zeros(shape, np.int32),
        position=np.zeros(shape, np.int32),
        first=np.zeros(shape, np.bool_),
        last=np.zeros(shape, np.bool_),
        heads=np.full(shape, ABSENT, np.int32),
        relations=np.full(shape, ABSENT, np.int32),
    )
    for row, own in enumerate(batch.rows):
        place = 0
        for number, sentence in enumerate(own, 1):
            start, end = data.starts[sentence : sentence + 2]
            here = slice(place, place + end - start)
            found.features[row, here] = data.features[start:end]
            found.tags[row, here] = data.tags[start:end]
            found.sentence[row, here] = number
            found.position[row, here] = np.arange(end - start)
            found.first[row, place] = found.last[row, here.stop - 1] = True
            own_heads = data.heads[start:end]
            found.heads[row, here] = np.where(own_heads < 0, ABSENT, own_heads + place)
            found.relations[row, here] = data.relations[start:end]
            place = here.stop
    return found

"""Which words stand in whose contexts, and how often."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.errors import InputError
from headwise.kernels.text.wordcontexts import context_pairs
from headwise.text.similarity.countedkeys import KeyCounts

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
    names = list(numbers)
    counts = np.bincount(found, minlength=len(names))
    kept = [int(i) for i in np.argsort(-counts, kind="stable") if counts[i] >= least]
    kept.sort(key=lambda i: (-int(counts[i]), names[i]))
    kept = kept[:most_words]
    if len(kept) < 2:
        raise InputError(f"there are no two words that occur {least} times: give more text")
    new = np.full(len(names), -1, np.int32)
    new[kept] = np.arange(len(kept), dtype=np.int32)
    return Text(tuple(names[i] for i in kept), new[found], np.frombuffer(starts, np.int64))


def count_contexts(text: Text, stop_words: int, *, sides: bool = False) -> Contexts:
    """The contexts of all words; the first words are the stop words.

    A context is a word; with `sides`, a word on the left or on the right.
    """
    words, counts = len(text.words), KeyCounts()
    contexts = 2 * words if sides else words
    first = 0
    while first < len(text.starts) - 1:
        reach = text.starts[first] + TOKENS_AT_A_TIME
        last = max(first + 1, int(np.searchsorted(text.starts, reach, "right")) - 1)
        starts = text.starts[first : last + 1]
        counts.add(context_pairs(text.tokens, starts, stop_words, words, contexts))
        first = last
    keys, count = counts.total()
    return Contexts(keys // contexts, keys % contexts, count, words, contexts)

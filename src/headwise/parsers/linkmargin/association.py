"""How much two words go together: pointwise mutual information, counted in text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from headwise.text.similarity.contexts import count_contexts, numbered, pmi

STOP_WORDS = 100
MOST_WORDS = 100_000
LEAST = 2
"""Words that occur less often go together with nothing: once is chance."""


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """PMI of pairs of words (3.13) that stand in each other's windows somewhere.

    keys: `low · words + high` of the numbers of two words, ascending; `values` are of them.
    """

    words: tuple[str, ...]
    keys: NDArray[np.int64]
    values: NDArray[np.float32]
    numbers: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number the words."""
        object.__setattr__(self, "numbers", {word: i for i, word in enumerate(self.words)})

    def matrix(self, words: Sequence[str]) -> NDArray[np.float32]:
        """PMI of every two tokens of a sentence, [token, token]; the root, token 0, has none."""
        found = np.array([-1, *(self.numbers.get(word, -1) for word in words)], np.int64)
        low, high = np.minimum.outer(found, found), np.maximum.outer(found, found)
        keys = np.where(low >= 0, low * len(self.words) + high, -1)
        places = np.searchsorted(self.keys, keys)
        places[places == len(self.keys)] = 0
        if not len(self.keys):
            return np.zeros(keys.shape, np.float32)
        return np.where(self.keys[places] == keys, self.values[places], np.float32(0.0))


def count_association(sentences: Iterable[Sequence[str]]) -> Association:
    """PMI by the windows of section 3.6.2: nearest words that are no stop words, and those between.

    The stop words are the most frequent ones.
    """
    text = numbered(sentences, MOST_WORDS, LEAST)
    contexts = count_contexts(text, STOP_WORDS)
    values = pmi(contexts)
    once = contexts.word <= contexts.context  # both orders were counted
    keys = contexts.word[once] * contexts.contexts + contexts.context[once]
    return Association(text.words, keys, values[once].astype(np.float32))

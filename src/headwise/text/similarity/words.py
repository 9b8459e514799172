"""WordSimilarity: learns from text which words are similar, and says which."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import SourceLocation, UsageError
from headwise.progress import Progress, silent
from headwise.storage.modelfile import load_model, save_model
from headwise.storage.settings import LARGEST_INT, MAX_NEIGHBOURS, check_counts, check_types
from headwise.text.similarity.contexts import count_contexts, nearest_words, numbered, unit_vectors


@dataclass(kw_only=True, eq=False)
class WordSimilarity:
    """The most similar words of each word, learnt from tokenised text.

    stop_words: the number of most frequent words that contexts skip.
    vocabulary: the most words that are known, the most frequent ones, …
    least: … of those with at least this many occurrences.
    sides: whether a word on the left is another context than the same word on the right; in the
        thesis it is not.
    neighbours: the number of similar words kept for each word.
    lowercase: whether capitals are made small.
    """

    stop_words: int = 100
    vocabulary: int = 100_000
    least: int = 5
    sides: bool = False
    neighbours: int = 50
    lowercase: bool = True

    words_: tuple[str, ...] = field(init=False, repr=False)
    near_: NDArray[np.int32] = field(init=False, repr=False)  # [word, rank]; -1: no more
    cosine_: NDArray[np.float32] = field(init=False, repr=False)
    tokens_: int = field(init=False, repr=False)
    numbers_: dict[str, int] = field(init=False, repr=False)

    def check(self) -> None:
        """Raise if a value has no meaning."""
        check_types(self)
        check_counts(
            self,
            {
                "stop_words": (0, LARGEST_INT),
                "vocabulary": (2, (1 << 31) - 1),
                "least": (1, LARGEST_INT),
                "neighbours": (1, MAX_NEIGHBOURS),
            },
        )

    def fit(
        self,
        sentences: Iterable[Sequence[str]],
        progress: Progress = silent,
    ) -> "WordSimilarity":
        """Learn from sentences of tokens; `progress` is called with words done and their total."""
        self.check()
        made_small = ([token.lower() for token in one] for one in sentences)
        text = numbered(made_small if self.lowercase else sentences, self.vocabulary, self.least)
        contexts = count_contexts(text.blocks(), len(text.words), self.stop_words, sides=self.sides)
        near, cosine = nearest_words(unit_vectors(contexts), self.neighbours, progress)
        return self.with_words(text.words, near, cosine, len(text.tokens))

    def with_words(
        self,
        words: tuple[str, ...],
        near: NDArray[np.int32],
        cosine: NDArray[np.float32],
        tokens: int,
    ) -> "WordSimilarity":
        """Take what was learnt."""
        self.words_, self.near_, self.cosine_, self.tokens_ = words, near, cosine, tokens
        self.numbers_ = {word: number for number, word in enumerate(words)}
        return self

    def number_of(self, word: str) -> int | None:
        """The number of a word, if it is known."""
        return self.numbers_.get(word.lower() if self.lowercase else word)

    def similar(self, word: str, most: int | None = None) -> list[tuple[str, float]]:
        """The words most similar to a word, with their cosines, most similar first.

        A word that is not known has none.
        """
        if not hasattr(self, "words_"):
            raise UsageError("nothing was learnt yet: call fit, or load a similarity model")
        number = self.number_of(word)
        if number is None:
            return []
        pairs = zip(self.near_[number].tolist(), self.cosine_[number].tolist(), strict=True)
        return [(self.words_[other], cosine) for other, cosine in pairs if other >= 0][:most]

    def save(
        self, path: str | Path, *, about: dict[str, Any] | None = None, force: bool = False
    ) -> None:
        """Save what was learnt as a model folder; `about` is for its card."""
        from headwise.text.similarity.storage import to_model

        save_model(path, to_model(self, about), force=force)

    @classmethod
    def load(cls, path: str | Path) -> "WordSimilarity":
        """Similarities that were saved."""
        from headwise.text.similarity.storage import KIND, of_model

        return of_model(load_model(path, KIND), SourceLocation(str(path)))


def similarity_smoothed(
    similar: Iterable[tuple[str, float]], probability: Callable[[str], float]
) -> float:
    """P_SIM(w2 | w1), the average of P(w2 | w1') over words w1' similar to w1 (equation 3.15).

    `similar` are those words with their similarities to w1, `probability` gives P(w2 | w1').
    Of no similar words the average is 0.
    """
    total = norm = 0.0
    for word, weight in similar:
        total += weight * probability(word)
        norm += weight
    return total / norm if norm else 0.0

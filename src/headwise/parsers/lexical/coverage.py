"""How far similar words cover a treebank: too little is worth a warning, nothing is a mistake."""

import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from headwise.errors import HeadwiseWarning, InputError
from headwise.text.similarity.words import WordSimilarity

ENOUGH = 0.9
"""Similarities that cover a smaller share of the tokens of a treebank are worth a warning."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far similarities cover a treebank, in shares; and the most frequent words they lack."""

    words: float
    tokens: float
    missing: tuple[str, ...]


def coverage(similarity: WordSimilarity, words: Iterable[str]) -> Coverage:
    """How many of the words of a treebank have similar ones."""
    counts = Counter(words)
    missing = {word: count for word, count in counts.items() if not similarity.similar(word, 1)}
    most = sorted(missing, key=lambda word: (-missing[word], word))[:5]
    return Coverage(
        1 - len(missing) / len(counts), 1 - sum(missing.values()) / counts.total(), tuple(most)
    )


def checked_coverage(similarity: WordSimilarity, words: Iterable[str]) -> dict[str, float]:
    """What a report says of the words of a treebank that have similar ones.

    Raise if similarities are those of another language; warn the caller of `fit` if they lack much.
    """
    found = coverage(similarity, words)
    if found.tokens == 0:
        raise InputError(
            "the similarity model knows no word of the treebank: is it of the same language?"
        )
    if found.tokens < ENOUGH:
        warnings.warn(
            f"the similarity model covers {100 * found.tokens:.0f} % of the treebank's tokens "
            f"({100 * found.words:.0f} % of its words); what it lacks is hardly smoothed, as "
            f"{', '.join(map(repr, found.missing))}",
            HeadwiseWarning,
            stacklevel=3,
        )
    return {"covered_words": found.words, "covered_tokens": found.tokens}

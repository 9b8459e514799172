"""Cosines against plain Python."""

from collections import Counter
from math import log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.text.similarity.words import WordSimilarity
from slowsimilarity import slow_pairs


def slow_similarity(sentences, stop_words, sides):
    """All cosines of vectors of mutual information, as dictionaries."""
    pairs = Counter(
        (word, (other, side if sides else 0))
        for word, other, side in slow_pairs(sentences, stop_words)
    )
    total = sum(pairs.values())
    of_word, of_context = Counter(), Counter()
    for (word, context), count in pairs.items():
        of_word[word] += count
        of_context[context] += count
    vectors = {word: {} for word in of_word}
    for (word, context), count in pairs.items():
        vectors[word][context] = log(count * total / of_word[word] / of_context[context])
    norms = {word: sqrt(sum(x * x for x in vector.values())) for word, vector in vectors.items()}

    def cosine(a, b):
        dot = sum(x * vectors[b].get(key, 0.0) for key, x in vectors[a].items())
        return dot / norms[a] / norms[b] if norms[a] * norms[b] else 0.0

    return {a: {b: cosine(a, b) for b in vectors if b != a} for a in vectors}


WORDS = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=8), min_size=1, max_size=12)


@given(WORDS, st.integers(0, 3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_cosines_are_those_of_the_slow_twin(sentences, stop_words, sides):
    if len({word for words in sentences for word in words}) < 2:
        return
    found = WordSimilarity(stop_words=stop_words, least=1, neighbours=7, sides=sides).fit(sentences)
    slow = slow_similarity(sentences, set(found.words_[:stop_words]), sides)
    for word in found.words_:
        near = dict(found.similar(word))
        for other, cosine in slow.get(word, {}).items():
            assert near.get(other, 0.0) == pytest.approx(max(cosine, 0.0), abs=2e-5)
        values = [cosine for _, cosine in found.similar(word)]
        assert values == sorted(values, reverse=True)

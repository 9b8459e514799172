"""Vectors from text, compared with plain definitions."""

from collections import Counter
from math import log

import numpy as np
import pytest
from scipy.sparse import csr_array

from headwise.errors import InputError, UsageError
from headwise.text.similarity import contexts, vectors
from headwise.text.similarity.contexts import KeyCounts, count_contexts
from headwise.text.similarity.vectors import (
    VectorTraining,
    build_vectors,
    decomposed,
    frequent_words,
    numbered_blocks,
    positive_pmi,
)
from toytreebank import WORDS, toy_treebank

TEXT = [list(one.forms) for one in toy_treebank(200)]
SETTINGS = VectorTraining(dimensions=5, least=2, stop_words=2)


def slow_pmi(sentences, words, smoothing):
    """Positive PMI with the neighbours on either side, from the definition."""
    pairs = Counter()
    for one in sentences:
        for i, word in enumerate(one):
            for side, j in (("l", i - 1), ("r", i + 1)):
                if 0 <= j < len(one) and word in words and one[j] in words:
                    pairs[word, (side, one[j])] += 1
    of_word, of_context = Counter(), Counter()
    for (word, context), count in pairs.items():
        of_word[word] += count
        of_context[context] += count
    total = sum(count**smoothing for count in of_context.values())
    return {
        (word, context): max(0.0, log(n * total / of_word[word] / of_context[context] ** smoothing))
        for (word, context), n in pairs.items()
    }


@pytest.mark.parametrize("smoothing", [1.0, 0.75])
def test_pmi_is_that_of_the_definition(smoothing):
    training = VectorTraining(least=1, stop_words=0)
    words = frequent_words(TEXT, training)
    counted = count_contexts(numbered_blocks(TEXT, words), len(words), 0, sides=True)
    table = positive_pmi(counted, smoothing).toarray()
    expected = np.zeros_like(table)
    for (word, (side, other)), value in slow_pmi(TEXT, set(words), smoothing).items():
        at = words.index(other) + (len(words) if side == "r" else 0)
        expected[words.index(word), at] = value
    assert table == pytest.approx(expected, abs=1e-5)


def test_few_dimensions_come_as_near_as_can_be():
    random = np.random.default_rng(0)
    plain = (random.random((30, 40)) * (random.random((30, 40)) < 0.4)).astype(np.float32)
    found = decomposed(csr_array(plain), 8, seed=1)
    left, values, _ = np.linalg.svd(plain)
    gram = (left[:, :8] * values[:8]) @ left[:, :8].T
    assert found @ found.T == pytest.approx(gram, abs=1e-3)
    assert (decomposed(csr_array(plain), 8, seed=1) == found).all()
    padded = decomposed(csr_array(plain[:3]), 8, seed=1)
    assert padded.shape == (3, 8)
    assert not padded[:, 3:].any()


def test_words_of_the_same_kind_are_near():
    words, found = build_vectors(lambda: TEXT, SETTINGS)
    assert words == frequent_words(TEXT, SETTINGS)
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    near = {word: words[int(np.argsort(-(unit @ unit[i]))[1])] for i, word in enumerate(words)}
    for kind in ("ADJ", "VERB", "DET", "PUNCT"):
        assert all(near[word] in WORDS[kind] for word in WORDS[kind]), kind


def test_capitals_and_rare_words():
    text = [["The", "the", "a", "b b", "", "x"], ["a", "b b", "b b", ""]]
    training = VectorTraining(least=2)
    assert frequent_words(vectors.cased(text, training), training) == ["a", "the"]
    kept = VectorTraining(least=1, lowercase=False, vocabulary=2)
    assert frequent_words(vectors.cased(text, kept), kept) == ["a", "The"]


def test_memory_is_bounded(monkeypatch):
    counts = KeyCounts()
    counts.add(np.repeat(np.arange(10), np.arange(1, 11)))
    counts.forget_rare(4)
    assert counts.keys[0].tolist() == [6, 7, 8, 9]
    monkeypatch.setattr(vectors, "MOST_WORDS", 3)
    text = [["a", "a"], ["b"], ["c"], ["d"], ["a", "b", "b"]]
    assert frequent_words(text, VectorTraining(least=2)) == ["a", "b"]


def test_the_rarest_pairs_are_forgotten_where_there_are_too_many(monkeypatch):
    monkeypatch.setattr(contexts, "MOST_WAITING", 20)
    monkeypatch.setattr(vectors, "SENTENCES_AT_A_TIME", 10)
    words = frequent_words(TEXT, SETTINGS)
    found = [
        count_contexts(numbered_blocks(TEXT, words), len(words), 0, most_pairs=most)
        for most in (None, 40)
    ]
    assert len(found[0].count) > 80
    assert 0 < len(found[1].count) <= 60  # those of the last blocks come on top
    assert found[1].count.sum() < found[0].count.sum()


def test_too_little_text_and_settings_without_meaning():
    with pytest.raises(InputError, match="more text"):
        build_vectors(lambda: [["a", "b"]], VectorTraining())
    for settings in ({"dimensions": 0}, {"least": 0}, {"smoothing": 0.0}):
        with pytest.raises(UsageError, match=next(iter(settings))):
            VectorTraining(**settings).check()

"""Windows of words, counts of keys, and vectors."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.text.similarity.contexts import KeyCounts, count_contexts, numbered
from headwise.text.similarity.words import WordSimilarity
from slowsimilarity import slow_pairs

TEXT = [line.split() for line in ("the big dog saw the cat", "a dog saw", "cat", "", "the the cat")]


def test_a_window_ends_with_the_nearest_word_that_is_no_stop_word():
    text = numbered(TEXT, 100, 1)
    assert text.words[:2] == ("the", "cat")
    contexts = count_contexts(text.blocks(), len(text.words), stop_words=1)
    names = np.array(text.words)
    found = {
        (str(names[w]), str(names[c])): int(n)
        for w, c, n in zip(contexts.word, contexts.context, contexts.count, strict=True)
    }
    assert found["saw", "the"] == 1
    assert found["saw", "cat"] == found["cat", "saw"] == 1  # behind a stop word
    assert ("big", "saw") not in found
    assert found["the", "the"] == 2  # each is in the window of the other
    expected = Counter((a, b) for a, b, _ in slow_pairs(TEXT, {"the"}))
    assert found == expected


@given(st.lists(st.lists(st.integers(0, 20), max_size=30), max_size=5))
def test_counting_in_blocks_is_counting(blocks):
    counts = KeyCounts()
    for block in blocks:
        counts.add(np.array(block, np.int64))
    keys, times = counts.total()
    expected = Counter(key for block in blocks for key in block)
    assert dict(zip(keys.tolist(), times.tolist(), strict=True)) == expected


def test_dense_columns_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    sentences = [list(rng.choice(list("abcdefghij"), 6)) for _ in range(40)]
    both = []
    for share in (1, 10**9):  # all columns dense but the empty ones, or none
        monkeypatch.setattr("headwise.text.similarity.contexts.DENSE", share if share > 1 else 0)
        both.append(WordSimilarity(least=1, stop_words=2, neighbours=4).fit(sentences))
    assert both[0].near_.tolist() == both[1].near_.tolist()
    assert both[0].cosine_ == pytest.approx(both[1].cosine_, abs=1e-5)

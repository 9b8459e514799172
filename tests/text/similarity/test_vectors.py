"""Cosines are those of plain Python."""

import numpy as np
import pytest

from headwise.text.similarity.words import WordSimilarity


def test_dense_columns_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    sentences = [list(rng.choice(list("abcdefghij"), 6)) for _ in range(40)]
    both = []
    for share in (1, 10**9):  # all columns dense but the empty ones, or none
        monkeypatch.setattr("headwise.text.similarity.vectors.DENSE", share if share > 1 else 0)
        both.append(WordSimilarity(least=1, stop_words=2, neighbours=4).fit(sentences))
    assert both[0].near_.tolist() == both[1].near_.tolist()
    assert both[0].cosine_ == pytest.approx(both[1].cosine_, abs=1e-5)

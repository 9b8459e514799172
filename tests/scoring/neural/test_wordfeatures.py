from dataclasses import replace

import numpy as np
import pytest

from headwise.scoring.neural import wordfeatures
from headwise.scoring.neural.vocabulary import FIRST_WORD, UNKNOWN, Vocabulary
from headwise.scoring.neural.wordfeatures import (
    FIRST_CHARACTER_COLUMN,
    FIRST_HASHED,
    SLOTS,
    VECTOR,
    WORD,
    WordFeatures,
    shape_of,
    slot_of,
)

WORDS = Vocabulary(("bark", "dogs"), ("Paris", "dogs"), (), (), (), (), (), ())


@pytest.mark.parametrize(
    ("form", "shape"),
    [("Paris", "Xx"), ("3.14", "d.d"), ("USA", "X"), ("e-mail", "x-x"), ("東京", "c"), ("", "")],
)
def test_shapes(form, shape):
    assert shape_of(form) == shape


def test_words_and_vectors_are_looked_up():
    rows = WordFeatures(WORDS).rows(["Dogs", "dogs", "Paris", "paris", "new"])
    assert rows[:, WORD].tolist() == [FIRST_WORD + 1, FIRST_WORD + 1, UNKNOWN, UNKNOWN, UNKNOWN]
    assert rows[:, VECTOR].tolist() == [2, 2, 1, 0, 0]  # by form, then in lower case
    assert rows.shape == (5, FIRST_CHARACTER_COLUMN)


def test_hashed_features_are_slots_but_never_the_one_of_nothing():
    rows = WordFeatures(WORDS).rows([chr(97 + n % 26) * (1 + n // 26) for n in range(500)])
    assert rows[:, FIRST_HASHED:].min() >= 1
    assert rows[:, FIRST_HASHED:].max() < SLOTS


def test_characters_are_read_if_the_vocabulary_has_some():
    words = replace(WORDS, characters=("a", "b"))
    features = WordFeatures(words)
    rows = features.rows(["ab", "xa", "a" * 30 + "b"])[:, FIRST_CHARACTER_COLUMN:]
    assert rows[:2].tolist() == [[2, 3, *[0] * 14], [1, 2, *[0] * 14]]
    assert rows[2].tolist() == [2] * 15 + [3]
    assert len(features.root) == FIRST_CHARACTER_COLUMN + 16
    assert features.rows([]).shape == (0, len(features.root))


def test_slots_are_the_same_everywhere():
    """Models depend on these numbers: they must never change."""
    assert [slot_of("form", "the"), slot_of("suffix-2", "he")] == [2092, 271]


def test_long_words_and_lone_surrogates_have_features():
    features = WordFeatures(WORDS)
    rows = features.rows(["x" * 10_000, "x" * 20_000, "\ud800"])
    assert (rows[0] == rows[1]).all()


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(wordfeatures, "MOST_REMEMBERED", 10)
    features = WordFeatures(WORDS)
    first = features.rows(["dogs"])
    for start in range(0, 100, 5):
        features.rows([f"w{number}" for number in range(start, start + 5)])
        assert len(features.known) <= 15
    assert (features.rows(["dogs"]) == first).all()
    assert features.rows([]).shape == (0, FIRST_CHARACTER_COLUMN)
    assert features.rows(["dogs"]).dtype == np.int32

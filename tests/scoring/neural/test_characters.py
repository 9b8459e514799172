import numpy as np

from headwise.scoring.neural.characters import (
    MOST_CHARACTERS,
    NOTHING,
    UNKNOWN,
    character_indices,
    numbered_characters,
    windows,
)

KNOWN = numbered_characters("abc")


def test_characters_have_columns_from_the_first_on():
    assert character_indices("abz", KNOWN)[:4] == [2, 3, UNKNOWN, NOTHING]
    assert character_indices("", KNOWN) == [NOTHING] * MOST_CHARACTERS


def test_long_words_are_read_from_both_ends():
    found = character_indices("a" * 100 + "b" * 100, KNOWN)
    assert found == [2] * 8 + [3] * 8
    assert len(character_indices("c" * 16, KNOWN)) == MOST_CHARACTERS


def test_windows_are_characters_beside_their_neighbours():
    random = np.random.default_rng(0)
    embedded = random.standard_normal((3, 5, 2)).astype(np.float32)
    padded = np.pad(embedded, [(0, 0), (1, 1), (0, 0)])
    found = windows(embedded)
    for place in range(5):
        wanted = np.concatenate([padded[:, place + step] for step in range(3)], axis=1)
        assert (found[:, place] == wanted).all()

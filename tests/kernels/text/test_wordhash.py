"""Hashes, affixes and shapes of words."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headwise.kernels.text.wordhash import (
    CAPITALISED,
    CAPITALS,
    NUMERIC,
    PLAIN,
    SYMBOLIC,
    hash_words,
)
from headwise.text.characters import encode_forms

FORMS = st.lists(st.text(max_size=8), max_size=8)


@given(FORMS)
def test_hashes_are_those_of_the_words_alone(forms):
    together = hash_words(encode_forms(forms))
    for number, form in enumerate(forms):
        alone = hash_words(encode_forms([form]))
        for whole, single in zip(together, alone, strict=True):
            assert np.array_equal(whole[number], single[0])


@given(st.text(), st.text())
def test_different_words_have_different_hashes(a, b):
    found = hash_words(encode_forms([a, b])).form
    assert (found[0] == found[1]) == (a == b)


def test_looks_of_words():
    forms = ["dog", "Dog", "DOG", "D", "4x4", "--", "", "iPhone"]
    looks = hash_words(encode_forms(forms)).look.tolist()
    assert looks == [PLAIN, CAPITALISED, CAPITALS, CAPITALISED, NUMERIC, SYMBOLIC, SYMBOLIC, PLAIN]


def test_affixes_and_shapes():
    walked, talked, word = (hash_words(encode_forms([w])) for w in ("walked", "TALKED", "a"))
    assert np.array_equal(walked.suffix[0], talked.suffix[0])
    assert walked.prefix[0, 0] != talked.prefix[0, 0]
    assert not word.suffix[0, 1:].any()
    shapes = hash_words(encode_forms(["Anna", "Berta", "McAnna"])).shape
    assert shapes[0] == shapes[1] != shapes[2]

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import headwise
from headwise.kernels.text.wordhash import (
    CAPITALISED,
    CAPITALS,
    NUMERIC,
    PLAIN,
    SYMBOLIC,
    hash_words,
)
from headwise.text.characters import codes_of, encode_forms, places_beside_emoji
from headwise.text.tokeniser import Tokeniser, encode_all

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


@given(st.text(st.characters(exclude_characters="İ")))
def test_small_letters_and_codes(text):
    characters = encode_forms([text])
    assert "".join(map(chr, codes_of(text))) == text
    small = "".join(map(chr, characters.lower))
    assert small == "".join(letter.lower() for letter in text)


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


@pytest.fixture(scope="module")
def english() -> Tokeniser:
    return headwise.load("en").need_tokeniser()


@pytest.mark.parametrize(
    "tokens",
    [
        "I love it 🙂 .",
        "Really 🙂 !",
        "( 🙂 )",
        '" 🙂 "',
        "Nice 🙂 …",
        "Heart ❤️ .",
        "Hands 👍🏽 .",
        "Family 👨‍👩‍👧 .",
        "Flag 🇩🇪 .",
        "England 🏴󠁧󠁢󠁥󠁮󠁧󠁿 .",
        "Keys #️⃣ , 1️⃣ .",
        "Done ✓ , thanks ♥ !",
    ],
)
def test_punctuation_beside_emoji_is_a_token(english, tokens):
    text = tokens.replace(" .", ".").replace(" !", "!").replace(" ,", ",").replace(" …", "…")
    text = text.replace("( ", "(").replace(" )", ")").replace('" ', '"').replace(' "', '"')
    found = [form for one in english.split(text) for form in one.forms]
    assert found == tokens.split()


@pytest.mark.parametrize("face", [":)", ":(", ";)", "<3", ":-)"])
def test_faces_of_punctuation_are_left_to_the_tokeniser(english, face):
    between, inside = places_beside_emoji(encode_all(f"Well {face} then."))
    assert not between.any()
    assert not inside.any()
    assert face in english.split(f"Well {face} then.")[0].forms


def test_other_symbols_and_scripts_are_left_alone():
    text = "5€, 30°. Foo™. © a+b=c → 漢字、नमस्\u200dते।"
    assert not any(map(any, places_beside_emoji(encode_all(text))))


def test_no_text_has_no_places():
    assert [len(one) for one in places_beside_emoji(encode_all(""))] == [0, 0]

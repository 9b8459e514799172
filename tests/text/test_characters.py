import pytest
from hypothesis import given
from hypothesis import strategies as st

import headwise
from headwise.text.characters import codes_of, encode_forms, places_beside_emoji
from headwise.text.tokeniser import Tokeniser, encode_all


@given(st.text(st.characters(exclude_characters="İ")))
def test_small_letters_and_codes(text):
    characters = encode_forms([text])
    assert "".join(map(chr, codes_of(text))) == text
    small = "".join(map(chr, characters.lower))
    assert small == "".join(letter.lower() for letter in text)


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

from hypothesis import given
from hypothesis import strategies as st

from headwise.text.characters import codes_of, encode_forms


@given(st.text(st.characters(exclude_characters="İ")))
def test_small_letters_and_codes(text):
    characters = encode_forms([text])
    assert "".join(map(chr, codes_of(text))) == text
    small = "".join(map(chr, characters.lower))
    assert small == "".join(letter.lower() for letter in text)

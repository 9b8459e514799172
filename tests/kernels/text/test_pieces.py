"""What is seen of pieces, compared with slices of them."""

from itertools import groupby, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.kernels.primitives.hashmap import map_of
from headwise.kernels.runtime.jit import kernel
from headwise.kernels.text.pieces import (
    BLANK_LINE,
    CAPITALISED,
    CAPITALS,
    COMPOUND,
    MIXED,
    NEW_LINE,
    NO_WORD,
    NUMBER,
    PLAIN,
    SPACED,
    UNCASED,
    WITH_DIGITS,
    empty_inside,
    find_pieces,
    see_inside,
)
from headwise.kernels.text.wordhash import DIGIT, SPACE, hash_words
from headwise.text.characters import class_of, encode_forms, encode_text

NOTHING = map_of(np.zeros(0, np.uint64), np.zeros(0, np.int32))
TEXTS = st.text(st.one_of(st.characters(), st.sampled_from(" \n.a'nB1\u3000\u0301")))


def pieces_of(text: str, known=NOTHING):
    return find_pieces(encode_text(text, np.array([0, len(text)], np.int64)), known)


@kernel
def seen_inside(characters, pieces, k):
    inside = empty_inside(pieces)
    see_inside(characters, pieces.starts[k], pieces.ends[k], inside)
    return inside


def hashes_of(words: list[str]) -> list[int]:
    return hash_words(encode_forms(words)).lower.tolist()


@given(TEXTS)
def test_pieces_are_what_stands_between_spaces(text):
    found = pieces_of(text)
    spaced = "".join(" " if class_of(letter) == SPACE else letter for letter in text)
    pieces = [text[a:b] for a, b in zip(found.starts, found.ends, strict=True)]
    assert pieces == [piece for piece in spaced.split(" ") if piece]
    assert found.hashes.tolist() == hashes_of(pieces)


def test_gaps_between_pieces():
    gaps = pieces_of("a b\nc\n \nd\r\n\r\ne ").gap.tolist()
    assert gaps == [SPACED, NEW_LINE, BLANK_LINE, BLANK_LINE, BLANK_LINE]


@pytest.mark.parametrize(
    ("piece", "word", "look"),
    [
        ("dog", "dog", PLAIN),
        ('("Dog."', "dog", CAPITALISED),
        ("DOG!", "dog", CAPITALS),
        ("iPhone", "iphone", MIXED),
        ("犬。", "犬", UNCASED),
        ("4x4,", "4x4", WITH_DIGITS),
        ("1990", "1990", NUMBER),
        ("1,990.", "1,990", NUMBER + COMPOUND),
        ("(Well-known", "well-known", CAPITALISED + COMPOUND),
        ("...", "...", NO_WORD),
    ],
)
def test_words_of_pieces_and_their_looks(piece, word, look):
    (wanted,) = hashes_of([word])
    found = pieces_of(piece, map_of(np.array([wanted], np.uint64), np.array([7], np.int32)))
    assert found.word.tolist() == [wanted]
    assert found.look.tolist() == [look]
    assert found.kind.tolist() == [8]
    assert pieces_of(piece).kind.tolist() == [0]


def test_marks_are_those_around_the_word_and_the_first_three():
    one, two, three, four = (pieces_of(text) for text in ('"Dog."', '"cat."', '"Cat"', '"a-b-c.".'))
    assert one.lead == two.lead == three.lead
    assert one.trail == two.trail != three.trail
    assert one.marks == two.marks != three.marks
    assert four.marks == pieces_of('"x-y-').marks
    assert pieces_of(".").trail == pieces_of("dog.").trail


@given(st.text(st.one_of(st.characters(), st.sampled_from(".a'nB1-")), min_size=1, max_size=9))
def test_runs_are_stretches_of_letters_or_of_marks(piece):
    if any(class_of(letter) == SPACE for letter in piece):
        return
    characters = encode_text(piece, np.array([0, len(piece)], np.int64))
    inside = seen_inside(characters, find_pieces(characters, NOTHING), 0)
    at = 0
    for _, letters in groupby(piece, key=lambda letter: class_of(letter) > DIGIT):
        end = at + len(list(letters))
        for i in range(at, end):
            assert (inside.run_start[i], inside.run_end[i]) == (at, end)
            before = hashes_of([piece[: i + 1], piece[at : i + 1]])
            assert [inside.before[i], inside.run_before[i]] == before
        at = end
    # From the right, equal endings have equal hashes.
    for i, j in product(range(len(piece)), repeat=2):
        same = piece[i:].lower() == piece[j:].lower()
        assert (inside.after[i] == inside.after[j]) == same or not piece.isascii()

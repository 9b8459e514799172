"""Words of two files over the same characters, aligned."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rawscoring import as_official, words

from headwise.errors import InputError, MismatchError
from headwise.evaluate import evaluate_raw
from headwise.evaluate.rawwords import common_subsequence


@pytest.mark.parametrize(
    ("gold", "system", "same"),
    [
        ("a b c", "a b c", 3),
        ("abcd", "a b c d", 0),
        ("a bc d", "a b c d", 2),
        ("abc=a+b+c", "a b c", 3),
        ("abc=a+b+c de=d+e", "a bcd=b+c+d e", 5),
        ("ab=a+b cd=bc+d", "a bc d", 2),
        ("xy do=don+not", "x y do=not", 1),
        ("don't=do+n't", "don 't", 0),
        ("Don't=Do+n't", "Don't=do+N'T", 2),
    ],
)
def test_words_are_aligned(gold, system, same):
    found = evaluate_raw([words(*gold.split())], [words(*system.split())])
    assert found["words"].correct == same
    assert as_official([words(*gold.split())], [words(*system.split())])


def test_other_text_is_an_error_that_shows_it():
    with pytest.raises(MismatchError, match="number 2.*'cd'.*'xd'"):
        evaluate_raw([words("ab"), words("c", "d")], [words("a", "b", "xd")])
    with pytest.raises(MismatchError, match="data ends where the system output continues with 'c'"):
        evaluate_raw([words("ab")], [words("ab"), words("c")])
    with pytest.raises(MismatchError):
        evaluate_raw([], [words("a")])
    with pytest.raises(InputError, match="spaces only"):
        evaluate_raw([words("\u3000")], [words("a")])


@given(st.text("ab", max_size=8), st.text("ab", max_size=8))
def test_common_subsequence_is_common(a, b):
    places = common_subsequence(a, b)
    assert [a[i] for i, _ in places] == [b[j] for _, j in places]
    assert places == sorted(set(places))

"""How long sentences may be."""

import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import LimitError
from headwise.inference.lengths import LONGEST, check_length


def test_the_longest_sentence_is_accepted_and_a_longer_one_is_named():
    check_length(Sentence.from_words(["a"] * LONGEST))
    with pytest.raises(LimitError, match=f"a sentence of {LONGEST + 1} words.*split"):
        check_length(Sentence.from_words(["a"] * (LONGEST + 1)))

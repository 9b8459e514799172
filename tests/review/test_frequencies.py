"""The simpler model of tags and relations."""

import pytest

from headwise.corpus.sentence import Sentence
from headwise.review.frequencies import Frequencies

SENTENCES = [
    Sentence.from_words(
        ["The", "cat", "the"], upos=["DET", "NOUN", "DET"], heads=[2, 0, 2],
        relations=["det", "root", "det"],
    )
]  # fmt: skip


def test_tags_are_judged_by_forms():
    found = Frequencies.of("upos", SENTENCES)
    assert found.chance("the", "DET") == pytest.approx((2 + 3 / 6) / 3)
    assert found.chance("the", "NOUN") == pytest.approx((2 / 6) / 3)
    assert found.chance("new", "NOUN") == pytest.approx(2 / 6)
    assert 0 < found.chance("the", "X") < found.chance("new", "X")
    assert sum(found.chance("the", tag) for tag in ("DET", "NOUN", "X")) == pytest.approx(1)


def test_relations_are_judged_by_tags():
    found = Frequencies.of("deprel", SENTENCES)
    assert list(found.keys_of(SENTENCES[0])) == ["DET", "NOUN", "DET"]
    assert found.chance("DET", "det") > found.chance("NOUN", "det")

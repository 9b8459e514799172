"""Multiword tokens as they were seen."""

from dataclasses import replace

import pytest

from headwise.corpus.extras import Multiword
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import FormatError
from headwise.storage.settings import from_mapping
from headwise.text.multiwords import Multiwords, StoredMultiwords


def test_multiwords_keep_capitals_and_take_endings():
    found = Multiwords({"don't": ("do", "n't"), "zum": ("zu", "dem")}, {"'s": 2})
    assert found.words["DON'T"] == ("DO", "N'T")
    assert found.words["Zum"] == ("Zu", "dem")
    assert found.words["Anna's"] == ("Anna", "'s")
    assert found.words["'s"] == ()
    assert found.words["dog"] == ()
    stored = from_mapping(StoredMultiwords, found.settings())
    assert stored.multiwords().words["Zum"] == ("Zu", "dem")
    with pytest.raises(FormatError, match="'zum' must have words"):
        from_mapping(StoredMultiwords, {"tokens": {"zum": []}, "endings": []})
    with pytest.raises(FormatError, match="endings"):
        from_mapping(StoredMultiwords, {"tokens": {}, "endings": ["um "]})


def multiword(*words: str) -> Sentence:
    row = Multiword(1, len(words), ("".join(words), *[MISSING] * 8), 0)
    return replace(Sentence.from_words(words), extras=(row,))


def test_a_clitic_that_only_some_endings_are_sure_of_is_split_off_those():
    split = [multiword(host, "que") for host in ("armum", "verbum", "astrum", "vosque")]
    whole = [Sentence.from_words([word]) for word in ("atque", "neque", "quoque", "usque")]
    found = Multiwords.learn(split + whole)
    assert found.endings == {"mque": 3}
    assert found.words["Donumque"] == ("Donum", "que")
    assert found.words["denique"] == found.words["mque"] == ()
    settings = found.settings()
    assert settings["endings"] == ["m que"]
    again = from_mapping(StoredMultiwords, settings).multiwords()
    assert again.endings == found.endings


def test_endings_of_older_models_have_no_letters_before_the_clitic():
    stored = from_mapping(StoredMultiwords, {"tokens": {}, "endings": ["'s"]})
    assert stored.multiwords().words["Anna's"] == ("Anna", "'s")

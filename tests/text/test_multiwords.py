"""Multiword tokens as they were seen."""

import pytest

from headwise.errors import FormatError
from headwise.storage.settings import from_mapping
from headwise.text.multiwords import Multiwords, StoredMultiwords


def test_multiwords_keep_capitals_and_take_endings():
    found = Multiwords({"don't": ("do", "n't"), "zum": ("zu", "dem")}, frozenset({"'s"}))
    assert found.words["DON'T"] == ("DO", "N'T")
    assert found.words["Zum"] == ("Zu", "dem")
    assert found.words["Anna's"] == ("Anna", "'s")
    assert found.words["'s"] == ()
    assert found.words["dog"] == ()
    stored = from_mapping(StoredMultiwords, found.settings())
    assert stored.multiwords().words["Zum"] == ("Zu", "dem")
    with pytest.raises(FormatError, match="'zum' must have words"):
        from_mapping(StoredMultiwords, {"tokens": {"zum": []}, "endings": []})

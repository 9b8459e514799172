"""Settings of lexical parsers."""

import pytest
from lexicaltoys import TREEBANK

from headwise.errors import UsageError
from headwise.parsers.lexical.parser import LexicalParser
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(150, 1), toy_treebank(30, 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"variant": "letters"}, "expected one of 'words', 'one-word', .*, not 'letters'"),
        ({"counts": 0}, "counts must be from 1 to 100"),
        ({"neighbours": -1}, "neighbours must be 0 or more"),
        ({"unseen": 0.5}, "unseen must be above 0"),
        ({"longest": 0}, "longest must be 1 or more"),
        ({"tags": "feats"}, "expected one of 'upos', 'xpos', not 'feats'"),
    ],
)
def test_settings_without_meaning_are_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        LexicalParser(**settings).fit(TRAIN)


def test_parameters_can_be_asked_for_and_changed():
    parser = LexicalParser(counts=3)
    assert parser.set_params(neighbours=0).get_params()["counts"] == 3
    assert parser.fit(TREEBANK).neighbours == 0
    with pytest.raises(UsageError, match="unknown parameter 'epochs'"):
        parser.set_params(epochs=1)

"""Ensembles as models."""

from dataclasses import replace

import pytest

from headwise.errors import ModelError, SourceLocation
from headwise.parsers.ensemble.member import Member
from headwise.parsers.ensemble.parser import EnsembleParser
from headwise.parsers.ensemble.storage import DEEPEST, depth
from toyensembles import mixed_ensemble
from toytreebank import toy_treebank


def test_a_saved_ensemble_answers_as_before(tmp_path):
    parser = mixed_ensemble()
    parser.save(tmp_path / "m", about={"members": "a, b"})
    again = EnsembleParser.load(tmp_path / "m")
    forms = [one.forms for one in toy_treebank(6, 2)]
    for one, own in zip(parser.predict(forms), again.predict(forms), strict=True):
        assert (one.heads, one.relations, one.upos) == (own.heads, own.relations, own.upos)
    assert "member 2" in (tmp_path / "m" / "README.md").read_text()


def test_models_within_models_have_an_end():
    parser = mixed_ensemble()
    for _ in range(DEEPEST):
        parser = EnsembleParser(members=[Member(parser)])
    model = parser.to_model()
    assert depth(model.settings) == DEEPEST + 1
    with pytest.raises(ModelError, match="deep"):
        EnsembleParser.storage().of_model(model, SourceLocation("m"))


@pytest.mark.parametrize(
    "change",
    [{"members": []}, {"temperatures": {"heads": 0.0}}, {"members": [{"tagger": {}}]},
     {"members": 3}, {"members": [{"parser": {}, "other": {}}]}],
)  # fmt: skip
def test_damaged_settings_are_refused(change):
    model = mixed_ensemble().to_model()
    with pytest.raises(ModelError):
        EnsembleParser.storage().of_model(
            replace(model, settings={**model.settings, **change}), SourceLocation()
        )


def test_a_member_that_lacks_an_array_is_refused():
    model = mixed_ensemble().to_model()
    arrays = {name: one for name, one in model.arrays.items() if name != "member-0/parser/hashed"}
    with pytest.raises(ModelError, match="hashed"):
        EnsembleParser.storage().of_model(replace(model, arrays=arrays), SourceLocation("m"))

"""Arrays of a stored grammar that would lead the search astray are refused."""

import numpy as np
import pytest
from bracketbank import altered

from headwise.constituency.parser import ConstituencyParser
from headwise.errors import ModelError
from headwise.storage.modelfile import load_model, save_model


def reversed_array(array):
    return array[::-1].copy()


def with_last(value):
    def change(array):
        return np.array([*array[:-1], value], array.dtype)

    return change


ALTERED = {
    "whole_starts": reversed_array,
    "pair_starts": reversed_array,
    "by_whole": reversed_array,
    "top_starts": reversed_array,
    "bottom": reversed_array,
    "left": reversed_array,
    "entry_symbols": with_last(2**31 - 1),
    "entry_starts": with_last(0),
    "entry_weights": with_last(np.inf),
    "chain_symbols": with_last(2**31 - 1),
    "chain_starts": reversed_array,
    "chain_weight": with_last(np.inf),
    "parents": reversed_array,
}


@pytest.mark.parametrize("name", ALTERED)
@pytest.mark.parametrize("grammar", ["coarse", "fine"])
def test_arrays_that_would_lead_search_astray_are_refused(parser, tmp_path, grammar, name):
    parser.save(tmp_path / "model")
    model = load_model(tmp_path / "model")
    key = f"{grammar}.{name}"
    changed = ALTERED[name](model.arrays[key])
    save_model(tmp_path / "model", altered(model, **{key: changed}), force=True)
    with pytest.raises(ModelError, match=f"model: .*{grammar}"):
        ConstituencyParser.load(tmp_path / "model")


def test_a_word_must_have_a_tag_and_nothing_else_may(parser, tmp_path):
    parser.save(tmp_path / "model")
    model = load_model(tmp_path / "model")
    symbols = model.settings["fine"]["symbols"]
    label = next(number for number, symbol in enumerate(symbols) if not symbol[3])
    changed = np.full_like(model.arrays["fine.entry_symbols"], label)
    save_model(tmp_path / "model", altered(model, **{"fine.entry_symbols": changed}), force=True)
    with pytest.raises(ModelError, match="symbols that are not tags"):
        ConstituencyParser.load(tmp_path / "model")
    all_tags = [[*symbol[:3], symbol[0] != "ROOT"] for symbol in symbols]
    settings = {**model.settings, "fine": {**model.settings["fine"], "symbols": all_tags}}
    save_model(tmp_path / "model", altered(model, settings), force=True)
    with pytest.raises(ModelError, match="derives a tag from something else"):
        ConstituencyParser.load(tmp_path / "model")

"""Stored grammars come back, and damaged ones are refused."""

import json

import numpy as np
import pytest
from bracketbank import altered

from headwise.constituency.parser import ConstituencyParser
from headwise.errors import ModelError
from headwise.storage.modelfile import ModelFile, load_model, save_model


def test_a_model_comes_back(parser, tmp_path):
    parser.save(tmp_path / "model")
    other = ConstituencyParser.load(tmp_path / "model")
    forms = ["she", "sees", "zebras", "with", "a", "dog", "."]
    a, b = parser.kbest(forms, 9), other.kbest(forms, 9)
    assert a.trees == b.trees
    assert a.scores.tolist() == b.scores.tolist()
    assert (other.annotation, other.margin) == (parser.annotation, parser.margin)
    assert other.size_line() == parser.size_line()


@pytest.mark.parametrize("array", ["fine.whole", "fine.pair_starts", "coarse.weight", "fine.top"])
def test_a_model_that_does_not_hold_together_is_refused(parser, tmp_path, array):
    parser.save(tmp_path / "model")
    model = load_model(tmp_path / "model")
    wrong = model.arrays[array].copy()
    wrong[0] = np.nan if wrong.dtype.kind == "f" else 10**6
    changed = ModelFile(model.kind, model.settings, {**model.arrays, array: wrong}, "")
    save_model(tmp_path / "model", changed, force=True)
    with pytest.raises(ModelError, match=array):
        ConstituencyParser.load(tmp_path / "model")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("annotation",), 3, "annotation: expected a table"),
        (("annotation", "vertical"), "two", "annotation.vertical: expected an integer"),
        (("smoothing",), {"reach": []}, "smoothing.reach: expected an integer"),
        (("margin",), -1.0, "margin must be at least 0"),
        (("margin",), "wide", "margin: expected a number"),
        (("fine",), None, "fine: expected a table"),
        (("fine", "symbols"), [["NP"]], "fine.symbols.0: expected a list of 4"),
        (("fine", "symbols"), [], "fine: symbols: the start symbol ROOT is missing"),
        (("coarse", "symbols"), [["ROOT", "", [], False]], "coarse"),
        (("fine", "words"), [1], "fine.words.0: expected a string"),
        (("coarse", "classes"), [], "coarse.entry_starts"),
    ],
)
def test_settings_of_another_kind_are_refused(parser, tmp_path, path, value, message):
    parser.save(tmp_path / "model")
    model = load_model(tmp_path / "model")
    settings = json.loads(json.dumps(model.settings))
    holder = settings
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    save_model(tmp_path / "model", altered(model, settings), force=True)
    with pytest.raises(ModelError, match=message):
        ConstituencyParser.load(tmp_path / "model")


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

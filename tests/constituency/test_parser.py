import json
from math import inf

import numpy as np
import pytest
from bracketbank import small_treebank

from headwise.constituency.annotation import Annotation
from headwise.constituency.parser import ConstituencyParser
from headwise.errors import ModelError, UsageError
from headwise.storage.modelfile import ModelFile, load_model, save_model

WORDS = ["she", "sees", "the", "man", "with", "a", "dog", "."]


@pytest.fixture(scope="module")
def parser() -> ConstituencyParser:
    return ConstituencyParser().fit(small_treebank())


def test_it_gives_back_what_it_has_seen(parser):
    for tree in small_treebank():
        leaves = list(tree.leaves())
        found = parser.kbest([leaf.form for leaf in leaves], 5, [leaf.tag for leaf in leaves])
        assert str(tree) in map(str, found.trees)


def test_candidates_are_ranked_and_distinct(parser):
    found = parser.kbest(WORDS, 20, sentence_id="s1")
    assert (np.diff(found.scores) <= 0).all()
    assert len(set(map(str, found.trees))) == len(found)
    assert found.sentence_id == "s1"
    for k in (1, 2, 5):
        assert parser.kbest(WORDS, k).trees == found.trees[:k]


def test_given_tags_are_kept(parser):
    found = parser.parse(["dogs", "bark", "."], ["XX", "VBP", "."])
    assert [leaf.tag for leaf in found.leaves()] == ["XX", "VBP", "."]


def test_words_that_no_tree_covers_give_pieces(parser):
    forms = [".", "the", ".", "of", "of", "dogs", "the"]
    found = parser.kbest(forms, 3)
    assert found.forms == forms
    assert len(found) == 1
    assert found.best.root.label == "ROOT"


def test_without_a_margin_the_search_is_exact(parser):
    exact = ConstituencyParser(margin=inf).fit(small_treebank())
    for forms in ("she sees a cat .", "dogs bark ."):
        a, b = exact.kbest(forms.split(), 5), parser.kbest(forms.split(), 5)
        assert a.scores[0] >= b.scores[0]
    assert (exact.kbest(["dogs", "bark", "."], 5).scores >= -100).all()


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


def altered(model, settings=None, **arrays):
    return ModelFile(model.kind, settings or model.settings, {**model.arrays, **arrays}, "")


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


def test_wrong_calls(parser):
    with pytest.raises(UsageError, match="no words"):
        parser.parse([])
    with pytest.raises(UsageError, match="2 words, but 1 tags"):
        parser.parse(["a", "b"], ["X"])
    with pytest.raises(UsageError, match="k must be an integer from 1 to"):
        parser.kbest(["a"], 0)
    with pytest.raises(UsageError, match="no trees"):
        ConstituencyParser().fit([])
    with pytest.raises(UsageError, match="vertical"):
        ConstituencyParser(annotation=Annotation(vertical=0)).fit(small_treebank())


@pytest.mark.parametrize("call", [lambda p: p.parse(WORDS), lambda p: p.save("nowhere")])
def test_a_parser_that_has_learnt_nothing_says_so(call):
    with pytest.raises(UsageError, match="not fitted"):
        call(ConstituencyParser())


@pytest.mark.parametrize("words", ["she sees", [1, 2], None, 5, []])
def test_words_are_a_list_of_texts(parser, words):
    with pytest.raises(UsageError, match="words"):
        parser.parse(words)


@pytest.mark.parametrize("k", [0, 2.5, "3", True, 2**40])
def test_k_is_a_whole_number(parser, k):
    with pytest.raises(UsageError, match="k must be an integer"):
        parser.kbest(WORDS, k)


def test_an_empty_tag_is_no_tag(parser):
    # It was taken for that of phrases, with which the kernel wrote beside its chart.
    empty, none = [""] * len(WORDS), None
    for found, right in zip(
        parser.fine_.lexicon.look_up(WORDS, empty),
        parser.fine_.lexicon.look_up(WORDS, none),
        strict=True,
    ):
        assert (found == right).all()
    assert [leaf.form for leaf in parser.parse(WORDS, empty).leaves()] == WORDS


@pytest.mark.parametrize(
    "parameters",
    [
        {"horizontal": 1.5},
        {"horizontal": -1},
        {"margin": -1.0},
        {"margin": float("nan")},
        {"margin": "7"},
        {"annotation": None},
        {"smoothing": "none"},
        {"annotation": Annotation(vertical="2")},
    ],
)
def test_parameters_without_meaning_are_refused(parameters):
    with pytest.raises(UsageError):
        ConstituencyParser(**parameters).fit(small_treebank())


@pytest.mark.parametrize("trees", ["wsj.mrg", ["(S (NN a))"]])
def test_only_trees_can_be_learnt_from(trees):
    with pytest.raises(UsageError, match="read_trees"):
        ConstituencyParser().fit(trees)


def test_numbers_of_numpy_are_parameters(tmp_path):
    parser = ConstituencyParser(horizontal=np.int64(1), margin=np.float32(7)).fit(small_treebank())
    parser.save(tmp_path / "model")
    loaded = ConstituencyParser.load(tmp_path / "model")
    assert loaded.get_params() == parser.get_params()
    assert ConstituencyParser(**loaded.get_params()).set_params(horizontal=0).horizontal == 0

"""Parsers as files: the same to the bit, and refused if anything does not fit."""

import numpy as np
import pytest

from headwise.errors import ModelError
from headwise.kernels.arcs.plausible import EVERYTHING, PAIRS, ROWS, WIDEST, Plausible, everything
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.graph.storage import PACKED, PLAIN, plausible_arrays, plausible_of
from headwise.storage.modelfile import ModelFile, load_model, read_card, save_model
from labelledtoys import labelled_treebank
from toytreebank import SMALL, toy_treebank

TRAIN, DEV = toy_treebank(40, 1), toy_treebank(20, 2)


@pytest.fixture(scope="module", params=[8, 16, 32])
def parser(request, tmp_path_factory) -> DependencyParser:
    path = tmp_path_factory.mktemp("features") / "few.txt"
    path.write_text("distance h.tag m.tag\nplain h.word m.word\ndistance h.tag b.tag m.tag\n")
    made = DependencyParser(features=str(path), tables=SMALL, epochs=1, bits=request.param)
    return made.fit(TRAIN, DEV)


def test_there_and_back(parser, tmp_path):
    parser.save(tmp_path / "a")
    loaded = DependencyParser.load(tmp_path / "a")
    assert np.array_equal(loaded.tables_.as_learnt(), parser.tables_.weights)
    assert loaded.tables_.as_learnt().dtype == parser.tables_.weights.dtype
    assert np.array_equal(loaded.tables_.filters, parser.tables_.filters)
    for one, other in zip(loaded.tables_.plausible, parser.tables_.plausible, strict=True):
        assert np.array_equal(one, other)
    assert loaded.tables_.scale == parser.tables_.scale
    for name in (
        "feature_spec_",
        "reduction_",
        "single_root_",
        "temperatures_",
        "report_",
    ):
        assert getattr(loaded, name) == getattr(parser, name)
    assert loaded.get_params() == parser.get_params()
    assert [s.heads for s in loaded.predict(DEV)] == [s.heads for s in parser.predict(DEV)]
    assert loaded.kbest(DEV[0], 3) == parser.kbest(DEV[0], 3)
    loaded.save(tmp_path / "b")
    for file in ("weights.safetensors", "config.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


@pytest.mark.parametrize("settings", [{}, {"order": 2}, {"learner": "bayes-point", "members": 2}])
def test_the_same_training_gives_the_same_bytes(settings, tmp_path):
    """No time of any kind is in a model: whoever trains it again can compare it."""
    for name in ("a", "b"):
        chosen = {"features": "paper-000", "tables": SMALL, "epochs": 2, **settings}
        DependencyParser(**chosen).fit(TRAIN, DEV).save(tmp_path / name)
    for file in ("config.json", "weights.safetensors", "README.md"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes(), file


def test_the_features_need_not_be_there_any_more(parser, tmp_path):
    """A model is all one needs: its templates are in it."""
    parser.save(tmp_path / "m")
    loaded = DependencyParser.load(tmp_path / "m")
    loaded.features = "gone.txt"
    assert loaded.predict(DEV)


def test_models_of_earlier_versions_load(parser, tmp_path):
    """They held the settings of all learners, and C under another name."""
    model = parser.to_model()
    training = {**model.settings["training"], "most": 0.5, "rate": 0.1, "targets": "heads"}
    del training["c"]
    former = ModelFile(model.kind, {**model.settings, "training": training}, model.arrays, "")
    save_model(tmp_path / "m", former)
    loaded = DependencyParser.load(tmp_path / "m")
    assert (loaded.c, loaded.rate, loaded.k) == (0.5, None, None)
    assert [s.heads for s in loaded.predict(DEV)] == [s.heads for s in parser.predict(DEV)]


def altered(change):
    def changes(model: ModelFile) -> ModelFile:
        settings = {**model.settings, "training": {**model.settings["training"]}}
        settings["temperatures"] = {**settings["temperatures"]}
        arrays = dict(model.arrays)
        change(settings, arrays)
        return ModelFile(model.kind, settings, arrays, model.card)

    return changes


def weights_in(arrays):
    """What the numbers of the weights are called: they are deflated, if they have one byte."""
    return next(name for name in ("weights.values", "weights.values_deflated") if name in arrays)


ALTERATIONS = {
    "unknown setting": lambda s, a: s["training"].update(speed=3),
    "value without meaning": lambda s, a: s["training"].update(learner="guessing"),
    "other sizes": lambda s, a: s["training"].update(
        tables={"wide": 9, "narrow": 10, "filters": 8, "parts": 22}
    ),
    "huge sizes": lambda s, a: s["training"].update(
        tables={"wide": 99, "narrow": 10, "filters": 8, "parts": 22}
    ),
    "no templates": lambda s, a: s.update(templates=[]),
    "broken template": lambda s, a: s.update(templates=["plain h.shoe"]),
    "broken reduction": lambda s, a: s.update(tag_reduction=["keep shoes"]),
    "reduction no list": lambda s, a: s.update(tag_reduction="keep 1"),
    "templates no list": lambda s, a: s.update(templates=7),
    "no scale": lambda s, a: s.pop("scale"),
    "scale of zero": lambda s, a: s.update(scale=0.0),
    "huge scale": lambda s, a: s.update(scale=1e30),
    "next to no temperature": lambda s, a: s["temperatures"].update(heads=1e-30),
    "next to no temperature of labels": lambda s, a: s["temperatures"].update(relations=1e-30),
    "zeros without end": lambda s, a: a.update({"weights.shape": np.array([1 << 31])}),
    "negative temperature": lambda s, a: s["temperatures"].update(trees=-1.0),
    "no report": lambda s, a: s.update(report=None),
    "columns of tags that are numbers": lambda s, a: s["report"].update(tag_columns=[7]),
    "columns of tags no list": lambda s, a: s["report"].update(tag_columns=7),
    "other columns of tags": lambda s, a: s["report"].update(tag_columns=["forms"]),
    "no filters": lambda s, a: a.pop("filters.values_deflated"),
    "other filters": lambda s, a: a.update(
        {"filters.values_deflated": a["filters.values_deflated"].astype(np.int64)}
    ),
    "other numbers": lambda s, a: a.update({weights_in(a): a[weights_in(a)].astype(np.float64)}),
    "no margin": lambda s, a: a.pop("plausible.margin"),
    "no number as margin": lambda s, a: a.update({"plausible.margin": np.empty(0, np.int64)}),
    "negative margin": lambda s, a: a.update({"plausible.margin": np.array([-1])}),
    "wide margin": lambda s, a: a.update({"plausible.margin": np.array([9000])}),
    "too many tags": lambda s, a: a.update({"plausible.tags": np.arange(40, dtype=np.uint64)}),
    "other tags": lambda s, a: a.update({"plausible.tags": a["plausible.tags"].astype(np.int64)}),
    "more rows": lambda s, a: a.update({"plausible.rows.shape": np.array([9_999_999])}),
    "tags in two dimensions": lambda s, a: a.update({"plausible.tags": a["plausible.tags"][None]}),
    "a margin of floats": lambda s, a: a.update({"plausible.margin": np.array([np.nan])}),
    "an older version": lambda s, a: s["training"].update(known=1.0),
    "no weights": lambda s, a: a.pop(weights_in(a)),
}


@pytest.mark.parametrize("change", ALTERATIONS.values(), ids=ALTERATIONS)
def test_an_altered_parser_is_refused(change, parser, tmp_path):
    parser.save(tmp_path / "m")
    save_model(tmp_path / "m", altered(change)(load_model(tmp_path / "m")), force=True)
    with pytest.raises(ModelError):
        DependencyParser.load(tmp_path / "m")


def test_a_model_of_another_kind_is_refused(tmp_path):
    save_model(tmp_path / "m", ModelFile("tagger", {}, {}, ""))
    with pytest.raises(ModelError, match="is a tagger, not a parser"):
        DependencyParser.load(tmp_path / "m")


@pytest.mark.parametrize("labels", ["second-stage", "joint"])
def test_labels_there_and_back(labels, tmp_path):
    train, dev = labelled_treebank(40, 1), labelled_treebank(20, 2)
    parser = DependencyParser(tables=SMALL, epochs=2, labels=labels).fit(train, dev)
    parser.save(tmp_path / "a", about={"trained on": "toys"})
    loaded = DependencyParser.load(tmp_path / "a")
    assert loaded.predict(dev) == parser.predict(dev)
    assert loaded.temperatures_ == parser.temperatures_
    assert parser.scores(dev)["las"] > 0.9
    card = read_card(tmp_path / "a")
    assert "It finds heads and relations." in card
    assert f"LAS with subtypes, the same way | {parser.report_['dev_las']:.2f} |" in card
    assert "Reliability of relations of words with the right head" in card
    assert {"heads", "trees", "labels"} == set(parser.report_["calibration"])
    loaded.save(tmp_path / "b", about={"trained on": "toys"})
    for file in ("weights.safetensors", "config.json", "README.md"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda settings, arrays: settings["labels"].update(root=99),
        lambda settings, arrays: settings["labels"].pop("names"),
        lambda settings, arrays: settings["labels"].update(templates=["nothing"]),
        lambda settings, arrays: settings["labels"].update(scale=-1.0),
        lambda settings, arrays: settings.update(temperatures={"relations": 0.0}),
        lambda settings, arrays: arrays.update({"labels.keys": arrays["labels.keys"][:3]}),
        lambda settings, arrays: arrays.pop("labels.weights.values_deflated"),
    ],
)
def test_damaged_labels_are_refused(change, tmp_path):
    train = labelled_treebank(20, 1)
    DependencyParser(tables=SMALL, epochs=1).fit(train).save(tmp_path / "m")
    model = load_model(tmp_path / "m", "parser")
    settings = {**model.settings, "labels": {**model.settings["labels"]}}
    arrays = dict(model.arrays)
    change(settings, arrays)
    save_model(tmp_path / "n", ModelFile("parser", settings, arrays, ""))
    with pytest.raises(ModelError):
        DependencyParser.load(tmp_path / "n")


def plausible_tables() -> Plausible:
    rng = np.random.default_rng(1)
    pairs, rows = (rng.integers(-9, 9, size).astype(np.int8) for size in (PAIRS, ROWS))
    return Plausible(np.array([3, 5, 8], np.uint64), pairs, rows, 60)


def test_tables_of_plausible_arcs_come_back():
    arrays = plausible_arrays(plausible_tables())
    assert set(arrays) == {*PACKED, *PLAIN}
    found = plausible_of(arrays)
    assert found.margin == 60
    for own, other in zip(plausible_tables()[:3], found[:3], strict=True):
        assert np.array_equal(own, other)
        assert own.dtype == other.dtype


def test_everything_is_plausible_without_plausible_tables():
    found = plausible_of(plausible_arrays(everything()))
    assert found.margin == EVERYTHING


DAMAGED_PLAUSIBLE = {
    "a margin below 0": {"margin": np.array([-1])},
    "a margin too wide": {"margin": np.array([WIDEST + 1])},
    "two margins": {"margin": np.array([60, 60])},
    "pairs of another size": {"pairs": np.zeros(PAIRS - 1, np.int8)},
    "rows of another size": {"rows": np.zeros(ROWS + 1, np.int8)},
    "rows of another type": {"rows": np.zeros(ROWS, np.int16)},
    "too many tags": {"tags": np.arange(1000, dtype=np.uint64)},
    "tags of another shape": {"tags": np.zeros((1, 1), np.uint64)},
}


@pytest.mark.parametrize("change", DAMAGED_PLAUSIBLE.values(), ids=DAMAGED_PLAUSIBLE.keys())
def test_damaged_tables_of_plausible_arcs_are_refused(change):
    with pytest.raises(ModelError, match="tables of plausible arcs have invalid"):
        plausible_of(plausible_arrays(plausible_tables()) | change)

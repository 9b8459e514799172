"""Experiment files are read strictly."""

import pytest
from smallworlds import TEXT, small_world

from headwise.errors import FormatError
from headwise.experiments.plan import read_experiment


def test_a_file_says_what_to_train(tmp_path):
    experiment, treebanks = read_experiment(small_world(tmp_path))
    assert [system.name for system in experiment.systems] == ["perceptron", "MIRA"]
    assert list(treebanks) == ["toy", "licensed"]
    perceptron = experiment.systems[0]
    assert experiment.given(perceptron, 0, "toy")["learner"] == "perceptron"
    assert "seed" not in experiment.given(perceptron, 0, "toy")
    assert experiment.settings_of(perceptron, 3, "toy").seed == 3
    assert experiment.settings_of(perceptron, 3, "toy").tables.wide == 10


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seeds = [0, 1]", "seed = [0, 1]", r"toy.toml:5: seed: unknown key; did you mean 'seeds'"),
        ("epochs = 1", "epoch = 1", r"toy.toml:9: settings.epoch: unknown key; .*'epochs'"),
        ("epochs = 1", 'epochs = "1"', r"toy.toml:9: settings.epochs: expected an integer"),
        ("epochs = 1", "epochs = 0", "epochs must be 1 or more"),
        ("epochs = 1", "seed = 7", "settings cannot have a seed"),
        ('measure = "uas"', 'measure = "usa"', r"'usa' is unknown; did you mean 'uas'"),
        ('"UAS" = 90.6', '"USA" = 90.6', "published figures of 'perceptron': 'USA' is unknown"),
        ('base = "perceptron"', 'base = "perceptrons"', "base: 'perceptrons' is unknown"),
        ('show = "p"', 'show = "score"', "a score has none"),
        ('show = "p"', 'show = "interval"', "a score has none"),
        (
            'measure = "uas"\nshow = "p"',
            'measure = "root"\nshow = "mcnemar"',
            "McNemar's test is of words with the right head",
        ),
        ('column = "UAS"', 'column = "LAS"', "plot.column: 'LAS' is unknown"),
        (
            'column = "UAS"',
            'column = "UAS"\nkind = "curves"',
            "plot.kind = .curves. requires sizes",
        ),
        ("seeds = [0, 1]", "seeds = [1, 1]", "seeds must not be empty or have duplicates"),
        ("seeds = [0, 1]", "seeds = [-1]", "seeds must be at least 0"),
        ('["toy", "licensed"]', '["toys"]', "'toys' is unknown; did you mean 'toy'"),
        ('name = "MIRA"', "", r"toy.toml:18: systems.1: 'name' is missing: write name = "),
        ('name = "MIRA"', 'name = " "', r"toy.toml:18: systems.1: a system needs a name"),
        ('name = "MIRA"', 'name = "MIRA"\ntreebanks = ["no"]', "treebanks of 'MIRA': 'no'"),
        ('name = "MIRA"', 'name = "MIRA"\nparser = "grammar"\nguide = "grammar"', "nor a guide"),
        (
            "seeds = [0, 1]",
            'sizes = [9]\n[[systems]]\nname = "x"\nguide = "grammar"',
            "remove sizes",
        ),
        (
            'measure = "processor_seconds"\nshow = "ratio"',
            'measure = "processor_seconds"\nshow = "p"',
            "cannot be tested",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, old, new, message):
    assert old in TEXT
    with pytest.raises(FormatError, match=message):
        read_experiment(small_world(tmp_path, TEXT.replace(old, new, 1)))


def test_treebanks_may_be_in_a_catalogue(tmp_path):
    text, _, tables = TEXT.partition("[treebank.toy]")
    path = small_world(tmp_path, 'catalogue = "all.toml"\n' + text)
    catalogue = "[treebank.toy]" + tables
    (tmp_path / "all.toml").write_text(catalogue.replace("[treebank.", "[treebanks."))
    _, treebanks = read_experiment(path)
    assert treebanks["toy"].language == "Toy"


def test_treebanks_whose_names_would_lead_elsewhere_are_refused(tmp_path):
    path = small_world(tmp_path)
    text = (
        path.read_text()
        .replace('"toy"', '"../toy"')
        .replace("[treebank.toy]", '[treebank."../toy"]')
    )
    path.write_text(text)
    with pytest.raises(FormatError, match=r"treebank '../toy': .* cannot have slashes"):
        read_experiment(path)


def test_settings_on_a_treebank_are_between_those_of_all_and_of_a_system(tmp_path):
    own = '[settings_on.toy]\ntag_reduction = "collins"\nlearner = "mira"\n\n[[systems]]'
    experiment, _ = read_experiment(small_world(tmp_path, TEXT.replace("[[systems]]", own, 1)))
    perceptron, mira = experiment.systems
    assert experiment.given(mira, 0, "toy")["tag_reduction"] == "collins"
    assert "tag_reduction" not in experiment.given(mira, 0, "licensed")
    assert experiment.given(perceptron, 0, "toy")["learner"] == "perceptron"


def test_settings_on_an_unknown_treebank_are_refused(tmp_path):
    text = TEXT.replace("[[systems]]", "[settings_on.toys]\nepochs = 2\n\n[[systems]]", 1)
    with pytest.raises(FormatError, match="settings_on: 'toys' is unknown; did you mean 'toy'"):
        read_experiment(small_world(tmp_path, text))

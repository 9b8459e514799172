"""What is trained: a file, under the settings of a call."""

from pathlib import Path

import pytest

from headwise.errors import FormatError, UsageError
from headwise.parsers.lexical.parser import LexicalParser
from headwise.pipeline.training.config import parsed_settings, read_training


def test_settings_of_a_call_are_values_of_toml_in_tables():
    given = ["k=5", "words.lowercase=true", "words.length = 3", 'tags="upos"', "betas=[1, 2.5]"]
    assert parsed_settings(given) == {
        "k": 5, "words": {"lowercase": True, "length": 3}, "tags": "upos", "betas": [1, 2.5],
    }  # fmt: skip
    assert parsed_settings(["features=a=b.txt", "a=1\nb=2"]) == {
        "features": "a=b.txt",
        "a": "1\nb=2",
    }
    for wrong in ("k", "=3", "a..b=3"):
        with pytest.raises(UsageError, match="--set takes name=value"):
            parsed_settings([wrong])


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "c.toml"
    path.write_text('epochs = 5\n[words]\nlength = 4\n[pipeline]\ntags = "both"\nfolds = 3\n')
    return path


def test_the_call_takes_precedence_over_the_file(file):
    parser, recipe = read_training(file, {"words": {"lowercase": True}, "pipeline": {"folds": 4}})
    assert (parser.epochs, parser.words.length, parser.words.lowercase) == (5, 4, True)
    assert (recipe.tags, recipe.folds) == ("both", 4)


def test_a_wrong_call_is_not_an_error_of_the_file(file):
    with pytest.raises(UsageError, match=r"^words.length: expected an integer"):
        read_training(file, {"words": {"length": "long"}})
    file.write_text('[words]\n\nlength = "long"\n')
    with pytest.raises(FormatError, match=r"c.toml:3: words.length: expected an integer"):
        read_training(file, {"epochs": 3})


def test_the_learner_selects_the_kind(tmp_path):
    file = tmp_path / "c.toml"
    file.write_text('learner = "lexical"\nneighbours = 0\n')
    parser, _ = read_training(file)
    assert isinstance(parser, LexicalParser)
    assert parser.neighbours == 0
    with pytest.raises(FormatError, match="2: neighbours: is a setting of another learner: lexi"):
        read_training(file, {"learner": "perceptron"})


def test_a_call_may_leave_steps_unbounded():
    changes = parsed_settings(["c=inf", "k=5"])
    parser, _ = read_training(None, changes)
    assert (parser.c, parser.k) == ("inf", 5)

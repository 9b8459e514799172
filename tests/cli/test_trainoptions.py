"""Settings that are taken for options, and options that take several values."""

import pytest

from commandcalls import call
from headwise.cli.trainoptions import spread


@pytest.mark.parametrize(
    ("option", "setting"),
    [
        ("--lowercase", "words.lowercase"),
        ("--folds=3", "folds"),
        ("--part-features", "part_features"),
        ("--k", "k"),
    ],
)
def test_settings_taken_for_options(option, setting, capsys):
    code, out, err = call("train", "no.conllu", "-o", "m", option, capsys=capsys)
    told = f"{option.partition('=')[0]} is a setting: use --set {setting}=VALUE (headwise settings)"
    assert (code, out, err) == (2, "", f"headwise: error: {told}\n")


def test_options_with_several_values():
    given = ["train", "--teacher", "a", "b", "--text", "x", "y", "--dev", "d", "z"]
    assert spread(given) == [
        "train", "--teacher", "a", "--teacher", "b", "--text", "x", "--text", "y", "--dev", "d", "z"
    ]  # fmt: skip
    assert spread(["t", "--text=x", "y"]) == ["t", "--text=x", "y"]

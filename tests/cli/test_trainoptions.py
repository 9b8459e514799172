"""Options that have become settings are said so, and the settings exist."""

import json

import pytest

from commandcalls import call
from headwise.cli.trainoptions import REMOVED, spread


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("--lowercase", "--lowercase was removed: use --set words.lowercase=true"),
        ("--folds=3", "--folds was removed: use --set pipeline.folds=VALUE"),
        ("--tagger", "--tagger was removed: use --set pipeline.reuse.tagger=VALUE"),
    ],
)
def test_removed_options_name_their_setting(option, told, capsys):
    code, out, err = call("train", "no.conllu", "-o", "m", option, capsys=capsys)
    assert (code, out, err) == (2, "", f"headwise: error: {told}\n")


def test_every_setting_that_is_named_exists(capsys):
    groups = json.loads(call("settings", "--json", capsys=capsys)[1])
    known = {one["name"] for group in groups.values() for one in group}
    for setting in REMOVED.values():
        name = setting.partition("=")[0]
        parent = name.rpartition(".")[0]
        assert name in known or parent in known, name


def test_options_with_several_values():
    given = ["train", "--teacher", "a", "b", "--text", "x", "y", "--dev", "d", "z"]
    assert spread(given) == [
        "train", "--teacher", "a", "--teacher", "b", "--text", "x", "--text", "y", "--dev", "d", "z"
    ]  # fmt: skip
    assert spread(["t", "--text=x", "y"]) == ["t", "--text=x", "y"]

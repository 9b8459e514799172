"""`headwise settings` lists what the classes of settings say."""

import json

import pytest

from headwise.cli.app import run
from headwise.parsers.registry import learner_names


def listed(*arguments: str, capsys) -> dict[str, list[dict[str, str]]]:
    assert run(["settings", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("learner", learner_names())
def test_every_setting_of_every_learner_has_a_type_and_a_meaning(learner, capsys):
    groups = listed("--learner", learner, capsys=capsys)
    for group, settings in groups.items():
        for one in settings:
            assert one["type"], (group, one)
            assert one["meaning"], (group, one)
    if learner != "perceptron":  # which has nothing to set
        assert f"--learner {learner}" in groups


def test_settings_are_those_of_the_learner(capsys):
    groups = listed("--learner", "mira", capsys=capsys)
    assert "k" in {one["name"] for one in groups["--learner mira"]}
    assert "--learner semisupervised" not in groups
    common = {one["name"]: one for one in groups["common"]}
    assert common["words.length"]["default"] == "5"
    assert common["order"]["type"] == "one of 1, 2, 3, 4"
    assert {one["name"] for one in groups["[pipeline]"]} >= {"pipeline.folds", "pipeline.reuse"}
    assert len(listed(capsys=capsys)) > len(groups)


def test_people_read_a_line_for_each(capsys):
    assert run(["settings", "--learner", "boosting"]) == 0
    assert "  rounds (an integer; default 4)\n      " in capsys.readouterr().out
    assert run(["settings", "--learner", "guess"]) == 2
    assert "there is no learner 'guess'; there are mira, " in capsys.readouterr().err

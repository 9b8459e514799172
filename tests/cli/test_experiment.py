"""`headwise experiment` as a person uses it."""

import json
from pathlib import Path

import pytest
from smallworlds import small_world

from headwise.cli.app import run


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return small_world(tmp_path)


def test_an_experiment_is_done_once_and_shown(file, capsys):
    assert run(["experiment", "toy.toml"]) == 0
    first = capsys.readouterr()
    assert "note: skipped: licensed: no train" in first.err
    assert "1 of 4: toy (" in first.err
    assert "toy: MIRA" in first.out
    assert "paper: UAS" in first.out
    assert {path.suffix for path in Path("tables").iterdir()} >= {".md", ".json", ".csv"}
    assert run(["experiment", "toy.toml", "--json", "-o", "elsewhere"]) == 0
    again = capsys.readouterr()
    assert "of 4" not in again.err
    assert json.loads(again.out)["rows"][0]["treebank"] == "toy"
    assert run(["experiment", "toy.toml", "--no-run", "--only", "toy"]) == 0
    assert capsys.readouterr().out == first.out


def test_where_nothing_was_run_yet_it_says_so(file, capsys):
    assert run(["experiment", "toy.toml", "--no-run"]) == 0
    assert "there are no results yet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["toy.toml", "--on", "train"], 2, "--on must be dev or test"),
        (["toy.toml", "--only", "licensed"], 2, "licensed: no train"),
        (["toy.toml", "--only", "toy", "--on", "test"], 2, "toy has no test files to score"),
        (["no.toml"], 2, "there is no file no.toml"),
    ],
)
def test_a_wrong_call_is_told(file, capsys, arguments, code, message):
    assert run(["experiment", *arguments]) == code
    assert message in capsys.readouterr().err


def test_where_no_test_is_named_no_folder_is_blamed(file, capsys):
    assert run(["experiment", "toy.toml", "--only", "toy", "--on", "test"]) == 2
    told = capsys.readouterr().err
    assert "add test = … to its table" in " ".join(told.split())
    assert "--treebanks" not in told


def test_sizes_beyond_a_treebank_are_told(file, capsys):
    file.write_text(file.read_text().replace("seeds = [0, 1]", "sizes = [10, 80, 1000]"))
    assert run(["experiment", "toy.toml"]) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "note: skipped: toy: sizes 80, 1,000: it has only 40 sentences" in told


def test_a_wrong_file_is_told_with_its_line(file, capsys):
    file.write_text(file.read_text().replace("epochs = 1", "epoch = 1"))
    assert run(["experiment", "toy.toml"]) == 1
    assert "toy.toml:9: settings.epoch: unknown key; did you mean 'epochs'?" in (
        capsys.readouterr().err
    )

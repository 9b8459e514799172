"""Boosted parsers as a person uses them."""

import json
from pathlib import Path

import pytest
from boostingtoys import NOISY

from commandcalls import call
from headwise import Pipeline, load, write_sentences
from headwise.learners.callbacks import TrainingCallback
from headwise.parsers.boosting.parser import BoostedParser
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(60, 1), toy_treebank(20, 2)
BOOSTING = ["--learner", "boosting", "--only", "parser"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_sentences("train.conllu", TRAIN)
    write_sentences("dev.conllu", DEV)
    return tmp_path


def test_a_boosted_parser_is_trained_parses_and_is_evaluated(capsys):
    code, out, _ = call(
        "train", "train.conllu", "--dev", "dev.conllu", "-o", "m", *BOOSTING, "--set", "rounds=2",
        "--set", "update=m1", "--set", "keep=ensemble", "--jobs", "2", capsys=capsys,
    )  # fmt: skip
    assert code == 0
    assert out.splitlines()[1].startswith("learning from 60 sentences")
    assert "wrote m: round " in out
    assert "pairs of words" in out
    assert not Path("m.checkpoint").exists()
    assert json.loads(Path("m.log.jsonl").read_text().splitlines()[1])["epoch"] == 1
    found = load("m")
    assert isinstance(found, BoostedParser)
    assert (found.update, found.keep) == ("m1", "ensemble")
    assert "structured boosting" in call("info", "m", capsys=capsys)[1]
    assert call("parse", "dev.conllu", "-m", "m", "-o", "p.conllu", capsys=capsys)[0] == 0
    own = json.loads(call("evaluate", "dev.conllu", "p.conllu", "--json", capsys=capsys)[1])
    assert own["undirected"] >= own["uas"] > 85
    asked = ["--kbest", "2", "--marginals"]
    code, out, _ = call("parse", "dev.conllu", "-m", "m", *asked, capsys=capsys)
    assert code == 0
    assert "HeadProb=" in out
    assert "/2" in out


def test_training_that_was_cut_short_goes_on(capsys):
    class Cut(TrainingCallback):
        def progress(self, report):
            if report.epoch > 1:
                raise KeyboardInterrupt

    write_sentences("train.conllu", NOISY)
    calls = [["train", "train.conllu", "-o", name, *BOOSTING, "--set", "rounds=3"] for name in "mn"]
    with pytest.raises(KeyboardInterrupt):
        BoostedParser().fit(NOISY, checkpoint=Path("m.checkpoint"), callback=Cut())
    code, _, err = call(*calls[0], capsys=capsys)
    assert code == 2
    assert "go on with --resume" in err
    code, out, _ = call(*calls[0], "--resume", capsys=capsys)
    assert code == 0
    assert "going on after epoch 1" in out
    assert call(*calls[1], capsys=capsys)[0] == 0
    weights = [Path(name, "weights.safetensors").read_bytes() for name in "mn"]
    assert weights[0] == weights[1]
    assert not Path("m.checkpoint").exists()


def test_settings_come_from_a_file_and_parsers_end_pipelines(capsys):
    Path("few.toml").write_text('strength = 1.0\nlink_score = "odds"\ngrandchildren = ["ADP"]\n')
    code, _, _ = call(
        "train", "train.conllu", "-o", "m", "--learner", "boosting", "--without", "tokeniser",
        "--set", "rounds=1", "--set", "tags=upos", "--config", "few.toml", capsys=capsys,
    )  # fmt: skip
    assert code == 0
    found = Pipeline.load("m").parser
    assert isinstance(found, BoostedParser)
    assert (found.strength, found.grandchildren, found.tags) == (1.0, ("ADP",), "upos")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([*BOOSTING, "--epochs", "3"], "epochs: is a setting of another learner"),
        ([*BOOSTING, "--set", "update=m3"], "update: "),
        ([*BOOSTING, "--guide", "dev.conllu"], "--guide is not used by this learner"),
        (
            [*BOOSTING, "--unlabelled", "dev.conllu"],
            "--unlabelled is not used by this learner: choose --learner link-margin",
        ),
        (["--set", "rounds=2"], "rounds: is a setting of another learner: boosting"),
        (
            ["--learner", "lexical", "--set", "dynamic=false"],
            "dynamic: is a setting of another learner: boosting",
        ),
    ],
)
def test_wrong_calls_are_said_so(options, message, capsys):
    code, _, err = call("train", "train.conllu", "-o", "m", *options, capsys=capsys)
    assert code in (1, 2)
    assert message in err
    assert not Path("m").exists()

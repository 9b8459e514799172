"""Semi-supervised training: its objective falls, to the same from everywhere; input and files."""

import json
import math
import os
import signal
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from headwise import DependencyParser, Sentence, write_sentences
from headwise.cli.app import run
from headwise.errors import HeadwiseWarning, InputError, UsageError
from headwise.learners import loop, semisupervised
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.checkpoint import can_resume
from headwise.learners.semisupervised import nearest_target, right_branching
from headwise.learners.training import warn_of_trouble
from headwise.scoring.linear.tables import TableSizes
from toytreebank import toy_treebank

SIZES = TableSizes(wide=10, narrow=14, filters=12, labels=8)
TRAIN, DEV, UNLABELLED = toy_treebank(15, 1), toy_treebank(20, 2), toy_treebank(20, 3)


def fitted(unlabelled=UNLABELLED, **settings) -> DependencyParser:
    given = {"epochs": 4, "features": "pairs", "labels": "none", "bits": 32, **settings}
    files = {
        name: given.pop(name) for name in ("checkpoint", "resume", "callback") if name in given
    }
    parser = DependencyParser(learner="semisupervised", tables=SIZES, **given)
    return parser.fit(TRAIN, DEV, unlabelled=unlabelled, **files)


def objectives(parser: DependencyParser) -> list[float]:
    return [record["objective"] for record in parser.report_["history"]]


@pytest.mark.parametrize("features", ["pairs", "paper-000"])
@pytest.mark.parametrize(("rate", "targets"), [(0.02, "heads"), (0.1, "heads"), (0.1, "trees")])
def test_the_objective_falls_in_every_pass(features, rate, targets):
    found = objectives(fitted(features=features, rate=rate, targets=targets, lam=0.1, epochs=8))
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.7 * found[0]


def test_it_learns():
    assert fitted().score(DEV) > 0.95


def left_branching(starts: np.ndarray) -> np.ndarray:
    targets = np.zeros(starts[-1], np.float32)
    for start, end in pairwise(starts):
        size = math.isqrt(end - start)
        matrix = targets[start:end].reshape(size, size)
        matrix[np.arange(2, size), np.arange(1, size - 1)] = 1.0
        matrix[0, -1] = 1.0
    return targets


def test_two_starts_reach_the_same_objective(monkeypatch):
    """To 1 %, after so many passes; it is 0.1 % after four times as many."""
    one = objectives(fitted(lam=0.1, epochs=100))[-1]
    monkeypatch.setattr(semisupervised, "right_branching", left_branching)
    other = objectives(fitted(lam=0.1, epochs=100))
    assert abs(one - other[-1]) < 0.01 * one
    assert abs(one - other[0]) > one


def test_the_same_seed_gives_the_same_weights():
    one, other = fitted(seed=3), fitted(seed=3)
    assert np.array_equal(one.tables_.weights, other.tables_.weights)
    assert not np.array_equal(one.tables_.weights, fitted(seed=4).tables_.weights)


def test_the_trees_of_unlabelled_sentences_do_not_count():
    bare = [Sentence.from_words(one.forms, upos=one.upos, xpos=one.xpos) for one in UNLABELLED]
    assert np.array_equal(fitted(bare).tables_.weights, fitted().tables_.weights)


def test_without_unlabelled_sentences_it_is_a_structured_hinge():
    parser = fitted(None, lam=0.0)
    found = objectives(parser)
    assert found == sorted(found, reverse=True)
    assert parser.score(DEV) > 0.9


class Interrupting(TrainingCallback):
    """Presses Ctrl-C at a report."""

    def __init__(self, at: int) -> None:
        self.left = at

    def progress(self, report) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("at", [2, 6, 9])
def test_interrupted_and_resumed_is_as_if_nothing_had_happened(at, tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 6)
    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        fitted(checkpoint=path, callback=Interrupting(at))
    assert can_resume(path)
    resumed = fitted(checkpoint=path, resume=True)
    whole = fitted()
    assert np.array_equal(resumed.tables_.weights, whole.tables_.weights)
    assert objectives(resumed) == objectives(whole)


def test_other_unlabelled_sentences_are_not_resumed_with(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 6)
    with pytest.raises(KeyboardInterrupt):
        fitted(checkpoint=tmp_path / "c", callback=Interrupting(2))
    with pytest.raises(InputError, match="other training sentences"):
        fitted(UNLABELLED[1:], checkpoint=tmp_path / "c", resume=True)


def test_the_first_targets_are_chains():
    starts = np.array([0, 9, 13])
    targets = right_branching(starts)
    assert targets[:9].reshape(3, 3).tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert targets[9:].reshape(2, 2).tolist() == [[0, 1], [0, 0]]


def test_heads_that_were_not_found_exactly_are_a_warning(monkeypatch):
    monkeypatch.setattr(semisupervised, "PASSES", 0)
    scores = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [0.0, 9.0, 0.0]])
    with pytest.warns(HeadwiseWarning, match="of 2 words were not found exactly"):
        nearest_target(scores)


def test_an_objective_that_rises_is_a_warning():
    with pytest.warns(HeadwiseWarning, match=r"rose from 10 to 11 in epoch 2: a smaller rate"):
        warn_of_trouble([{"objective": 10.0}], {"epoch": 2, "objective": 11.0}, is_last=False)


@pytest.mark.parametrize(
    ("unlabelled", "settings", "message"),
    [
        (None, {}, "needs unlabelled sentences"),
        (UNLABELLED, {"order": 2}, "arcs only"),
        (UNLABELLED, {"loss": "complete"}, "cost for each head"),
        (UNLABELLED, {"targets": "forests"}, "expected one of 'heads', 'trees', not 'forests'"),
        (UNLABELLED, {"lam": -1.0}, "lam must be 0 or more"),
        (UNLABELLED, {"alpha": math.nan}, "alpha: expected a finite number, not nan"),
    ],
)
def test_what_cannot_be_is_refused(unlabelled, settings, message):
    with pytest.raises(UsageError, match=message):
        fitted(unlabelled, **settings)


def test_the_command_line_trains_from_text_and_parses(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_sentences("train.conllu", TRAIN)
    write_sentences("dev.conllu", DEV)
    lines = [" ".join(one.forms) for one in UNLABELLED]
    Path("more.txt").write_text("\n".join([lines[0], "", "Yes", *lines[1:]]) + "\n")
    options = ["--learner", "semisupervised", "--unlabelled", "more.txt", "--epochs", "2"]
    options += [
        "--set",
        "features=pairs",
        "--set",
        "tables.narrow=12",
        "--set",
        "tables.wide=8",
        "--set",
        "lam=0.05",
    ]
    options += ["--without", "lemmas", "--set", "labels=none"]
    assert run(["train", "train.conllu", "--dev", "dev.conllu", "-o", "m", *options]) == 0
    assert "objective" in capsys.readouterr().out
    records = [json.loads(line) for line in Path("m.log.jsonl").read_text().splitlines()]
    assert records[2]["objective"] < records[1]["objective"]
    assert run(["parse", "dev.conllu", "-m", "m", "-o", "own.conllu"]) == 0
    assert run(["evaluate", "dev.conllu", "own.conllu"]) == 0
    Path("empty.txt").write_text("\n\n")
    options[3] = "empty.txt"
    assert run(["train", "train.conllu", "-o", "n", *options]) == 1
    assert "empty.txt: there is no sentence" in capsys.readouterr().err

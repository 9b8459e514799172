"""Local margins: the programme is solved, as another solver solves it; files and bad input."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from headwise import DependencyParser, write_sentences
from headwise.cli.app import run
from headwise.errors import HeadwiseWarning, UsageError
from headwise.kernels.arcs.entries import ArcList
from headwise.kernels.solvers.arcmargin import path_ends
from headwise.learners import loop
from headwise.learners.callbacks import TrainingCallback
from headwise.scoring.linear.tables import TableSizes
from toytreebank import toy_treebank

SIZES = TableSizes(wide=10, narrow=14, filters=12, labels=8)
TRAIN, DEV = toy_treebank(20, 1), toy_treebank(20, 2)


def fitted(train=TRAIN, **settings) -> DependencyParser:
    given = {"epochs": 60, "features": "pairs", "labels": "none", "bits": 32, **settings}
    files = {
        name: given.pop(name) for name in ("checkpoint", "resume", "callback") if name in given
    }
    parser = DependencyParser(learner="arc-margin", tables=SIZES, **given)
    return parser.fit(train, **files)


def margins(parser: DependencyParser, sentences) -> np.ndarray:
    """Every margin as a row: the features of the arc in the tree less those of the other."""
    search = parser.search()
    encoded = search.encode(sentences, None)
    size = len(parser.tables_.weights)
    rows = []
    for number, sentence in enumerate(sentences):
        gold = np.array([-1, *sentence.heads])
        near, tokens = path_ends(gold), encoded.sentence(number)
        for m in range(1, len(gold)):
            for h in range(len(gold)):
                if h == m or gold[m] == h:
                    continue
                for tree in {near[h, m], near[m, h]}:
                    arcs = ArcList(
                        np.zeros(2, np.int64),
                        np.array([gold[tree], h]),
                        np.array([tree, m]),
                        np.array([1.0, -1.0]),
                    )
                    found = search.scorer.rows(tokens, arcs, 1)
                    row = np.zeros(size)
                    row[found.slots] = found.value
                    rows.append(row)
    return np.array(rows)


def solved(rows: np.ndarray, beta: float) -> float:
    """The least objective, by sequential quadratic programming over weights and slacks."""
    rows = rows[:, np.abs(rows).sum(axis=0) > 0]
    count, width = rows.shape
    limits = np.hstack([rows, np.eye(count)])
    found = minimize(
        lambda x: 0.5 * beta * x[:width] @ x[:width] + x[width:].sum(),
        np.concatenate([np.zeros(width), np.ones(count)]),
        jac=lambda x: np.concatenate([beta * x[:width], np.ones(count)]),
        bounds=[(None, None)] * width + [(0, None)] * count,
        constraints={"type": "ineq", "fun": lambda x: limits @ x - 1, "jac": lambda _: limits},
        method="SLSQP",
        options={"ftol": 1e-10, "maxiter": 300},
    )
    assert found.success
    return float(found.fun)


@pytest.mark.parametrize("beta", [0.3, 2.0])
def test_it_is_what_another_solver_finds(beta):
    train = [one for one in toy_treebank(40, 5) if len(one) <= 5][:2]
    parser = fitted(train, beta=beta, epochs=300)
    last = parser.report_["history"][-1]
    assert last["gap"] < 1e-4
    rows = margins(parser, train)
    weights = parser.tables_.weights.astype(np.float64)
    own = 0.5 * beta * weights @ weights + np.maximum(0, 1 - rows @ weights).sum()
    assert np.isclose(own, last["objective"], rtol=1e-5)
    assert np.isclose(own, solved(rows, beta), rtol=2e-4)


def test_the_gap_closes_and_the_same_comes_out_in_any_order():
    one, other = fitted(beta=5.0), fitted(beta=5.0, seed=7)
    gaps = [record["gap"] for record in one.report_["history"]]
    assert gaps[-1] < 0.01 < gaps[0]
    ends = [parser.report_["history"][-1]["objective"] for parser in (one, other)]
    assert abs(ends[0] - ends[1]) < 0.01 * ends[0]


def test_it_learns():
    assert fitted(epochs=40).score(DEV) > 0.95


def test_a_programme_that_is_not_solved_is_a_warning():
    with pytest.warns(HeadwiseWarning, match="not solved after 1 epochs: .* more epochs"):
        fitted(epochs=1, beta=0.01)


class Interrupting(TrainingCallback):
    """Presses Ctrl-C at the third report."""

    left = 3

    def progress(self, report) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)


def test_interrupted_and_resumed_is_as_if_nothing_had_happened(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 8)
    with pytest.raises(KeyboardInterrupt):
        fitted(checkpoint=tmp_path / "c", callback=Interrupting())
    resumed, whole = fitted(checkpoint=tmp_path / "c", resume=True), fitted()
    assert np.array_equal(resumed.tables_.weights, whole.tables_.weights)


@pytest.mark.parametrize(
    ("settings", "message"), [({"order": 2}, "arcs only"), ({"beta": 0.0}, "beta must be above 0")]
)
def test_what_cannot_be_is_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        fitted(**settings)


def test_the_command_line_trains_and_parses(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_sentences("train.conllu", TRAIN)
    options = ["--learner", "arc-margin", "--set", "features=pairs", "--set", "beta=10", "--set"]
    options += [
        "labels=none",
        "--epochs",
        "30",
        "--only",
        "parser",
        "--set",
        "tables.narrow=12",
        "--set",
        "tables.wide=8",
    ]
    assert run(["train", "train.conllu", "-o", "m", *options]) == 0
    assert "gap" in capsys.readouterr().out
    assert run(["parse", "train.conllu", "-m", "m", "-o", "own.conllu"]) == 0
    assert run(["evaluate", "train.conllu", "own.conllu"]) == 0
    assert Path("own.conllu").exists()

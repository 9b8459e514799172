"""Training: every learner learns, the best epoch is kept, and interruptions change nothing."""

import signal
from dataclasses import dataclass

import numpy as np
import pytest
from trainings import new_training

from headwise.errors import UsageError
from headwise.kernels.arcs.plausible import EVERYTHING
from headwise.learners import loop
from headwise.learners.base import Learner
from headwise.learners.development import Development
from toytreebank import toy_treebank


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 8)


@pytest.mark.parametrize("decoder", ["projective", "non-projective"])
@pytest.mark.parametrize("learner", ["mira", "factored-mira", "perceptron", "log-linear"])
def test_every_learner_lowers_its_loss_and_learns(learner, decoder):
    trained = new_training(learner=learner, decoder=decoder).run()
    losses = [record["loss"] for record in trained.history]
    assert losses[-1] < losses[0] / 3
    assert trained.history[trained.epoch - 1]["dev_uas"] > 98
    assert np.isfinite(trained.tables.weights).all()


@pytest.mark.parametrize("crossing", ["lift", "reorder"])
@pytest.mark.filterwarnings("ignore:.*have crossing arcs")
def test_crossing_trees_serve_projective_search(crossing):
    train, dev = toy_treebank(60, 1, crossing=0.3), toy_treebank(30, 2, crossing=0.3)
    trained = new_training(train=train, dev=dev, crossing=crossing).run()
    assert 90 < trained.history[-1]["dev_uas"] < 100
    free = new_training(train=train, dev=dev, decoder="non-projective").run()
    assert free.history[-1]["dev_uas"] > 99


def test_k_best_mira_learns():
    assert new_training(k=4).run().history[-1]["dev_uas"] > 98


@pytest.mark.parametrize(
    "chosen", [{"learner": "arc-margin"}, {"learner": "semisupervised", "lam": 0.0}]
)
def test_to_learners_of_all_arcs_all_are_plausible(chosen):
    """Word pairs of arcs that are far from right must be able to lose, too."""
    tables = new_training(**chosen).new_run().state.weights.tables
    assert tables.plausible.margin == EVERYTHING
    assert 0 < new_training().new_run().state.weights.tables.plausible.margin < EVERYTHING


@pytest.mark.parametrize("kept", ["best", "last"])
def test_the_epoch_that_is_kept(kept, monkeypatch):
    """Whatever dev says: here it says that the first epoch is best."""
    figures = iter((90.0, 80.0, 70.0))
    monkeypatch.setattr(Development, "scores", lambda *_: {"dev_uas": next(figures)})
    monkeypatch.setattr(Development, "compile_kernels", lambda *_: None)
    assert new_training(kept_epoch=kept).run().epoch == {"best": 1, "last": 3}[kept]


@pytest.mark.parametrize("learner", ["mira", "factored-mira", "perceptron", "log-linear"])
def test_features_of_gold_trees_alone_have_weights(learner):
    training = new_training(learner=learner, features_of="gold")
    tables = training.run().tables
    scorer = training.spec.scorer(tables).limited_to(training.data.encoded, training.data.golds)
    used = np.flatnonzero(tables.weights)
    assert len(used)
    of_gold = np.flatnonzero(scorer.known)
    assert set(used) <= {*of_gold, *(of_gold + 1)}  # weights of plain templates are kept twice
    every = np.count_nonzero(new_training(learner=learner).run().tables.weights)
    assert len(used) < every


@dataclass
class Forgetful(Learner):
    """Returns no loss."""

    def learn(self, example, weights):
        del example, weights


def test_a_learner_that_returns_no_loss_is_named():
    with pytest.raises(UsageError, match=r"Forgetful.learn must return the loss .* not None"):
        new_training(learner=Forgetful()).run()


def test_nothing_is_compiled_where_an_interrupt_would_have_to_wait(monkeypatch):
    """Kernels that score dev are called once before interrupts are only noted."""
    calls = []

    def noting(name):
        original = getattr(Development, name)

        def called(development, tables):
            calls.append((name, signal.getsignal(signal.SIGINT) is usual))
            return original(development, tables)

        return called

    usual = signal.getsignal(signal.SIGINT)
    for name in ("compile_kernels", "scores"):
        monkeypatch.setattr(Development, name, noting(name))
    new_training(epochs=2).run()
    assert calls == [("compile_kernels", True), ("scores", False), ("scores", False)]

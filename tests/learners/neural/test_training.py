"""Checkpoints of a network's training: one that is not of this training is refused."""

import os
import signal
import threading
import time
from collections import defaultdict
from dataclasses import replace
from functools import cache
from unittest import mock

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="training needs JAX (the extra neural)")
from trainings import Interrupting

from headwise.corpus.sample import read_sample
from headwise.errors import ModelError
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.neural import training
from headwise.learners.neural.development import NeuralDevelopment
from headwise.learners.neural.settings import DropoutRates, NetworkSizes, NeuralSettings
from headwise.learners.neural.training import NeuralTraining, StepSettings, jitted_step
from headwise.parsers.neural.parser import NeuralParser
from headwise.scoring.neural.vectors import quantised
from headwise.scoring.neural.vocabulary import Vocabulary
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.storage.modelfile import load_model, save_model

SIZES = NetworkSizes(words=8, hashed=4, tags=4, layers=1, units=8, arcs=8, relations=4, tagging=8)
EPOCHS = 3


@cache
def new_training() -> NeuralTraining:
    sentences = list(read_sample()) * 3
    vectors = quantised(("tea",), np.ones((1, 4), np.float32))
    parser = NeuralParser(sizes=SIZES, epochs=EPOCHS)
    parser.vocabulary_ = Vocabulary.of(sentences, vectors.words)
    parser.projective_ = parser.single_root_ = True
    return parser.prepared(sentences, sentences, vectors)[0]


def run(checkpoint, callback=None, *, resume=False):
    """A training whose steps change nothing: compiling real ones takes seconds."""
    one = new_training()
    one.checkpoint, one.callback = checkpoint, callback or TrainingCallback()
    steps = defaultdict(lambda: lambda weights, *_: (weights, 1.0))
    idle = mock.patch.object(NeuralTraining, "compiled_steps", return_value=steps)
    with idle, mock.patch.object(NeuralDevelopment, "scores", return_value={"dev_las": 50.0}):
        return one.run(resume=resume)[1]


@pytest.fixture
def checkpoint(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "c", Interrupting(1))
    return tmp_path / "c"


def test_an_interrupt_does_not_wait_for_the_compiler(monkeypatch):
    """It takes many seconds, in which there is nothing to save."""
    compiling, waited_for, sent = threading.Event(), threading.Event(), []

    def slow(*arguments):
        compiling.set()
        waited_for.wait(20)
        return arguments[0], 1.0

    def interrupt():
        compiling.wait(60)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(training, "jitted_step", lambda *_: jax.jit(slow))
    threading.Thread(target=interrupt).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            replace(new_training(), development=None).run()
        assert time.monotonic() - sent[0] < 10
    finally:
        waited_for.set()


def test_what_has_the_same_settings_is_compiled_once():
    """Of a step, that is; the number of epochs, or the seed, is none of them."""

    def step(**settings):
        decoder = ProjectiveDecoder(single_root=True)
        return jitted_step(StepSettings.of(NeuralSettings(**settings)), decoder)

    assert step(epochs=1, seed=3) is step(epochs=2)
    rates = DropoutRates(words=0.1)
    others = {"loss": "crf", "dropout": rates, "smoothing": 0.2, "learning_rate": 0.1,
              "neighbours": 0.1}  # fmt: skip
    for name, value in {**others, "weight_decay": 0.1, "averaging": 0.5}.items():
        assert step(**{name: value}) is not step(), name


def test_it_goes_on(checkpoint):
    assert [one["epoch"] for one in run(checkpoint, resume=True).history] == [1, 2, 3]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"position": 10**6}, "further than its training goes"),  # it would find no end
        ({"epoch": EPOCHS, "position": 1}, "further than its training goes"),
        ({"epoch": EPOCHS + 1}, "further than its training goes"),
        ({"steps": 2**40}, "further than its training goes"),
        ({"history": [{"epoch": 1}]}, "lacks dev_las of an epoch"),
        ({"history": [{"dev_las": "50"}]}, "lacks dev_las of an epoch"),
    ],
)
def test_what_cannot_be_of_this_training_is_refused(checkpoint, changes, message):
    model = load_model(checkpoint)
    model.settings.update({"epoch": 0, "position": 0, **changes})
    save_model(checkpoint, model, force=True)
    with pytest.raises(ModelError, match=message):
        run(checkpoint, resume=True)

"""Small trainings that take a moment."""

import os
import signal

from headwise.learners.callbacks import TrainingCallback
from headwise.learners.data import training_data
from headwise.learners.development import Development
from headwise.learners.settings import TrainingSettings
from headwise.learners.training import Training
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.templates import FeatureSet
from toytreebank import SMALL, toy_treebank

TRAIN, DEV = toy_treebank(60, 1), toy_treebank(30, 2)
FEATURES = FeatureSet.parse(
    ["distance h.tag m.tag", "plain h.word m.word", "distance h.tag b.tag m.tag"]
)
SPEC = FeatureSpec(FEATURES)


def new_training(checkpoint=None, dev=DEV, callback=None, train=TRAIN, **settings) -> Training:
    chosen = TrainingSettings(**{"tables": SMALL, "epochs": 3, **settings})
    encoder = AtomEncoder()
    data = training_data(train, chosen, encoder)
    development = dev and Development.of(dev, None, chosen, encoder, SPEC, data.single_root)
    return Training(chosen, SPEC, data, development, checkpoint, callback or TrainingCallback())


def killed(task) -> None:
    """What a process does whose memory the system takes away."""
    os.kill(os.getpid(), signal.SIGKILL)


class Interrupting(TrainingCallback):
    """Presses Ctrl-C at one of the reports."""

    def __init__(self, at: int, number: int = signal.SIGINT) -> None:
        self.at = at
        self.number = number

    def progress(self, report) -> None:
        self.at -= 1
        if self.at == 0:
            os.kill(os.getpid(), self.number)

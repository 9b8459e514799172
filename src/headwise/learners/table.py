"""THE table of learners. A learner is added by adding its file and a row here."""

from collections.abc import Callable

import numpy as np

from headwise.learners.arcmargin import ArcMargin, margin_starts
from headwise.learners.base import Learner
from headwise.learners.data import TrainingData
from headwise.learners.joint import JointMira, JointPerceptron
from headwise.learners.loglinear import LogLinear
from headwise.learners.mira import FactoredMira, Mira
from headwise.learners.perceptron import Perceptron
from headwise.learners.semisupervised import SemiSupervised
from headwise.learners.settings import TrainingSettings
from headwise.search.decoders.base import Decoder
from headwise.search.decoders.choice import decoder_of

Maker = Callable[[TrainingSettings, Decoder, TrainingData], Learner]

LEARNERS: dict[str, Maker] = {
    "mira": lambda chosen, decoder, data: Mira(decoder, chosen.k, chosen.most, chosen.augmented),
    "factored-mira": lambda chosen, decoder, data: FactoredMira(chosen.most),
    "perceptron": lambda chosen, decoder, data: Perceptron(decoder),
    "bayes-point": lambda chosen, decoder, data: Perceptron(decoder),
    "log-linear": lambda chosen, decoder, data: LogLinear(decoder, chosen.rate, chosen.decay),
    "arc-margin": lambda chosen, decoder, data: ArcMargin(chosen.beta, margin_starts(data)),
    "semisupervised": lambda chosen, decoder, data: SemiSupervised(
        decoder,
        chosen.alpha,
        chosen.lam,
        chosen.rate,
        chosen.targets,
        len(data),
        np.zeros(1, np.int64) if data.unlabelled is None else data.unlabelled.matrices,
    ),
}
"""How each is made from settings, a decoder, and what it will learn from."""


JOINT_LEARNERS: dict[str, Maker] = {
    "mira": lambda chosen, decoder, data: JointMira(
        decoder, chosen.k, chosen.most, chosen.augmented, chosen.loss == "labelled"
    ),
    "perceptron": lambda chosen, decoder, data: JointPerceptron(decoder, chosen.loss == "labelled"),
}
"""The same for learners of arcs and labels together."""


def learner_of(settings: TrainingSettings, data: TrainingData) -> Learner:
    """The learner that settings ask for."""
    decoder = decoder_of(
        projective=settings.decoder == "projective",
        higher=settings.is_higher,
        single_root=data.single_root,
    )
    learners = JOINT_LEARNERS if settings.labels == "joint" else LEARNERS
    return learners[settings.learner](settings, decoder, data)

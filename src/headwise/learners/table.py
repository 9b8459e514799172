"""THE table of learners. A learner is added by adding its file and a row here."""

from collections.abc import Callable

from headwise.decoders.base import Decoder
from headwise.decoders.climb import ClimbDecoder
from headwise.decoders.nonprojective import NonProjectiveDecoder
from headwise.decoders.projective import ProjectiveDecoder
from headwise.learners.base import Learner
from headwise.learners.joint import JointMira, JointPerceptron
from headwise.learners.loglinear import LogLinear
from headwise.learners.mira import FactoredMira, Mira
from headwise.learners.perceptron import Perceptron
from headwise.learners.settings import TrainingSettings

LEARNERS: dict[str, Callable[[TrainingSettings, Decoder], Learner]] = {
    "mira": lambda chosen, decoder: Mira(decoder, chosen.k, chosen.most, chosen.augmented),
    "factored-mira": lambda chosen, decoder: FactoredMira(chosen.most),
    "perceptron": lambda chosen, decoder: Perceptron(decoder),
    "bayes-point": lambda chosen, decoder: Perceptron(decoder),
    "log-linear": lambda chosen, decoder: LogLinear(decoder, chosen.rate, chosen.decay),
}
"""How each is made from settings and a decoder."""


JOINT_LEARNERS: dict[str, Callable[[TrainingSettings, Decoder], Learner]] = {
    "mira": lambda chosen, decoder: JointMira(
        decoder, chosen.k, chosen.most, chosen.augmented, chosen.loss == "labelled"
    ),
    "perceptron": lambda chosen, decoder: JointPerceptron(decoder, chosen.loss == "labelled"),
}
"""The same for learners of arcs and labels together."""


def learner_of(settings: TrainingSettings, single_root: bool) -> Learner:
    """The learner that settings ask for."""
    decoder: Decoder
    if settings.decoder == "projective":
        decoder = ProjectiveDecoder(single_root)
    elif settings.is_higher:
        decoder = ClimbDecoder(single_root)
    else:
        decoder = NonProjectiveDecoder(single_root)
    learners = JOINT_LEARNERS if settings.labels == "joint" else LEARNERS
    return learners[settings.learner](settings, decoder)

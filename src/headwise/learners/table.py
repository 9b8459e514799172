"""THE table of learners: a learner is added by its file and a row here.

Settings of learners have flat names beside the common ones, as `learner = "mira"`, `k = 5`: those
that the table's learners have are the fields of `LearnerSettings`.
"""

from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any

from headwise.errors import UsageError
from headwise.learners.base import Learner, Loss, StepBound, TargetName

LEARNERS = {
    "mira": "mira:Mira",
    "factored-mira": "mira:FactoredMira",
    "perceptron": "perceptron:Perceptron",
    "bayes-point": "perceptron:BayesPoint",
    "log-linear": "loglinear:LogLinear",
    "arc-margin": "arcmargin:ArcMargin",
    "semisupervised": "semisupervised:SemiSupervised",
}
"""Names, modules and classes."""


@dataclass(kw_only=True)
class LearnerSettings:
    """Settings of single learners; what is None has the learner's own default."""

    k: int | None = None
    loss: Loss | None = None
    augmented: bool | None = None
    c: StepBound | None = None
    rate: float | None = None
    decay: float | None = None
    beta: float | None = None
    alpha: float | None = None
    lam: float | None = None
    targets: TargetName | None = None
    members: int | None = None


OWN_NAMES = frozenset(one.name for one in fields(LearnerSettings))


def learner_class(name: str) -> type[Learner]:
    """The class of a learner."""
    if name not in LEARNERS:
        raise UsageError(f"there is no learner {name!r}; there are {', '.join(LEARNERS)}")
    module, _, cls = LEARNERS[name].partition(":")
    found: type[Learner] = getattr(import_module(f"headwise.learners.{module}"), cls)
    return found


def names_of_settings(learner: type[Learner] | Learner) -> list[str]:
    """The names of a learner's settings."""
    return [one.name for one in fields(learner) if one.init]


def made_learner(learner: str | Learner, given: dict[str, Any]) -> Learner:
    """The learner of a name, with settings that were given; or a learner as it is."""
    if isinstance(learner, Learner):
        if given:
            raise UsageError(f"{', '.join(given)}: the learner is given with its settings")
        return learner
    cls = learner_class(learner)
    for name in given:
        if name not in names_of_settings(cls):
            owners = [one for one in LEARNERS if name in names_of_settings(learner_class(one))]
            raise UsageError(f"{learner} has no {name}, which is of learner {' or '.join(owners)}")
    return cls(**given)

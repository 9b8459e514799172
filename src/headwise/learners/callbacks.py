"""Who wants to know how training goes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

TIMES = ("seconds", "words_per_second")
"""What records of epochs tell of the machine and not of the model."""


def without_times(records: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Records without times: the same training gives the same model, byte by byte."""
    return [{key: value for key, value in one.items() if key not in TIMES} for one in records]


class Report(NamedTuple):
    """How far training has come within an epoch, the first being 1."""

    epoch: int
    sentences: int
    words: int
    loss: float
    ends_epoch: bool

    def record(self, seconds: float) -> dict[str, Any]:
        """What is noted of an epoch that took so long."""
        return {
            "epoch": self.epoch,
            "loss": self.loss,
            "seconds": round(seconds, 3),
            "words_per_second": round(self.words / max(seconds, 1e-9)),
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """What a training is going to do.

    sentences, words: of an epoch, sentences without trees among them.
    rounds: epochs, or members of a machine that is trained member by member.
    history: the records of epochs that an earlier training has come to, if this one goes on.
    memory: about how many bytes it will need.
    """

    sentences: int
    words: int
    left_out: int
    rounds: int
    history: Sequence[dict[str, Any]]
    memory: int


class TrainingCallback:
    """Is told how training goes; subclasses listen to what they want to know."""

    def training(self, name: str, number: int, total: int, /) -> None:
        """One of several trainings begins, of which the best will be kept."""

    def stage(self, name: str, done: int, total: int, /) -> None:
        """Progress of another stage (a tagger, a pruner, labels …): `done` of `total`."""

    def begin(self, plan: Plan) -> None:
        """Training begins, or goes on."""

    def progress(self, report: Report) -> None:
        """Some sentences more were learnt from."""

    def epoch(self, record: dict[str, Any]) -> None:
        """An epoch, or the training of a member, has ended."""


@dataclass(frozen=True, slots=True)
class CallbackList(TrainingCallback):
    """Several callbacks, told one after the other."""

    callbacks: Sequence[TrainingCallback]

    def stage(self, name: str, done: int, total: int, /) -> None:
        for callback in self.callbacks:
            callback.stage(name, done, total)

    def begin(self, plan: Plan) -> None:
        for callback in self.callbacks:
            callback.begin(plan)

    def progress(self, report: Report) -> None:
        for callback in self.callbacks:
            callback.progress(report)

    def epoch(self, record: dict[str, Any]) -> None:
        for callback in self.callbacks:
            callback.epoch(record)

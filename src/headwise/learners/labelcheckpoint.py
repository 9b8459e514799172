"""How far a labeller has come in learning, and where it is kept, so that learning can go on."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError, SourceLocation
from headwise.learners.checkpoint import (
    checkpoint_exists,
    labels_path,
    read_state,
    restore_table,
    tolerating_full_disk,
    write_state,
)
from headwise.learners.labelsettings import LabellerSettings
from headwise.storage.modelfile import remove_model, reporting_damage
from headwise.storage.settings import LARGEST_INT, MAX_EPOCHS, MAX_MEMBERS, check_counts
from headwise.storage.sparse import pack_sparse

KIND = "labels-checkpoint"
TABLES = ("total", "table", "sums")


@dataclass(eq=False)
class LabelRun:
    """The state of learning; what happens from here on depends on nothing else.

    identity: what must be the same for learning to go on.
    total: the averaged weights of members that are finished, added up.
    table, sums, step: the weights of the one that is learning, which are whole numbers, and what
        their average needs.
    path: where it is kept, beside the checkpoint of its training; nowhere, if that is None.
    """

    identity: dict[str, Any]
    step: int = 0
    member: int = 0
    epoch: int = 0
    total: NDArray[np.float32] = field(init=False)
    table: NDArray[np.int16] = field(init=False)
    sums: NDArray[np.float64] = field(init=False)
    path: Path | None = field(init=False, default=None)
    has_saved: bool = field(init=False, default=False)

    @classmethod
    def at(
        cls,
        checkpoint: Path | None,
        identity: dict[str, Any],
        size: int,
        settings: LabellerSettings,
    ) -> "LabelRun":
        """Learning, in tables of 2^size weights, from where a run like it was, or from nothing."""
        run, arrays = cls(identity), None
        path = None if checkpoint is None else labels_path(checkpoint)
        if path is not None and checkpoint_exists(path):
            saved, model = read_state(path, cls, KIND)
            if saved.identity == identity:  # else it is of other settings: this one learns anew
                saved.check_end(path, settings)
                run, arrays = saved, model.arrays
        run.path, count = path, 1 << size
        run.total, run.table = np.zeros(count, np.float32), np.zeros(count, np.int16)
        run.sums = np.zeros(count)
        if arrays is not None:
            with reporting_damage("checkpoint", SourceLocation(str(path))):
                for name in TABLES:
                    restore_table(getattr(run, name), name, arrays)
        return run

    def check(self) -> None:
        bounds = {"step": LARGEST_INT, "member": MAX_MEMBERS, "epoch": MAX_EPOCHS}
        check_counts(self, {name: (0, maximum) for name, maximum in bounds.items()})

    def check_end(self, path: Path, settings: LabellerSettings) -> None:
        """Raise if it is further than it shall come: it would never come to an end."""
        if (self.member, self.epoch) > (settings.members, 0) or self.epoch >= settings.epochs:
            message = "is further than its training goes: begin anew with --force"
            raise ModelError(message, SourceLocation(str(path)))

    @property
    def name(self) -> str:
        """Where it is, for messages."""
        return f"epoch {self.epoch} of labeller {self.member + 1}"

    def end_member(self) -> None:
        """A member is finished: the next one begins with nothing."""
        self.total += (self.table - self.sums / max(self.step, 1)).astype(np.float32)
        self.table[:] = 0
        self.sums[:] = 0
        self.step, self.epoch, self.member = 0, 0, self.member + 1

    def save(self) -> None:
        """Keep it."""
        if self.path is not None:
            arrays: dict[str, NDArray[Any]] = {}
            for name in TABLES:
                arrays |= pack_sparse(name, getattr(self, name))
            write_state(self.path, self, arrays, KIND)
            self.has_saved = True

    def save_again(self) -> None:
        """Keep it as it is finished, if it was kept before: what took less is not worth it."""
        if self.has_saved:
            with tolerating_full_disk(self.name):
                self.save()


def forget_labels(checkpoint: Path) -> None:
    """Remove what is kept beside the checkpoint of a training, which begins anew."""
    remove_model(labels_path(checkpoint))

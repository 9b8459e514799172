"""How far a labeller has come in learning, and where it is kept, so that learning can go on."""

from collections.abc import Mapping
from dataclasses import dataclass
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
from headwise.storage.modelfile import remove_model, reporting_damage
from headwise.storage.settings import LARGEST_INT, MAX_EPOCHS, MAX_MEMBERS, check_counts
from headwise.storage.sparse import pack_sparse

KIND = "labels-checkpoint"


@dataclass(frozen=True, slots=True)
class StoredLabelRun:
    """What a checkpoint says of a labeller, besides its arrays."""

    identity: dict[str, Any]
    step: int
    member: int
    epoch: int

    def check(self) -> None:
        bounds = {"step": LARGEST_INT, "member": MAX_MEMBERS, "epoch": MAX_EPOCHS}
        check_counts(self, {name: (0, maximum) for name, maximum in bounds.items()})


@dataclass(eq=False)
class LabelRun:
    """The state of learning; what happens from here on depends on nothing else.

    total: the averaged weights of members that are finished, added up.
    table, sums, step: the weights of the one that is learning, which are whole numbers, and what
        their average needs.
    """

    total: NDArray[np.float32]
    table: NDArray[np.int16]
    sums: NDArray[np.float64]
    step: int = 0
    member: int = 0
    epoch: int = 0

    @classmethod
    def new(cls, size: int) -> "LabelRun":
        """Nothing learnt, in tables of 2^size weights."""
        count = 1 << size
        return cls(np.zeros(count, np.float32), np.zeros(count, np.int16), np.zeros(count))

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


@dataclass(eq=False)
class LabelCheckpoint:
    """Keeps a run beside the checkpoint of its training; nowhere, if that is None.

    identity: what must be the same for learning to go on.
    """

    checkpoint: Path | None
    identity: Mapping[str, Any]
    has_saved: bool = False

    def restore(self, run: LabelRun, members: int, epochs: int) -> None:
        """Bring a new run to where the one that is kept was, if there is one like it.

        One beyond `members` times `epochs` would never come to an end.
        """
        if self.checkpoint is None or not checkpoint_exists(labels_path(self.checkpoint)):
            return
        path = labels_path(self.checkpoint)
        saved, model = read_state(path, StoredLabelRun, KIND)
        if saved.identity != self.identity:
            return  # a training may go on with a labeller of other settings, which learns anew
        if (saved.member, saved.epoch) > (members, 0) or saved.epoch >= epochs:
            message = "is further than its training goes: begin anew with --force"
            raise ModelError(message, SourceLocation(str(path)))
        with reporting_damage("checkpoint", SourceLocation(str(path))):
            for name in ("total", "table", "sums"):
                restore_table(getattr(run, name), name, model.arrays)
        run.step, run.member, run.epoch = saved.step, saved.member, saved.epoch

    def save(self, run: LabelRun) -> None:
        """Keep a run."""
        if self.checkpoint is None:
            return
        arrays: dict[str, NDArray[Any]] = {}
        for name in ("total", "table", "sums"):
            arrays |= pack_sparse(name, getattr(run, name))
        said = StoredLabelRun(dict(self.identity), run.step, run.member, run.epoch)
        write_state(labels_path(self.checkpoint), said, arrays, KIND)
        self.has_saved = True

    def save_again(self, run: LabelRun) -> None:
        """Keep a run that is finished, if it was kept before: what took less is not worth it."""
        if self.has_saved:
            with tolerating_full_disk(run.name):
                self.save(run)


def forget_labels(checkpoint: Path) -> None:
    """Remove what is kept beside the checkpoint of a training, which begins anew."""
    remove_model(labels_path(checkpoint))

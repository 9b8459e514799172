"""Checkpoints: all of a training's state in a folder, from which it goes on bit by bit."""

import glob
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError, SourceLocation, UsageError, warn
from headwise.interrupt import noted_interrupts
from headwise.learners.loop import TrainingState
from headwise.scoring.linear.tables import WeightTables
from headwise.storage.arraychecks import check_array, check_weights
from headwise.storage.modelfile import (
    ModelFile,
    describe_model,
    load_model,
    remove_model,
    reporting_damage,
    save_model,
)
from headwise.storage.settings import LARGEST_INT, MAX_EPOCHS, check_counts, to_mapping
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import stored_settings
from headwise.storage.wholefolder import current_folder

T = TypeVar("T")
R = TypeVar("R", bound="Run")

KIND = "checkpoint"
LARGEST_SUM = 1e30
"""More than weights, summed over all steps, can be: NaN and infinity would mislead kernels."""
FORMAT = 4
"""Changed with what is saved, or with what it means: arcs have been rated since 4."""
CARD = "Training that is not finished. `headwise train … --resume` goes on from here.\n"

BETWEEN_CHECKPOINTS = 10.0
"""Seconds from one checkpoint to the next, at least …"""

TIMES_ITS_COST = 20.0
"""… and at least this many times the duration of a checkpoint, not to slow down training."""


@contextmanager
def checkpoints(save: Callable[[], None]) -> Iterator[Callable[[str], None]]:
    """Checkpoints of a training: yields what is called after each step, to be told which it was.

    It saves one if it is time, and if someone asked for an end, which comes after that.
    """
    due = time.monotonic() + BETWEEN_CHECKPOINTS
    with noted_interrupts() as interrupt:

        def after(step: str) -> None:
            nonlocal due
            if interrupt.signal_number is not None:
                save()
                interrupt.leave()
            start = time.monotonic()
            if start >= due:
                with tolerating_full_disk(step):
                    save()
                end = time.monotonic()
                due = end + max(BETWEEN_CHECKPOINTS, TIMES_ITS_COST * (end - start))

        yield after


@dataclass(eq=False)
class Run:
    """How far a training has come: what a checkpoint says of it, besides its arrays.

    identity: what must be the same for a training to go on.
    epoch, position: epochs that are done, and how far the next one is, which has taken `seconds` of
        learning and come to a `loss`.
    learner: names of what the learner remembers.
    """

    format: int
    identity: dict[str, Any]
    epoch: int
    position: int
    loss: float
    seconds: float
    steps: int
    learner: tuple[str, ...]
    history: tuple[dict[str, Any], ...]
    best_epoch: int

    @classmethod
    def start(cls, learner: tuple[str, ...] = ()) -> Self:
        """A training before its first step."""
        return cls(FORMAT, {}, 0, 0, 0.0, 0.0, 0, learner, (), 0)

    def check(self) -> None:
        whole = (0, LARGEST_INT)
        check_counts(self, {"epoch": (0, MAX_EPOCHS), "position": whole, "steps": whole})
        check_counts(self, {"best_epoch": (0, len(self.history))})


@dataclass(eq=False)
class LinearRun(Run):
    """A training of weights: its state, which knows how far it is, and the best weights so far."""

    state: TrainingState = field(init=False)
    best: WeightTables | None = field(init=False, default=None)


def save_checkpoint(path: Path, run: LinearRun) -> None:
    """Write all that a training is, whole or not at all."""
    state, weights = run.state, run.state.weights
    run.epoch, run.position, run.loss = state.epoch, state.position, state.loss
    run.steps, run.learner = weights.steps, tuple(sorted(state.learner.state()))
    arrays = pack_sparse("weights", weights.tables.weights)
    arrays |= pack_sparse("sums", weights.sums)
    arrays["filters"] = weights.tables.filters
    for name, array in state.learner.state().items():
        arrays |= pack_sparse(f"learner/{name}", array)
    if run.best is not None:
        arrays |= pack_sparse("best", run.best.weights)
        arrays["best-filters"] = run.best.filters
    write_state(path, run, arrays)


def write_state(
    path: Path, said: Any, arrays: Mapping[str, NDArray[Any]], kind: str = KIND
) -> None:
    """Write the state of a training, whole or not at all: a dataclass, and arrays."""
    save_model(path, ModelFile(kind, to_mapping(said), arrays, CARD), force=True)


def read_state(path: Path, cls: type[T], kind: str = KIND) -> tuple[T, ModelFile]:
    """A state that was written: the dataclass, checked, and the model that has the arrays."""
    model = load_model(path, kind)
    location = SourceLocation(str(path))
    return stored_settings(cls, model.settings, "checkpoint", location), model


def check_identity(path: Path, saved: Mapping[str, Any], identity: Mapping[str, Any]) -> None:
    """Raise if what was saved belongs to another training."""
    others = [name for name, value in identity.items() if saved.get(name) != value]
    if not others:
        return
    listed = [(name, differences(saved.get(name), identity[name])) for name in others]
    what = [f"{name} ({'; '.join(found)})" if found else name for name, found in listed]
    raise ModelError(
        f"belongs to a training with other {' and other '.join(what)}: train with the same, or "
        "begin anew with --force instead of --resume",
        SourceLocation(str(path)),
    )


def differences(saved: Any, value: Any, within: str = "") -> list[str]:
    """Which settings differ, if these are settings: `name: the saved value, now the other one`."""
    if not isinstance(saved, Mapping) or not isinstance(value, Mapping):
        return [f"{within}: {_shown(saved)}, now {_shown(value)}"] if within else []
    names = [name for name in {**value, **saved} if saved.get(name) != value.get(name)]
    return [
        text
        for name in names
        for text in differences(
            saved.get(name), value.get(name), f"{within}.{name}" if within else str(name)
        )
    ]


def _shown(value: Any) -> str:
    """A setting, in a message."""
    return value if isinstance(value, str) else json.dumps(value)


def check_checkpoint(path: Path, identity: Mapping[str, Any]) -> None:
    """Raise if a checkpoint belongs to another training, or to another version of Headwise."""
    stored_run(Run, path, describe_model(path).settings, identity)


def stored_run(
    cls: type[R], path: Path, settings: Mapping[str, Any], identity: Mapping[str, Any]
) -> R:
    """What a checkpoint says, if it belongs to this training and this version of Headwise."""
    if settings.get("format") != FORMAT:
        message = "is of another version of Headwise: begin anew with --force instead of --resume"
        raise ModelError(message, SourceLocation(str(path)))
    saved = stored_settings(cls, settings, "checkpoint", SourceLocation(str(path)))
    check_identity(path, saved.identity, identity)
    return saved


def best_score(history: Iterable[Mapping[str, Any]], name: str) -> float:
    """The best score of the epochs so far, all of which have it; -1 before the first."""
    scores = [one.get(name) for one in history]
    if not all(isinstance(score, float) for score in scores):
        raise ModelError(f"the checkpoint lacks {name} of an epoch: begin anew with --force")
    return max(map(float, scores), default=-1.0)  # type: ignore[arg-type]


@contextmanager
def tolerating_full_disk(after: str) -> Iterator[None]:
    """Write a checkpoint meanwhile; where a disk is full, training goes on without."""
    try:
        yield
    except UsageError as error:
        warn(f"no checkpoint after {after}: {error}")


def checkpoint_exists(path: Path) -> bool:
    """Whether there is a checkpoint, if only because its replacement was cut short."""
    return current_folder(path).exists()


def member_path(checkpoint: Path, number: int) -> Path:
    """Where the weights of a member of a machine are kept, counted from 1."""
    return checkpoint.with_name(f"{checkpoint.name}.{number}")


def member_paths(checkpoint: Path) -> list[Path]:
    """The members that are there."""
    start = len(checkpoint.name) + 1
    beside = checkpoint.parent.glob(f"{glob.escape(checkpoint.name)}.*")
    return [path for path in beside if path.name[start:].isdecimal() and path.is_dir()]


def labels_path(checkpoint: Path) -> Path:
    """Where the labeller is kept that belongs to a training."""
    return checkpoint.with_name(f"{checkpoint.name}.labels")


def call_path(checkpoint: Path) -> Path:
    """Where it is noted what a training that writes checkpoints is of."""
    return checkpoint.with_name(f"{checkpoint.name}.json")


def can_resume(checkpoint: Path) -> bool:
    """Whether there is something to go on from."""
    kept = checkpoint_exists(checkpoint) or checkpoint_exists(labels_path(checkpoint))
    return kept or bool(member_paths(checkpoint))


def removal_mark(checkpoint: Path) -> Path:
    """A file that stands beside a checkpoint while it is being removed."""
    return checkpoint.with_name(f"{checkpoint.name}.doomed")


def remove_checkpoint(checkpoint: Path) -> None:
    """Remove a checkpoint, its members, and what a killed writer left of them.

    Killed halfway, it leaves a mark, by which nobody takes the rest for a training to go on with.
    """
    removal_mark(checkpoint).touch()
    for path in (checkpoint, labels_path(checkpoint), *member_paths(checkpoint)):
        remove_model(path)
    removal_mark(checkpoint).unlink(missing_ok=True)


def finish_removal(checkpoint: Path) -> None:
    """Remove what is left of a checkpoint, if its removal was cut short."""
    if removal_mark(checkpoint).exists():
        remove_checkpoint(checkpoint)


def restored_checkpoint(path: Path, state: TrainingState, identity: Mapping[str, Any]) -> LinearRun:
    """The training of a checkpoint, whose state was one of the same identity before its start."""
    model = load_model(path, KIND)
    run = stored_run(LinearRun, path, model.settings, identity)
    run.state = state
    with reporting_damage("checkpoint", SourceLocation(str(path))):
        restore_arrays(model, run)
    state.weights.steps = run.steps
    state.epoch, state.position, state.loss = run.epoch, run.position, run.loss
    return run


def restore_arrays(model: ModelFile, run: LinearRun) -> None:
    """Weights, and what a learner remembers, as a checkpoint has them."""
    state, weights = run.state, run.state.weights
    tables = weights.tables
    restore_table(tables.weights, "weights", model.arrays)
    restore_table(weights.sums, "sums", model.arrays)
    tables.filters[:] = like(tables.filters, "filters", model.array("filters"))
    own = state.learner.state()
    state.learner.restore(
        {
            # What a new learner does not have yet is a number for each weight.
            name: unpacked_like(own.get(name, tables.weights), f"learner/{name}", model.arrays)
            for name in run.learner
        }
    )
    if run.best_epoch:
        best = unpacked_like(tables.weights, "best", model.arrays)
        filters = like(tables.filters, "best-filters", model.array("best-filters"))
        run.best = replace(tables, weights=best, filters=filters)


def restore_table(table: NDArray[Any], name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Fill a table with what was packed under a name."""
    table[:] = unpacked_like(table, name, arrays)


def unpacked_like(
    table: NDArray[Any], name: str, arrays: Mapping[str, NDArray[Any]]
) -> NDArray[Any]:
    """What was packed under a name, if it has the type and shape of a table."""
    return like(table, name, unpack_sparse(name, arrays, table.shape))


def like(table: NDArray[Any], name: str, found: NDArray[Any]) -> NDArray[Any]:
    """An array, if it has the type and shape of a table; numbers that sums of trees can hold."""
    check_array(name, found, table.dtype.type, table.shape)
    if found.dtype.kind == "f":
        check_weights(name, found, -LARGEST_SUM, LARGEST_SUM)
    return found


PIECE = 1 << 20
"""Rows of an array that are hashed at a time."""


def fingerprint(arrays: Iterable[NDArray[Any]]) -> str:
    """A hash of everything that is learnt from."""
    digest = hashlib.blake2b(digest_size=16)
    for array in arrays:
        for start in range(0, len(array), PIECE):  # arrays may be larger than memory
            digest.update(np.ascontiguousarray(array[start : start + PIECE]).tobytes())
    return digest.hexdigest()


def checksum(rows: Iterable[str]) -> str:
    """A short hash of some lines."""
    digest = hashlib.blake2b(digest_size=6)
    for row in rows:
        digest.update(row.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()

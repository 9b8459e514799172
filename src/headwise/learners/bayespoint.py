"""Bayes Point Machine (Corston-Oliver et al. 2006, figure 1).

Perceptrons that see the sentences in different orders end at different weights, all of them good;
their average is near the centre of the space of good weights, and better than most of them. The
members are trained in processes of their own.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import SourceLocation
from headwise.learners.checkpoint import (
    check_identity,
    checkpoint_exists,
    member_path,
    remove_checkpoint,
)
from headwise.learners.training import Trained, Training, settings_of_member
from headwise.processes.pools import in_processes, temporary_folder
from headwise.scoring.linear.tables import WeightTables
from headwise.storage.arraychecks import check_array, check_weights
from headwise.storage.modelfile import ModelFile, load_model, reporting_damage, save_model
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import stored_settings

Member = tuple[NDArray[Any], NDArray[Any]]
"""Its weights and filters."""

KIND = "member"
KILLED = (
    "a process that trained a member was killed: is there enough memory for these jobs? "
    "Finished members are kept, if there is a checkpoint"
)


@dataclass(frozen=True, slots=True)
class StoredMember:
    """What is kept of a finished member, besides its weights: of what training, and its record."""

    identity: dict[str, Any]
    record: dict[str, Any]


def train_machine(
    training: Training, *, jobs: int = 1, resume: bool = False
) -> tuple[Trained, list[dict[str, Any]]]:
    """Train the members, `jobs` processes at a time; their average, and what each reaches on dev.

    With a checkpoint, members that are finished are kept beside it, and resumed with.
    """
    count = training.settings.chosen_learner().members_apart
    training.callback.begin(training.plan(count, [], jobs))
    with member_folders(training.checkpoint, count, resume) as folders:
        tasks = [(member_of(training, number), folder) for number, folder in enumerate(folders)]
        records = {}
        for number, record in in_processes(train_member, tasks, jobs, killed=KILLED):
            records[number] = record
            training.callback.epoch({"member": number + 1, **record})
        tables = average((read_member(one, training) for one in folders), count, training)
    last: dict[str, Any] = {"epoch": training.settings.epochs}
    if training.development is not None:
        last |= training.development.scores(tables)
    training.callback.epoch(last)
    members = [records[number] for number in range(count)]
    return Trained(tables, training.settings.epochs, [last]), members


def member_of(training: Training, number: int) -> Training:
    """The training of one member: a perceptron with a seed of its own."""
    settings = settings_of_member(training.settings, number + 1)
    return Training(settings, training.spec, training.data, training.development)


@contextmanager
def member_folders(checkpoint: Path | None, count: int, resume: bool) -> Iterator[list[Path]]:
    """A folder for each member, beside the checkpoint's place."""
    if checkpoint is None:
        with temporary_folder() as folder:
            yield [folder / str(number) for number in range(count)]
        return
    if not resume:
        remove_checkpoint(checkpoint)
    yield [member_path(checkpoint, number + 1) for number in range(count)]


def train_member(task: tuple[Training, Path]) -> dict[str, Any]:
    """Train one member and write it into its folder, unless it is there; what it reaches."""
    training, folder = task
    identity = {**training.identity(), "number of epochs": training.settings.epochs}
    if checkpoint_exists(folder):
        saved = load_model(folder, KIND).settings
        member = stored_settings(StoredMember, saved, "member", SourceLocation(str(folder)))
        check_identity(folder, member.identity, identity)
        return member.record
    trained = training.run()
    best = trained.history[trained.epoch - 1]
    arrays = pack_sparse("weights", trained.tables.weights)
    arrays["filters"] = trained.tables.filters
    save_model(folder, ModelFile(KIND, {"identity": identity, "record": best}, arrays, ""))
    return best


def read_member(folder: Path, training: Training) -> Member:
    """The weights and filters of a trained member, if they are of the shape of its training."""
    model, shapes = load_model(folder, KIND), training.spec.shapes(training.settings.tables)
    with reporting_damage("member", SourceLocation(str(folder))):
        weights = unpack_sparse("weights", model.arrays, shapes[0])
        check_array("weights", weights, np.float32, shapes[0])
        check_weights("weights", weights)
        check_array("filters", model.array("filters"), np.uint8, shapes[1])
    return weights, model.array("filters")


def average(members: Iterable[Member], count: int, training: Training) -> WeightTables:
    """The mean of the members' weights; a pair of words is seen if any of them has seen it."""
    own, seen = next(rest := iter(members))
    weights, filters = own / np.float32(count), seen.copy()
    for own, seen in rest:
        weights += own / np.float32(count)
        filters |= seen
    tables = WeightTables(training.settings.tables, weights, filters)
    return replace(tables, plausible=training.plausible_arcs())

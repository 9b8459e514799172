"""Bayes Point Machine (Corston-Oliver et al. 2006; paper 001, figure 1).

Perceptrons that see the sentences in different orders end at different weights, all of them good;
their average is near the centre of the space of good weights, and better than most of them. The
members are trained in processes of their own.
"""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from headwise.features.tables import WeightTables
from headwise.learners.checkpoint import fingerprint
from headwise.learners.training import Trained, Training
from headwise.modelfile import ModelFile, load_model, save_model
from headwise.sparse import pack_sparse, unpack_sparse

KIND = "member"


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """A trained machine, and what each of its members reaches on dev."""

    trained: Trained
    members: list[dict[str, Any]]


def train_machine(training: Training, *, jobs: int = 1, resume: bool = False) -> Machine:
    """Train the members, in so many processes at a time, and average their weights."""
    count = training.settings.members
    with member_folders(training.checkpoint, count, resume) as folders:
        tasks = [(member_of(training, number), folders[number]) for number in range(count)]
        records = []
        for number, record in enumerate(trained_members(tasks, jobs)):
            records.append(record)
            training.watcher.epoch({"member": number + 1, **record})
        tables = average([read_member(folder) for folder in folders], training)
    score = training.dev_score(tables) if training.dev_score else None
    history = [{"epoch": training.settings.epochs, "dev_uas": score}]
    return Machine(Trained(tables, training.settings.epochs, history), records)


def member_of(training: Training, number: int) -> Training:
    """The training of one member: a perceptron with a seed of its own."""
    settings = replace(training.settings, seed=training.settings.seed * 1000 + number)
    return Training(settings, training.features, training.data, training.dev_score)


@contextmanager
def member_folders(checkpoint: Path | None, count: int, resume: bool) -> Iterator[list[Path]]:
    """A folder for each member, beside the checkpoint's place; gone when all went well."""
    if checkpoint is None:
        with tempfile.TemporaryDirectory() as folder:
            yield [Path(folder) / str(number) for number in range(count)]
        return
    folders = [checkpoint.with_name(f"{checkpoint.name}.{n + 1}") for n in range(count)]
    if not resume:
        remove(folders)
    yield folders
    remove(folders)


def remove(folders: Sequence[Path]) -> None:
    """Remove what members have left."""
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


Task = tuple[Training, Path]


def trained_members(tasks: Sequence[Task], jobs: int) -> Iterator[dict[str, Any]]:
    """Train the members that are not finished; what each reaches, in order."""
    if jobs == 1:
        yield from map(train_member, tasks)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            yield from pool.map(train_member, tasks)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def train_member(task: Task) -> dict[str, Any]:
    """Train one member and write it into its folder, unless it is there; what it reaches."""
    training, folder = task
    name = {"sentences": fingerprint(training.data), "seed": training.settings.seed}
    if folder.exists():
        saved = load_model(folder, KIND).settings
        if saved["name"] == name:
            record: dict[str, Any] = saved["record"]
            return record
    trained = training.run()
    best = max(trained.history, key=lambda one: one.get("dev_uas", one["epoch"]))
    arrays = pack_sparse("weights", trained.tables.weights)
    arrays["filters"] = trained.tables.filters
    model = ModelFile(KIND, {"name": name, "record": best}, arrays, "")
    save_model(folder, model, force=True)
    return best


def read_member(folder: Path) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The weights and filters of a trained member."""
    model = load_model(folder, KIND)
    return unpack_sparse("weights", model.arrays), model.array("filters")


def average(
    members: Sequence[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]], training: Training
) -> WeightTables:
    """The mean of the members' weights; a pair of words is seen if any of them has seen it."""
    weights = np.zeros_like(members[0][0])
    filters = np.zeros_like(members[0][1])
    for own, seen in members:
        weights += own / np.float32(len(members))
        filters |= seen
    return WeightTables(training.settings.tables, weights, filters)

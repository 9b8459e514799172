"""Checkpoints: all of a training's state in a folder, from which it goes on bit by bit."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError, Place
from headwise.features.tables import TableSizes, WeightTables
from headwise.learners.data import TrainingData
from headwise.learners.loop import TrainingState
from headwise.modelfile import ModelFile, load_model, save_model
from headwise.sparse import pack_sparse, unpack_sparse

KIND = "checkpoint"
CARD = "Training that is not finished. `headwise train … --resume` goes on from here.\n"


@dataclass(eq=False)
class Run:
    """A training: its state, what each epoch came to, and the best weights so far."""

    state: TrainingState
    history: list[dict[str, Any]] = field(default_factory=list)
    best_epoch: int = 0
    best: WeightTables | None = None


def save_checkpoint(path: Path, run: Run, identity: Mapping[str, Any]) -> None:
    """Write all that a training is, whole or not at all."""
    state, weights = run.state, run.state.weights
    arrays = pack_sparse("weights", weights.tables.weights)
    arrays |= pack_sparse("sums", weights.sums)
    arrays["filters"] = weights.tables.filters
    for name, array in state.learner.state().items():
        arrays |= pack_sparse(f"learner/{name}", array)
    if run.best is not None:
        arrays |= pack_sparse("best", run.best.weights)
        arrays["best-filters"] = run.best.filters
    settings = {
        "identity": dict(identity),
        "epoch": state.epoch,
        "position": state.position,
        "loss": state.loss,
        "steps": weights.steps,
        "learner": sorted(state.learner.state()),
        "history": run.history,
        "best_epoch": run.best_epoch,
    }
    save_model(path, ModelFile(KIND, settings, arrays, CARD), force=True)


def restore_checkpoint(path: Path, run: Run, identity: Mapping[str, Any]) -> None:
    """Bring a new training to where an old one of the same identity was."""
    model = load_model(path, KIND)
    saved = model.settings
    for name, value in identity.items():
        if saved["identity"].get(name) != value:
            raise ModelError(
                f"belongs to a training with other {name}: train with the same, or without "
                "--resume",
                Place(str(path)),
            )
    state, weights = run.state, run.state.weights
    weights.tables.weights[:] = unpack_sparse("weights", model.arrays)
    weights.sums[:] = unpack_sparse("sums", model.arrays)
    weights.tables.filters[:] = model.array("filters")
    weights.steps = saved["steps"]
    state.learner.restore(
        {name: unpack_sparse(f"learner/{name}", model.arrays) for name in saved["learner"]}
    )
    state.epoch, state.position, state.loss = saved["epoch"], saved["position"], saved["loss"]
    run.history, run.best_epoch = saved["history"], saved["best_epoch"]
    if run.best_epoch:
        sizes: TableSizes = weights.tables.sizes
        best = unpack_sparse("best", model.arrays)
        run.best = WeightTables(sizes, best, model.array("best-filters"))


def fingerprint(data: TrainingData) -> str:
    """A hash of everything that is learnt from."""
    digest = hashlib.blake2b(digest_size=16)
    tokens = data.encoded.tokens
    arrays: list[NDArray[Any]] = [data.encoded.starts, *tokens, *data.golds, *data.costs]
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()

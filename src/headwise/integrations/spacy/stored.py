"""A model inside a spaCy pipeline: loaded when first used, saved and pickled with the pipeline."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import srsly

from headwise.pipeline.models import as_pipeline, model_path
from headwise.pipeline.pipeline import Pipeline
from headwise.processes.pools import temporary_folder

CONFIG = "config.json"
"""The file of a model that changes whenever the model does."""


class ModelHolder:
    """Has a model: by name or folder until it is needed, or restored from what spaCy saved.

    A saved pipeline is restored on machines that do not have the folder its configuration names,
    so nothing is loaded before it is asked for.
    """

    def __init__(self, model: str | None) -> None:
        """`model` is a folder or the name of an included model; None is the default model."""
        self.model = model
        self.restored: Pipeline | None = None

    @property
    def pipeline(self) -> Pipeline:
        """The model."""
        return self.restored if self.restored is not None else shared_model(self.model)

    def stored(self) -> Pipeline:
        """What is saved of the model."""
        return self.pipeline

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:  # noqa: ARG002, RUF100
        """Save the model as a folder."""
        self.stored().save(path, force=True)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "ModelHolder":  # noqa: ARG002, RUF100
        """Load what `to_disk` saved."""
        self.restored = as_pipeline(Path(path))
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The model as bytes."""
        with temporary_folder() as scratch:
            folder = scratch / (self.pipeline.name or "model")
            self.to_disk(folder, exclude=exclude)
            files = {one.name: one.read_bytes() for one in folder.iterdir()}
        packed: bytes = srsly.msgpack_dumps({"name": self.pipeline.name, "files": files})
        return packed

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "ModelHolder":
        """Load what `to_bytes` gave."""
        packed = srsly.msgpack_loads(data)
        with temporary_folder() as scratch:
            folder = scratch / Path(packed["name"] or "model").name
            folder.mkdir()
            for name, content in packed["files"].items():
                (folder / Path(name).name).write_bytes(content)
            return self.from_disk(folder, exclude=exclude)


def shared_model(model: str | None) -> Pipeline:
    """A model by name or folder; a tokenizer and a component of one model share it."""
    folder = model_path(model)
    config = folder / CONFIG
    changed = config.stat().st_mtime_ns if config.exists() else 0
    return _loaded(folder.resolve(), changed)


@lru_cache(maxsize=2)
def _loaded(folder: Path, changed: int) -> Pipeline:  # noqa: ARG001, RUF100 - `changed` is a key
    return as_pipeline(folder)

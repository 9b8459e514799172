"""Models by path or by name, whatever their kind, and the one that comes with the package.

Reading a model takes about as long as importing Numba, which is needed to use it: the two are done
side by side.
"""

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from threading import Thread
from types import NoneType
from typing import TYPE_CHECKING, overload

from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.storage.modelfile import ModelFile, load_model, reporting_damage
from headwise.storage.sparse import unpack_all

if TYPE_CHECKING:
    from headwise.parsers.base import Parser
    from headwise.pipeline.pipeline import Pipeline

EMBEDDED = Path(__file__).parents[1] / "embedded"
"""Where the models are that come with the package: a folder each."""

DEFAULT = "en"

Reading = Future[tuple[Path, ModelFile]]
"""A model that is being read, with its folder."""


@overload
def load(path: None = None, *, device: str = "cpu") -> "Pipeline": ...
@overload
def load(path: str | Path, *, device: str = "cpu") -> "Parser | Pipeline": ...
def load(path: str | Path | None = None, *, device: str = "cpu") -> "Parser | Pipeline":
    """Load a model, whatever it is: a folder, or by its name one that comes with the package.

    Without a name it is the English one. `device` says where a neural parser computes its scores:
    on the `cpu`, on `cuda`, or (`auto`) on an accelerator if JAX finds one.
    """
    reading = begin_reading(path)
    pipeline, (_, model) = as_pipeline(path, reading), reading.result()
    pipeline.use_device(device)
    return pipeline.parser if pipeline.parser and model.kind == pipeline.parser.kind else pipeline


def as_pipeline(path: str | Path | None = None, reading: Reading | None = None) -> "Pipeline":
    """A model as a pipeline; a parser alone is a pipeline without other stages.

    `reading` is what `begin_reading` gave, if the caller has begun to read the model.
    """
    reading = reading or begin_reading(path)
    from headwise.pipeline.storage import pipeline_of

    folder, model = reading.result()
    return pipeline_of(model, folder)


def begin_reading(path: str | Path | None = None) -> Reading:
    """Read a model in a thread while the caller imports what it needs to work with it."""
    folder, reading = model_path(path), Reading()

    def read() -> None:
        try:
            reading.set_result((folder, read_unpacked(folder)))
        except BaseException as error:
            reading.set_exception(error)

    Thread(target=read, daemon=True).start()  # an interrupt does not wait for it
    return reading


def read_unpacked(folder: Path) -> ModelFile:
    """A model whose tables are unpacked: what takes long of the work of loading it."""
    model = load_model(folder)
    with reporting_damage(model.kind, SourceLocation(str(folder))):
        return replace(model, arrays=unpack_all(model.arrays))


def model_path(path: str | Path | None = None) -> Path:
    """The folder of a model. A folder goes before a model of the package with the same name."""
    if not isinstance(path, str | Path | NoneType):
        raise UsageError(f"a model is a folder or a name, not {type(path).__name__}")
    name = DEFAULT if path is None else str(path)
    if path is not None and name.strip() and Path(path).exists():  # an empty path is "."
        return Path(path)
    if name not in embedded_names():
        raise ModelError(WITHOUT_DEFAULT) if path is None else UsageError(no_model(name))
    return EMBEDDED / name


WITHOUT_DEFAULT = (
    f"this copy of Headwise comes without its model {DEFAULT!r}: train one of your own "
    "(headwise train) and say where it is (--model, or headwise.load), or get a release"
)


def no_model(name: str) -> str:
    """The message for a model that does not exist: it lists those that do."""
    there = ", ".join(embedded_names()) or "none"
    return (
        f"there is no model {name!r}: give the folder of a model that you have trained (headwise "
        f"train), or the name of one that comes with Headwise ({there})"
    )


def embedded_names() -> list[str]:
    """The names of the models that come with the package."""
    return sorted(one.name for one in EMBEDDED.iterdir()) if EMBEDDED.is_dir() else []

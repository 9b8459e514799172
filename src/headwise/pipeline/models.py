"""Models by path or by name, whatever their kind, and the one that comes with the package.

To read a model takes about as long as to import Numba for those who work with it: the two are done
side by side.
"""

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from threading import Thread
from types import NoneType
from typing import TYPE_CHECKING, overload

from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.storage.modelfile import ModelFile, holding_together, load_model
from headwise.storage.sparse import unpack_all

if TYPE_CHECKING:
    from headwise.parsers.base import Parser
    from headwise.pipeline.pipeline import Pipeline

EMBEDDED = Path(__file__).parents[1] / "embedded"
"""Where the models are that come with the package: a folder each."""

DEFAULT = "en"


@overload
def load(path: None = None) -> "Pipeline": ...
@overload
def load(path: str | Path) -> "Parser | Pipeline": ...
def load(path: str | Path | None = None) -> "Parser | Pipeline":
    """Load a model, whatever it is: a folder, or by its name one that comes with the package.

    Without a name it is the English one.
    """
    reading = begin_reading(path)
    from headwise.parsers.graph import storage  # noqa: F401 - most models have a parser of this kind
    from headwise.parsers.registry import parser_of_model
    from headwise.pipeline.storage import KIND, pipeline_of

    model, folder = reading.result(), model_path(path)
    if model.kind == KIND:
        return pipeline_of(model, folder)
    return parser_of_model(model, SourceLocation(str(folder)))


def as_pipeline(
    path: str | Path | None = None, reading: Future[ModelFile] | None = None
) -> "Pipeline":
    """A model as a pipeline, which a parser alone is too: it has no other stages.

    Who has begun to read it says so (`reading`).
    """
    reading = reading or begin_reading(path)
    from headwise.parsers.graph import storage  # noqa: F401 - as above
    from headwise.pipeline.storage import pipeline_of

    return pipeline_of(reading.result(), model_path(path))


def begin_reading(path: str | Path | None = None) -> Future[ModelFile]:
    """Read a model in a thread while the caller imports what it needs to work with it."""
    folder, reading = model_path(path), Future[ModelFile]()

    def read() -> None:
        try:
            reading.set_result(read_unpacked(folder))
        except BaseException as error:
            reading.set_exception(error)

    Thread(target=read, daemon=True).start()  # who is interrupted does not wait for it
    return reading


def read_unpacked(folder: Path) -> ModelFile:
    """A model whose tables are unpacked: what takes long of the work of loading it."""
    model = load_model(folder)
    with holding_together(model.kind, SourceLocation(str(folder))):
        return replace(model, arrays=unpack_all(model.arrays))


def model_path(path: str | Path | None = None) -> Path:
    """The folder of a model. A folder goes before a model of the package with the same name."""
    if not isinstance(path, str | Path | NoneType):
        raise UsageError(f"a model is a folder or a name, not {type(path).__name__}")
    name = DEFAULT if path is None else str(path)
    if path is not None and name.strip() and Path(path).exists():  # the path of no name is "."
        return Path(path)
    if name not in embedded_names():
        raise ModelError(WITHOUT_DEFAULT) if path is None else UsageError(no_model(name))
    return EMBEDDED / name


WITHOUT_DEFAULT = (
    f"this copy of Headwise comes without its model {DEFAULT!r}: train one of your own "
    "(headwise train) and say where it is (--model, or headwise.load), or get a release"
)


def no_model(name: str) -> str:
    """What is wrong if there is no such model, and what there is instead."""
    there = ", ".join(embedded_names()) or "none"
    return (
        f"there is no model {name!r}: give the folder of a model that you have trained (headwise "
        f"train), or the name of one that comes with Headwise ({there})"
    )


def embedded_names() -> list[str]:
    """The names of the models that come with the package."""
    return sorted(one.name for one in EMBEDDED.iterdir()) if EMBEDDED.is_dir() else []

"""Models by path or by name, whatever their kind, and the one that comes with the package."""

from pathlib import Path
from typing import TYPE_CHECKING, overload

from headwise.errors import ModelError, Place
from headwise.parserkinds import parser_of_model
from headwise.pipeline import Pipeline
from headwise.pipelinefile import KIND, load_pipeline
from headwise.storage.modelfile import describe_model, load_model

if TYPE_CHECKING:
    from headwise.parserkinds import Parser

EMBEDDED = Path(__file__).parent / "embedded"
"""Where the models are that come with the package: a folder each."""

DEFAULT = "en"


@overload
def load(path: None = None) -> Pipeline: ...
@overload
def load(path: str | Path) -> "Parser | Pipeline": ...
def load(path: str | Path | None = None) -> "Parser | Pipeline":
    """Load a model, whatever it is: a folder, or by its name one that comes with the package.

    Without a name it is the English one.
    """
    folder = model_path(path)
    if describe_model(folder).kind == KIND:
        return load_pipeline(folder)
    return parser_of_model(load_model(folder), Place(str(folder)))


def as_pipeline(path: str | Path | None = None) -> Pipeline:
    """A model as a pipeline, which a parser alone is too: it has no other stages."""
    return load_pipeline(model_path(path))


def model_path(path: str | Path | None = None) -> Path:
    """The folder of a model. A folder goes before a model of the package with the same name."""
    if path is not None and (Path(path).exists() or str(path) not in embedded_names()):
        return Path(path)
    folder = EMBEDDED / str(path or DEFAULT)
    if not folder.is_dir():
        raise ModelError(
            f"this copy of Headwise comes without its model {folder.name!r}: train one of your own "
            "(headwise train) and say where it is (--model, or headwise.load), or get a release"
        )
    return folder


def embedded_names() -> list[str]:
    """The names of the models that come with the package."""
    return sorted(one.name for one in EMBEDDED.iterdir()) if EMBEDDED.is_dir() else []

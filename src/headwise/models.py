"""Models by path or by name, whatever their kind, and the one that comes with the package."""

from collections.abc import Callable
from pathlib import Path
from typing import overload

from headwise.boosting.storage import load_boosted
from headwise.errors import ModelError, Place
from headwise.lexical.storage import load_lexical
from headwise.margins.storage import load_margins
from headwise.modelfile import describe_model
from headwise.parserfile import load_parser
from headwise.parserkinds import Parser
from headwise.pipeline import Pipeline
from headwise.pipelinefile import load_pipeline

LOADERS: dict[str, Callable[[str | Path], Parser | Pipeline]] = {
    "parser": load_parser,
    "lexical": load_lexical,
    "margins": load_margins,
    "boosting": load_boosted,
    "pipeline": load_pipeline,
}
"""THE table of kinds of models that can be loaded. A kind is added by adding a row here."""

EMBEDDED = Path(__file__).parent / "embedded"
"""Where the models are that come with the package: a folder each."""

DEFAULT = "en"


@overload
def load(path: None = None) -> Pipeline: ...
@overload
def load(path: str | Path) -> Parser | Pipeline: ...
def load(path: str | Path | None = None) -> Parser | Pipeline:
    """Load a model, whatever it is: a folder, or by its name one that comes with the package.

    Without a name it is the English one.
    """
    folder = model_path(path)
    kind = describe_model(folder).kind
    if kind not in LOADERS:
        raise ModelError(f"is a {kind}: nothing that parses", Place(str(folder)))
    return LOADERS[kind](folder)


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

"""THE table of kinds of models that can be loaded. A kind is added by adding a row here."""

from collections.abc import Callable
from pathlib import Path

from headwise.errors import ModelError, Place
from headwise.modelfile import describe_model
from headwise.parser import DependencyParser
from headwise.parserfile import load_parser

LOADERS: dict[str, Callable[[str | Path], DependencyParser]] = {"parser": load_parser}
"""How a model of each kind is loaded."""


def load(path: str | Path) -> DependencyParser:
    """Load a model, whatever it is."""
    kind = describe_model(path).kind
    if kind not in LOADERS:
        raise ModelError(f"is a {kind}: nothing that parses", Place(str(path)))
    return LOADERS[kind](path)

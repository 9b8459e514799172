"""The kinds of parsers there are, whose classes say how they become models and come back.

The code of a kind is imported when there is one to work with.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from headwise.errors import ModelError, SourceLocation
from headwise.storage.modelfile import ModelFile, Storage

if TYPE_CHECKING:
    from headwise.parsers.boosting.parser import BoostedParser
    from headwise.parsers.graph.parser import DependencyParser
    from headwise.parsers.lexical.parser import LexicalParser
    from headwise.parsers.linkmargin.parser import LinkMarginParser

    Parser: TypeAlias = DependencyParser | LexicalParser | LinkMarginParser | BoostedParser

DEFAULT = "parser"
PARSERS = {
    DEFAULT: "graph.parser:DependencyParser",
    "boosting": "boosting.parser:BoostedParser",
    "lexical": "lexical.parser:LexicalParser",
    "link-margin": "linkmargin.parser:LinkMarginParser",
}
"""THE table of kinds of parsers: the kind of their models, their module and their class."""


def storage_of(kind: str) -> "Storage[Parser]":
    """How parsers of a kind become models, and come back."""
    module, _, name = PARSERS[kind].partition(":")
    storage: Storage[Parser] = getattr(import_module(f"headwise.parsers.{module}"), name).storage()
    return storage


def model_of_parser(parser: "Parser") -> ModelFile:
    """A parser of any kind as a model."""
    storage: Storage[Any] = parser.storage()
    return storage.to_model(parser, None)


def not_parsing(kind: str, location: SourceLocation) -> ModelError:
    """The error of a model that finds no heads."""
    other = "; headwise constituency parse reads it" if kind.startswith("constituency") else ""
    return ModelError(f"is a {kind}: no dependency parser{other}", location)


def parser_of_model(model: ModelFile, location: SourceLocation) -> "Parser":
    """The parser that a model is; `location` is for messages."""
    if model.kind not in PARSERS:
        raise not_parsing(model.kind, location)
    return storage_of(model.kind).of_model(model, location)

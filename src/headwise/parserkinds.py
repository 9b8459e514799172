"""The kinds of parsers there are: their classes, how they become models and come back.

The code of a kind is imported when there is one to work with.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from headwise.errors import ModelError, Place
from headwise.modelfile import ModelFile

if TYPE_CHECKING:
    from headwise.lexical.parser import LexicalParser
    from headwise.parser import DependencyParser

    Parser = DependencyParser | LexicalParser

DEFAULT = "parser"


def _dependency_parser() -> "Storage":
    from headwise.parserfile import parser_model, parser_of

    return parser_model, parser_of


def _lexical_parser() -> "Storage":
    from headwise.lexical.storage import lexical_model, lexical_of

    return lexical_model, lexical_of


Storage = tuple[Callable[[Any], ModelFile], Callable[[ModelFile, Place], "Parser"]]
"""What makes a model of a parser, and a parser of a model."""

PARSERS: dict[str, tuple[str, Callable[[], Storage]]] = {
    DEFAULT: ("DependencyParser", _dependency_parser),
    "lexical": ("LexicalParser", _lexical_parser),
}
"""THE table of kinds of parsers, by the kind of their models: their class, and how they are stored.

One is added by adding a row.
"""


def model_of_parser(parser: "Parser") -> ModelFile:
    """A parser of any kind as a model."""
    (storage,) = (find for name, find in PARSERS.values() if type(parser).__name__ == name)
    return storage()[0](parser)


def parser_of_model(model: ModelFile, place: Place) -> "Parser":
    """The parser that a model is; `place` is for messages."""
    if model.kind not in PARSERS:
        raise ModelError(f"is a {model.kind}: nothing that parses", place)
    return PARSERS[model.kind][1]()[1](model, place)

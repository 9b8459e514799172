"""The kinds of parsers there are: their classes, how they become models and come back.

The code of a kind is imported when there is one to work with.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from headwise.errors import ModelError, Place
from headwise.modelfile import ModelFile

if TYPE_CHECKING:
    from headwise.boosting.parser import BoostedParser
    from headwise.lexical.parser import LexicalParser
    from headwise.margins.parser import MarginParser
    from headwise.parser import DependencyParser

    Parser: TypeAlias = DependencyParser | LexicalParser | MarginParser | BoostedParser


@dataclass(frozen=True, slots=True)
class ParserKind:
    """A kind of parsers, by names: its class; and a module with its storage.

    to_model makes a model of a parser, of_model a parser of a model.
    """

    kind: str
    module: str
    to_model: str
    of_model: str

    def storage(self, function: str) -> Any:
        """A function of the storage."""
        return getattr(import_module(f"headwise.{self.module}"), function)


DEFAULT = "parser"
PARSERS: dict[str, ParserKind] = {
    DEFAULT: ParserKind("DependencyParser", "parserfile", "parser_model", "parser_of"),
    "boosting": ParserKind("BoostedParser", "boosting.storage", "boosted_model", "boosted_of"),
    "lexical": ParserKind("LexicalParser", "lexical.storage", "lexical_model", "lexical_of"),
    "margins": ParserKind("MarginParser", "margins.storage", "margins_model", "margins_of"),
}
"""THE table of kinds of parsers, by the kind of their models. One is added by adding a row."""


def model_of_parser(parser: "Parser") -> ModelFile:
    """A parser of any kind as a model."""
    (found,) = (one for one in PARSERS.values() if type(parser).__name__ == one.kind)
    model: ModelFile = found.storage(found.to_model)(parser)
    return model


def not_parsing(kind: str, place: Place) -> ModelError:
    """The error of a model that finds no heads."""
    other = "; headwise constituency parse reads it" if kind.startswith("constituency") else ""
    return ModelError(f"is a {kind}: no dependency parser{other}", place)


def parser_of_model(model: ModelFile, place: Place) -> "Parser":
    """The parser that a model is; `place` is for messages."""
    if model.kind not in PARSERS:
        raise not_parsing(model.kind, place)
    found = PARSERS[model.kind]
    parser: Parser = found.storage(found.of_model)(model, place)
    return parser

"""The kinds of parsers there are, each with a class, and how it becomes a model and comes back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from headwise import parserfile
from headwise.boosting import storage as boostedfile
from headwise.boosting.parser import BoostedParser
from headwise.errors import ModelError, Place
from headwise.lexical import storage as lexicalfile
from headwise.lexical.parser import LexicalParser
from headwise.margins import storage as marginfile
from headwise.margins.parser import MarginParser
from headwise.modelfile import ModelFile
from headwise.parser import DependencyParser

Parser = DependencyParser | LexicalParser | MarginParser | BoostedParser


@dataclass(frozen=True, slots=True)
class ParserKind:
    """A kind of parsers: its class, a parser as a model, and the parser that a model is."""

    kind: type[Parser]
    to_model: Callable[[Any], ModelFile]
    of_model: Callable[[ModelFile, Place], Parser]


DEFAULT = parserfile.KIND
PARSERS: dict[str, ParserKind] = {
    parserfile.KIND: ParserKind(DependencyParser, parserfile.parser_model, parserfile.parser_of),
    boostedfile.KIND: ParserKind(BoostedParser, boostedfile.boosted_model, boostedfile.boosted_of),
    lexicalfile.KIND: ParserKind(LexicalParser, lexicalfile.lexical_model, lexicalfile.lexical_of),
    marginfile.KIND: ParserKind(MarginParser, marginfile.margins_model, marginfile.margins_of),
}
"""THE table of kinds of parsers, by the kind of their models. One is added by adding a row."""


def model_of_parser(parser: Parser) -> ModelFile:
    """A parser of any kind as a model."""
    (found,) = (one for one in PARSERS.values() if type(parser) is one.kind)
    return found.to_model(parser)


def parser_of_model(model: ModelFile, place: Place) -> Parser:
    """The parser that a model is; `place` is for messages."""
    if model.kind not in PARSERS:
        raise ModelError(f"is a {model.kind}: nothing that parses", place)
    return PARSERS[model.kind].of_model(model, place)

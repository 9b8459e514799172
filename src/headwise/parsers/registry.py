"""The kinds of parsers there are. Their classes say all else; they are imported when needed."""

from importlib import import_module

from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.parsers.base import Parser
from headwise.storage.modelfile import ModelFile

DEFAULT = "parser"
PARSERS = {
    DEFAULT: "graph.parser:DependencyParser",
    "boosting": "boosting.parser:BoostedParser",
    "ensemble": "ensemble.parser:EnsembleParser",
    "lexical": "lexical.parser:LexicalParser",
    "link-margin": "linkmargin.parser:LinkMarginParser",
    "neural": "neural.parser:NeuralParser",
    "neural-parts": "neuralparts.parser:NeuralPartsParser",
}
"""THE table of kinds of parsers: the kind of their models, their module and their class."""

MADE = ("ensemble",)
"""The kinds that are not trained but made of trained models."""


def parser_class(kind: str) -> type[Parser]:
    """The class of a kind of parsers."""
    module, _, name = PARSERS[kind].partition(":")
    found: type[Parser] = getattr(import_module(f"headwise.parsers.{module}"), name)
    return found


def parser_for(learner: object) -> type[Parser]:
    """The class that a learner's name selects: its own kind, or else that of most learners."""
    is_kind = isinstance(learner, str) and learner in trained_kinds()
    return parser_class(learner if is_kind else DEFAULT)  # type: ignore[arg-type]


def trained_kinds() -> list[str]:
    """The kinds that learn from a treebank; others are made of trained models."""
    return [kind for kind in PARSERS if kind not in MADE]


def learner_names() -> list[str]:
    """All that can be chosen as a learner: learners of the usual kind, and other kinds."""
    from headwise.learners.table import LEARNERS  # not needed to parse

    return [*LEARNERS, *(kind for kind in trained_kinds() if kind != DEFAULT)]


def check_learner(name: object) -> None:
    """Raise unless there is such a learner."""
    if name not in learner_names():
        raise UsageError(f"there is no learner {name!r}; there are {', '.join(learner_names())}")


def learners_using(name: str) -> list[str]:
    """The learners with a kind of their own whose training uses an extra file."""
    return [kind for kind in trained_kinds() if kind != DEFAULT and name in parser_class(kind).uses]


def not_parsing(kind: str, location: SourceLocation) -> ModelError:
    """The error of a model that finds no heads."""
    other = "; headwise constituency parse reads it" if kind.startswith("constituency") else ""
    return ModelError(f"is a {kind}: no dependency parser{other}", location)


def parser_of_model(model: ModelFile, location: SourceLocation) -> Parser:
    """The parser that a model is; `location` is for messages."""
    if model.kind not in PARSERS:
        raise not_parsing(model.kind, location)
    parser: Parser = parser_class(model.kind).storage().of_model(model, location)
    return parser

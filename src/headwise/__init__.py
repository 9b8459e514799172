"""Dependency parsing on a plain CPU.

    text → Sentence → scorer (linear or neural) → Scores (one array per part type) → Decoder → Tree
                              ↑                                                         ↓
                            weights  ←———————————————— learner ←—————————————————— gold tree

The names below are the public ones; scores of trees are in `headwise.evaluate`. They are loaded
when first used, so that `import headwise` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headwise.corpus.extras import EmptyNode, Multiword
    from headwise.corpus.formats import read_sentences, write_sentences
    from headwise.corpus.phrases import Phrase
    from headwise.corpus.sentence import Sentence
    from headwise.corpus.word import Word
    from headwise.draw.svg import svg_tree
    from headwise.draw.terminal import draw_tree
    from headwise.errors import HeadwiseError, HeadwiseWarning
    from headwise.inference.answers import ParseOptions
    from headwise.integrations.frames import to_arrow
    from headwise.parsers.graph.parser import DependencyParser
    from headwise.parsers.neural.parser import NeuralParser
    from headwise.parsers.neuralparts.parser import NeuralPartsParser
    from headwise.pipeline.document import Document
    from headwise.pipeline.models import load
    from headwise.pipeline.pipeline import Pipeline
    from headwise.pipeline.training.teach import teach

__version__ = "0.1.0"

_HOMES = {
    "DependencyParser": "headwise.parsers.graph.parser",
    "Document": "headwise.pipeline.document",
    "EmptyNode": "headwise.corpus.extras",
    "HeadwiseError": "headwise.errors",
    "HeadwiseWarning": "headwise.errors",
    "Multiword": "headwise.corpus.extras",
    "NeuralParser": "headwise.parsers.neural.parser",
    "NeuralPartsParser": "headwise.parsers.neuralparts.parser",
    "ParseOptions": "headwise.inference.answers",
    "Phrase": "headwise.corpus.phrases",
    "Pipeline": "headwise.pipeline.pipeline",
    "Sentence": "headwise.corpus.sentence",
    "Word": "headwise.corpus.word",
    "draw_tree": "headwise.draw.terminal",
    "load": "headwise.pipeline.models",
    "read_sentences": "headwise.corpus.formats",
    "svg_tree": "headwise.draw.svg",
    "teach": "headwise.pipeline.training.teach",
    "to_arrow": "headwise.integrations.frames",
    "write_sentences": "headwise.corpus.formats",
}

_MEANT = {
    "Doc": "headwise.Document",
    "Parser": "headwise.DependencyParser",
    "Token": "headwise.Word",
    "Trainer": "headwise.DependencyParser().fit(sentences)",
    "blank": "headwise.load()",
    "conllu": "headwise.read_sentences",
    "displacy": "headwise.svg_tree",
    "download": "headwise.load() (its models come with Headwise)",
    "draw": "headwise.draw_tree",
    "evaluate": "from headwise.evaluate import evaluate",
    "models": "headwise.load(), or on the command line `headwise models`",
    "nlp": "nlp = headwise.load()",
    "parse": "nlp = headwise.load(), and nlp(text)",
    "read": "headwise.read_sentences",
    "read_conllu": "headwise.read_sentences",
    "render": "headwise.svg_tree",
    "train": "headwise.DependencyParser().fit(sentences), or on the command line `headwise train`",
    "write_conllu": "headwise.write_sentences",
}
"""What people look for who know spaCy or Stanza."""

__all__ = [
    "DependencyParser",
    "Document",
    "EmptyNode",
    "HeadwiseError",
    "HeadwiseWarning",
    "Multiword",
    "NeuralParser",
    "NeuralPartsParser",
    "ParseOptions",
    "Phrase",
    "Pipeline",
    "Sentence",
    "Word",
    "draw_tree",
    "load",
    "read_sentences",
    "svg_tree",
    "teach",
    "to_arrow",
    "write_sentences",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        from difflib import get_close_matches

        near = get_close_matches(name, __all__, n=1)
        hint = _MEANT.get(name) or "".join(f"headwise.{one}" for one in near)
        said = f"module 'headwise' has no attribute {name!r}"
        raise AttributeError(f"{said}; did you mean {hint}?" if hint else said)
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]

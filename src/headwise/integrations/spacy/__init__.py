"""Headwise as a component and as a tokenizer of spaCy; documents from one to the other.

`nlp.add_pipe("headwise")` needs no import: spaCy finds the component by its entry point.
"""

from typing import TYPE_CHECKING, Any

from headwise.integrations.libraries import library

if TYPE_CHECKING:
    from spacy.language import Language

    from headwise.integrations.spacy.tokens import HeadwiseTokenizer

__all__ = ["from_spacy", "to_spacy", "tokenizer"]


def tokenizer(nlp: "Language", model: str | None = None) -> "HeadwiseTokenizer":
    """Headwise's tokeniser for a spaCy pipeline: `nlp.tokenizer = tokenizer(nlp)`.

    The configuration of `nlp` names it from then on, so that `nlp.to_disk` and `spacy.load` work.
    """
    library("spacy")
    from headwise.integrations.spacy.tokens import TOKENIZER, HeadwiseTokenizer

    nlp.config["nlp"]["tokenizer"] = {"@tokenizers": TOKENIZER, "model": model}
    return HeadwiseTokenizer(nlp.vocab, model)


def __getattr__(name: str) -> Any:
    if name not in ("from_spacy", "to_spacy"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    library("spacy")
    from headwise.integrations.spacy import documents

    return getattr(documents, name)

"""Headwise's tokeniser in the place of spaCy's: it finds sentences as well."""

from collections.abc import Iterable, Iterator
from typing import Any

from spacy.tokens import Doc

from headwise.integrations.spacy.layout import Span, laid_out, spelled_out
from headwise.integrations.spacy.stored import ModelHolder
from headwise.pipeline.arguments import check_text
from headwise.pipeline.pipeline import Pipeline
from headwise.text.cutting import CutNotice
from headwise.text.tokeniser import Tokeniser

TOKENIZER = "headwise.Tokenizer.v1"
"""Its name in the configuration of a spaCy pipeline."""


class HeadwiseTokenizer(ModelHolder):
    """Turns text into a Doc whose tokens and sentences Headwise has found.

    A multiword token whose words spell it (do-n't) becomes these words; any other stays one token,
    since the tokens of a Doc are its text.
    """

    def __init__(self, vocab: Any, model: str | None = None) -> None:
        """Make Docs over a vocabulary."""
        super().__init__(model)
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """The tokens and sentences of a text."""
        check_text(text)
        tokeniser = self.pipeline.need_tokeniser()
        found = tokeniser.tokenise(text)
        CutNotice().tell_of_tokens(found)
        bounds = set(found.sentences.tolist())
        spans: list[Span] = []
        starts: list[int] = []
        for token, span in enumerate(zip(found.starts.tolist(), found.ends.tolist(), strict=True)):
            if token in bounds:
                starts.append(len(spans))
            spans += words_within(tokeniser, text, span)
        return laid_out(text, spans).doc(self.vocab, starts)

    def pipe(self, texts: Iterable[str], batch_size: int = 1000) -> Iterator[Doc]:  # noqa: ARG002, RUF100
        """The Docs of many texts."""
        return map(self, texts)

    def stored(self) -> Pipeline:
        """The tokeniser alone."""
        whole = self.pipeline
        return Pipeline(tokeniser=whole.need_tokeniser(), name=whole.name, version=whole.version)


def words_within(tokeniser: Tokeniser, text: str, span: Span) -> list[Span]:
    """Where the words of a token are."""
    form = text[span[0] : span[1]]
    words = tokeniser.multiwords.words[form]
    return (spelled_out(form, words, span[0]) if words else None) or [span]


def create_tokenizer(model: str | None = None) -> Any:
    """What a configuration of spaCy asks for under `@tokenizers`."""
    return lambda nlp: HeadwiseTokenizer(nlp.vocab, model)

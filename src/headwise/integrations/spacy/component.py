"""The component `headwise` of spaCy: tags, lemmas and trees for Docs, in batches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, TypeVar

from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc

from headwise.inference.answers import BEST_TREES, ParseOptions
from headwise.integrations.spacy import extensions
from headwise.integrations.spacy.reading import sentences_of_docs, words_of_docs
from headwise.integrations.spacy.stored import ModelHolder
from headwise.integrations.spacy.writing import AttributeIds, annotate

T = TypeVar("T")
ErrorHandler = Callable[[str, Any, list[Doc], Exception], None]

ASSIGNS = (
    "token.dep", "token.head", "token.is_sent_start", "doc.sents", "token.pos", "token.tag",
    "token.morph", "token.lemma", "token._.head_probability", "token._.dep_probability",
    "span._.tree_probability",
)  # fmt: skip
SCORE_WEIGHTS = {
    "dep_uas": 0.3, "dep_las": 0.3, "dep_las_per_type": None, "tag_acc": 0.1, "pos_acc": 0.1,
    "morph_acc": 0.1, "lemma_acc": 0.1, "sents_f": 0.0, "sents_p": None, "sents_r": None,
}  # fmt: skip
UNSCORED = ("p", "punct")
"""The relations that spaCy leaves out when it scores trees."""


class HeadwiseComponent(ModelHolder):
    """Sets tags, lemmas, trees and sentence starts of Docs.

    confidence: whether to set probabilities of heads, relations and trees, which takes longer.
    own_tags: whether to replace tags, features and lemmas that a Doc has; else they are kept.
    own_sentences: whether to replace sentence starts that a Doc has; else they are kept.
    """

    def __init__(
        self,
        vocab: Any,
        name: str,
        model: str | None,
        *,
        confidence: bool,
        own_tags: bool,
        own_sentences: bool,
    ) -> None:
        """Prepare a component; its model is loaded when first used."""
        super().__init__(model)
        self.name = name
        self.options = ParseOptions(marginals=True) if confidence else BEST_TREES
        self.own_tags = own_tags
        self.own_sentences = own_sentences
        self.ids = AttributeIds(vocab)
        self.error_handler: ErrorHandler = raise_error
        extensions.register()

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one Doc."""
        try:
            self.annotate([doc])
        except Exception as error:
            self.error_handler(self.name, self, [doc], error)
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate a stream of Docs, `batch_size` at a time."""
        for batch in batches(stream, batch_size):
            try:
                self.annotate(batch)
                yield from batch
            except Exception:
                yield from self._one_by_one(batch)

    def _one_by_one(self, batch: list[Doc]) -> Iterator[Doc]:
        """The Docs of a batch that has an error: those which have it are left out."""
        for doc in batch:
            try:
                self.annotate([doc])
            except Exception as error:
                self.error_handler(self.name, self, [doc], error)
            else:
                yield doc

    def annotate(self, docs: Sequence[Doc]) -> None:
        """Annotate Docs; all sentences of those of one vocabulary are parsed together."""
        for _, some in groupby(docs, lambda doc: id(doc.vocab)):
            self._annotate(list(some))

    def _annotate(self, docs: Sequence[Doc]) -> None:
        """Annotate Docs of one vocabulary."""
        pipeline = self.pipeline
        found = words_of_docs(docs, pipeline.tokeniser, own_sentences=self.own_sentences)
        sentences = sentences_of_docs(docs, found, with_tags=not self.own_tags)
        options = None if self.options.is_plain else self.options
        answers = list(pipeline.annotate(sentences, options))
        key = f"{pipeline.name} {pipeline.version}"
        extensions.components[key] = self
        if docs[0].vocab is not self.ids.vocab:
            self.ids = AttributeIds(docs[0].vocab)
        whole = [pair for pair in zip(docs, found, strict=True) if len(pair[1].tokens)]
        annotate(whole, answers, self.ids)
        stream = iter(answers)
        for doc, words in whole:
            doc.user_data[extensions.PARSED_BY] = key
            if self.options.marginals:
                own = list(islice(stream, len(words.bounds) - 1))
                extensions.note_probabilities(doc, words, own)

    def set_error_handler(self, error_handler: ErrorHandler) -> None:
        """Let spaCy decide what happens to Docs that cannot be parsed."""
        self.error_handler = error_handler

    def get_error_handler(self) -> ErrorHandler:
        """What happens to Docs that cannot be parsed."""
        return self.error_handler

    def score(self, examples: Iterable[Any], **options: Any) -> dict[str, Any]:
        """What `nlp.evaluate` reports: trees as spaCy scores them, tags, lemmas, sentences."""
        examples = list(examples)
        scores: dict[str, Any] = {}
        for attribute in ("tag", "pos", "morph", "lemma"):
            scores |= Scorer.score_token_attr(examples, attribute, **options)
        scores |= Scorer.score_spans(examples, "sents", **options)
        trees = {"getter": lowered_relation, "ignore_labels": UNSCORED} | options
        scores |= Scorer.score_deps(examples, "dep", **trees)
        return scores


def batches(stream: Iterable[T], size: int) -> Iterator[list[T]]:
    """A stream in lists of `size`."""
    rest = iter(stream)
    while batch := list(islice(rest, size)):
        yield batch


def lowered_relation(token: Any, attribute: str) -> str:
    """A relation for scoring; spaCy writes the one of roots in capitals."""
    relation: str = token.vocab.strings.as_string(getattr(token, attribute)).lower()
    return relation


def raise_error(name: str, component: Any, docs: list[Doc], error: Exception) -> None:  # noqa: ARG001, RUF100
    """Raise the error: what happens unless spaCy is told otherwise."""
    raise error


def create_component(
    nlp: Language,
    name: str,
    model: str | None,
    confidence: bool,
    own_tags: bool,
    own_sentences: bool,
) -> HeadwiseComponent:
    """What `nlp.add_pipe("headwise", config={…})` adds."""
    return HeadwiseComponent(
        nlp.vocab,
        name,
        model,
        confidence=confidence,
        own_tags=own_tags,
        own_sentences=own_sentences,
    )


Language.factory(
    "headwise",
    default_config={
        "model": None,
        "confidence": False,
        "own_tags": True,
        "own_sentences": False,
    },
    assigns=ASSIGNS,
    default_score_weights=SCORE_WEIGHTS,
    func=create_component,
)

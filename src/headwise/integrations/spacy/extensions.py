"""What spaCy's tokens and sentences know after Headwise: probabilities, and other trees.

token._.head_probability, token._.dep_probability
sent._.tree_probability, sent._.kbest(n)
"""

from itertools import pairwise
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from spacy.tokens import Doc, Span, Token

from headwise.corpus.sentence import Sentence
from headwise.corpus.word import noted_number
from headwise.errors import UsageError
from headwise.inference.answers import ParseOptions
from headwise.integrations.spacy.reading import DocWords, as_one_sentence, sentences_of_docs
from headwise.integrations.spacy.writing import AttributeIds, annotate

if TYPE_CHECKING:
    from headwise.integrations.spacy.component import HeadwiseComponent

PARSED_BY = "headwise"
"""Under this key, the user data of a Doc say which model parsed it."""

components: "WeakValueDictionary[str, HeadwiseComponent]" = WeakValueDictionary()
"""The components of this process by their models: `kbest` looks up the parser of a Doc here."""


def register() -> None:
    """Make the extension attributes known to spaCy, unless they are."""
    for name in ("head_probability", "dep_probability"):
        if not Token.has_extension(name):
            Token.set_extension(name, default=None)
    if not Span.has_extension("tree_probability"):
        Span.set_extension("tree_probability", default=None)
    if not Span.has_extension("kbest"):
        Span.set_extension("kbest", method=kbest)


def note_probabilities(doc: Doc, words: DocWords, answers: list[Sentence]) -> None:
    """Set the probabilities that the answers hold."""
    for answer, tokens in zip(answers, words.sentences(), strict=True):
        for index, misc in zip(tokens.tolist(), answer.misc, strict=True):
            extension = doc[index]._
            extension.head_probability = noted_number(misc, "HeadProb")
            extension.dep_probability = noted_number(misc, "LabelProb")
    found = [one.comment("tree_prob") for one in answers]
    if all(one.has_tree for one in answers):
        for sentence, likely in zip(sentence_spans(doc, words), found, strict=True):
            sentence._.tree_probability = None if likely is None else float(likely)


def sentence_spans(doc: Doc, words: DocWords) -> list[Span]:
    """The sentences as spaCy cuts them: white space belongs to the sentence before it."""
    starts = [0, *words.tokens[words.bounds[1:-1]].tolist(), len(doc)]
    return [doc[a:b] for a, b in pairwise(starts)]


def kbest(span: Span, n: int) -> list[Doc]:
    """The n best trees of a sentence, best first, each a Doc of the sentence alone.

    `list(tree.sents)[0]._.tree_probability` is how likely one is.
    """
    key = span.doc.user_data.get(PARSED_BY)
    component = components.get(key) if isinstance(key, str) else None
    if component is None:
        raise UsageError(
            "kbest needs the parser of this Doc, which is not in this process: parse it here with "
            "a pipeline that has the component 'headwise' (a DocBin keeps the name of the model "
            "with store_user_data=True)"
        )
    alone = span.as_doc()
    words = as_one_sentence(alone)
    sentences = sentences_of_docs([alone], [words], with_tags=True)
    answers = component.pipeline.annotate(sentences, ParseOptions(kbest=n, marginals=True))
    return [tree_of(span, words, answer) for answer in answers]


def tree_of(span: Span, words: DocWords, answer: Sentence) -> Doc:
    """A Doc of a sentence under one of its trees."""
    doc = span.as_doc()
    annotate([(doc, words)], [answer], AttributeIds(doc.vocab))
    note_probabilities(doc, words, [answer])
    return doc

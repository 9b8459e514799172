"""Documents of Headwise as Docs of spaCy, and back."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import spacy
from spacy.tokens import Doc

from headwise.corpus.documents import Sentences, all_sentences
from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.word import spans_of
from headwise.errors import UsageError
from headwise.integrations.spacy import extensions
from headwise.integrations.spacy.layout import Layout, Span, laid_out, spelled_out
from headwise.integrations.spacy.reading import STARTS, DocWords, tags_of, word_tokens
from headwise.integrations.spacy.writing import OF_SPACE, ROOT, AttributeIds, annotate
from headwise.pipeline.document import Document


def to_spacy(given: Sentences, vocab: Any = None) -> Doc:
    """A document, a sentence or sentences as a Doc: tags, lemmas, trees, probabilities.

    A token of the Doc is a word. Where words do not spell their text (French `du`, which is `de`
    and `le`) or are not all in one text, the Doc has the words for its text.
    `vocab` is the one of the pipeline that the Doc is for; by default a new one.
    """
    sentences = list(all_sentences(given))
    vocab = spacy.blank("xx").vocab if vocab is None else vocab
    sizes = [len(one) for one in sentences if len(one)]
    bounds = np.array([0, *accumulate(sizes)], np.int64)
    layout = layout_of(given, sentences)
    doc = layout.doc(vocab, bounds[:-1].tolist())
    if sizes:
        words = DocWords(np.array(layout.words, np.int64), bounds)
        whole = [one for one in sentences if len(one)]
        annotate([(doc, words)], whole, AttributeIds(vocab))
        extensions.register()
        extensions.note_probabilities(doc, words, whole)
    return doc


def layout_of(given: Sentences, sentences: Sequence[Sentence]) -> Layout:
    """Where the words of sentences are in their text, or else one after the other."""
    if isinstance(given, Document):
        spans = [span for one in sentences for span in word_spans(one)]
        if is_ascending(spans):
            return laid_out(given.text, [span for span in spans if span is not None])
    layout = Layout()
    for sentence in sentences:
        for token in sentence.tokens():
            words = sentence.forms[token.first - 1 : token.last]
            apart = spelled_out(token.form, words, 0) is None
            for word in words[:-1]:
                layout.add_word(word, space=apart)
            layout.add_word(words[-1], space=token.space_after)
    return layout


def word_spans(sentence: Sentence) -> list[Span | None]:
    """Where each word is in the text of its document; None where words do not spell their token."""
    spans: list[Span | None] = list(spans_of(sentence))
    for row in sentence.multiwords:
        words, span = sentence.forms[row.first - 1 : row.last], spans[row.first - 1]
        inside = None if span is None else spelled_out(row.form, words, span[0])
        nowhere: list[Span | None] = [None] * len(words)
        spans[row.first - 1 : row.last] = inside or nowhere
    return spans


def is_ascending(spans: Sequence[Span | None]) -> bool:
    """Whether all positions are known, and none begins before the one before it ends."""
    known = [span for span in spans if span is not None]
    return len(known) == len(spans) and all(a[1] <= b[0] for a, b in pairwise(known))


def from_spacy(doc: Doc) -> Document:
    """A Doc as a document: its tokens without white space, and whatever is annotated of them.

    Sentences are those of the Doc; without any it is one sentence.
    """
    if not isinstance(doc, Doc):
        raise UsageError(f"expected a spaCy Doc, not {type(doc).__name__}")
    tokens = word_tokens(doc)
    begins = doc.to_array("SENT_START").astype(np.int64)
    starts = np.searchsorted(tokens, np.flatnonzero(begins == STARTS))
    bounds = np.unique(np.concatenate([[0], starts, [len(tokens)]]))
    parts = [tokens[a:b].tolist() for a, b in pairwise(bounds.tolist())]
    return Document(doc.text, tuple(read_sentence(doc, n, own) for n, own in enumerate(parts, 1)))


def read_sentence(doc: Doc, number: int, tokens: list[int]) -> Sentence:
    """A sentence of a Doc: the tokens at these indices."""
    words = [doc[index] for index in tokens]
    text = doc.text[words[0].idx : words[-1].idx + len(words[-1].text)]
    is_parsed = doc.has_annotation("DEP")
    lemmas, upos, xpos, feats = zip(*map(tags_of, words), strict=True)
    return Sentence.from_words(
        [word.text for word in words],
        lemmas=lemmas,
        upos=upos,
        xpos=xpos,
        feats=feats,
        heads=read_heads(words) if is_parsed else None,
        relations=[read_relation(word.dep_) for word in words] if is_parsed else None,
        misc=[MISSING if word.whitespace_ or at == len(words) else "SpaceAfter=No"
              for at, word in enumerate(words, 1)],
        comments=(f"# sent_id = {number}", f"# text = {' '.join(text.splitlines())}"),
        start=words[0].idx,
    )  # fmt: skip


def read_heads(words: Iterable[Any]) -> list[int | None]:
    """The heads of words within their sentence; what hangs on white space hangs on its head."""
    words = list(words)
    numbers = {word.i: number for number, word in enumerate(words, 1)}
    heads: list[int | None] = []
    for word in words:
        head = word.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        heads.append(0 if word.head.i == word.i else numbers.get(head.i, 0))
    return heads


def read_relation(relation: str) -> str:
    """A relation as UD writes it."""
    return "root" if relation == ROOT else relation or OF_SPACE

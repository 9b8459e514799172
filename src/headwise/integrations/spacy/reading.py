"""What Headwise parses of a Doc: its words, which are its tokens without white space."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import IS_SPACE, ORTH, SENT_START
from spacy.tokens import Doc

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import UsageError, cut
from headwise.text.tokeniser import Tokeniser

STARTS, CONTINUES = 1, -1
"""What spaCy says of a token's place in its sentence; 0 is unknown."""

Indices = NDArray[np.int64]

UNKNOWN_BOUNDS = (
    "the model has no tokeniser, so it finds no sentences: add a component before it that does, "
    "nlp.add_pipe('sentencizer', before='headwise')"
)


@dataclass(frozen=True, slots=True, eq=False)
class DocWords:
    """The words of a Doc, sentence by sentence."""

    tokens: Indices  # [word]: which token it is
    bounds: Indices  # [sentence + 1]: its first word

    def sentences(self, first: int = 0) -> list[Indices]:
        """The tokens of each sentence, where the Doc's are counted from `first`."""
        tokens = self.tokens + first
        return [tokens[a:b] for a, b in pairwise(self.bounds.tolist())]


def words_of_docs(
    docs: Sequence[Doc], tokeniser: Tokeniser | None, *, own_sentences: bool
) -> list[DocWords]:
    """The words of each Doc; where nothing says whether a sentence starts, the tokeniser does.

    With `own_sentences`, it decides everywhere.
    """
    is_space, given = stacked(docs, [IS_SPACE, SENT_START]).T
    tokens = np.flatnonzero(is_space == 0)
    if own_sentences:
        given = np.zeros(len(given), np.int64)
    firsts = np.cumsum([0, *map(len, docs)])  # [doc + 1]: its first token …
    edges = np.searchsorted(tokens, firsts)  # … and its first word
    # A sentence that starts with white space starts, for us, with the word after it.
    starts = [edges, np.searchsorted(tokens, np.flatnonzero(given == STARTS))]
    is_unknown = given[tokens] == 0
    is_unknown[edges[edges < len(tokens)]] = False
    for number in np.unique(np.searchsorted(edges, np.flatnonzero(is_unknown), "right") - 1):
        if tokeniser is None:
            raise UsageError(UNKNOWN_BOUNDS)
        own = tokens[edges[number] : edges[number + 1]] - firsts[number]
        found = edges[number] + found_starts(docs[number], own, tokeniser)
        starts.append(found[is_unknown[found]])
    bounds = np.unique(np.concatenate(starts))
    cuts = np.searchsorted(bounds, edges)
    ranges = zip(firsts.tolist(), pairwise(edges.tolist()), pairwise(cuts.tolist()), strict=False)
    return [
        DocWords(tokens[first_word:end] - first, bounds[a : b + 1] - first_word)
        for first, (first_word, end), (a, b) in ranges
    ]


def stacked(docs: Sequence[Doc], attributes: list[int]) -> Indices:
    """Attributes of the tokens of Docs: `[token, attribute]`."""
    return np.concatenate([doc.to_array(attributes) for doc in docs]).astype(np.int64)


def as_one_sentence(doc: Doc) -> DocWords:
    """The words of a Doc that is one sentence."""
    tokens = word_tokens(doc)
    return DocWords(tokens, np.unique(np.array([0, len(tokens)], np.int64)))


def word_tokens(doc: Doc) -> Indices:
    """The tokens that are not white space."""
    return np.flatnonzero(doc.to_array(IS_SPACE) == 0).astype(np.int64)


def found_starts(doc: Doc, tokens: Indices, tokeniser: Tokeniser) -> Indices:
    """The words with which sentences start; one that would start within a token waits for the next.

    spaCy's tokens need not be those of Headwise.
    """
    found = tokeniser.tokenise(doc.text)
    places = found.starts[found.sentences[:-1]]
    offsets = np.array([token.idx for token in doc], np.int64)[tokens]
    words = np.unique(np.searchsorted(offsets, places))
    return words[words < len(tokens)].astype(np.int64)


def forms_of(docs: Sequence[Doc]) -> list[str]:
    """The texts of all tokens of Docs of one vocabulary; each is looked up once."""
    numbers = np.concatenate([doc.to_array(ORTH) for doc in docs]).tolist()
    texts = {number: docs[0].vocab.strings[number] for number in set(numbers)}
    return list(map(texts.__getitem__, numbers))


def sentences_of_docs(
    docs: Sequence[Doc], found: Sequence[DocWords], *, with_tags: bool
) -> list[Sentence]:
    """The sentences of Docs of one vocabulary; `with_tags` also their tags, features and lemmas."""
    forms = forms_of(docs)
    columns: list[Sequence[str]] = [forms]
    if with_tags:
        columns += zip(*map(tags_of, chain.from_iterable(docs)), strict=True)
    sentences, first = [], 0
    for doc, words in zip(docs, found, strict=True):
        end = first + len(doc)
        path = f"Doc {cut(' '.join(forms[first : min(first + 10, end)]))!r}"
        sentences += [sentence_of(columns, own, path) for own in words.sentences(first)]
        first = end
    return sentences


def tags_of(token: Any) -> tuple[str, str, str, str]:
    """Lemma, tags and features of a token."""
    return token.lemma_ or MISSING, token.pos_ or MISSING, token.tag_ or MISSING, features_of(token)


def features_of(token: Any) -> str:
    """The features of a token in the order of UD; spaCy's puts capitals before small letters."""
    return "|".join(sorted(str(token.morph).split("|"), key=str.lower)) or MISSING


def sentence_of(columns: Sequence[Sequence[str]], tokens: Indices, path: str) -> Sentence:
    """A sentence of some tokens: their texts and, where there are more columns, their tags."""
    indices = tokens.tolist()
    empty = (MISSING,) * len(indices)
    texts = [tuple([values[index] for index in indices]) for values in columns]
    forms, lemmas, upos, xpos, feats = texts + [empty] * (5 - len(texts))
    heads = (None,) * len(indices)
    return Sentence(forms, lemmas, upos, xpos, feats, heads, empty, empty, empty, path=path)

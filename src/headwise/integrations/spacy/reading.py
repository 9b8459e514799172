"""What Headwise parses of a Doc: its words, which are its tokens without white space."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import IS_SPACE, ORTH, SENT_START
from spacy.tokens import Doc

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import SourceLocation, UsageError, cut
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

    def sentences(self) -> list[Indices]:
        """The tokens of each sentence."""
        return [self.tokens[a:b] for a, b in pairwise(self.bounds.tolist())]


def words_of_doc(doc: Doc, tokeniser: Tokeniser | None, *, own_sentences: bool) -> DocWords:
    """The words of a Doc; where nothing says whether a sentence starts, the tokeniser does.

    With `own_sentences`, it decides everywhere.
    """
    is_space, given = doc.to_array([IS_SPACE, SENT_START]).astype(np.int64).T
    tokens = np.flatnonzero(is_space == 0)
    if own_sentences:
        given = np.zeros(len(given), np.int64)
    # A sentence that starts with white space starts, for us, with the word after it.
    starts = np.searchsorted(tokens, np.flatnonzero(given == STARTS))
    unknown = given[tokens[1:]] == 0
    if unknown.any():
        if tokeniser is None:
            raise UsageError(UNKNOWN_BOUNDS)
        found = found_starts(doc, tokens, tokeniser)
        starts = np.concatenate([starts, found[given[tokens[found]] == 0]])
    bounds = sorted({0, *starts.tolist(), len(tokens)})  # quicker than NumPy, for a few
    return DocWords(tokens, np.array(bounds, np.int64))


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


def forms_of(doc: Doc) -> list[str]:
    """The texts of all tokens, without making an object of each."""
    return list(map(doc.vocab.strings.__getitem__, doc.to_array(ORTH).tolist()))


def sentences_of_doc(doc: Doc, words: DocWords, *, with_tags: bool) -> list[Sentence]:
    """The sentences to parse; `with_tags` also with the tags, features and lemmas of the Doc."""
    columns: dict[str, list[str]] = {"forms": forms_of(doc)}
    location = SourceLocation(f"Doc {cut(' '.join(columns['forms'][:10]))!r}")
    if with_tags:
        columns["lemmas"] = [token.lemma_ or MISSING for token in doc]
        columns["upos"] = [token.pos_ or MISSING for token in doc]
        columns["xpos"] = [token.tag_ or MISSING for token in doc]
        columns["feats"] = [features_of(token) for token in doc]
    return [sentence_of(columns, own.tolist(), location) for own in words.sentences()]


def features_of(token: Any) -> str:
    """The features of a token in the order of UD; spaCy's puts capitals before small letters."""
    return "|".join(sorted(str(token.morph).split("|"), key=str.lower)) or MISSING


def sentence_of(
    columns: dict[str, list[str]], tokens: Sequence[int], location: SourceLocation
) -> Sentence:
    """A sentence of some tokens of a Doc."""
    picked: dict[str, Any] = {
        name: [values[token] for token in tokens] for name, values in columns.items()
    }
    return Sentence.from_words(picked.pop("forms"), **picked, location=location)

"""What Headwise found, written into a Doc: all attributes of all tokens at once."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import DEP, HEAD, LEMMA, MORPH, POS, SENT_START, TAG
from spacy.parts_of_speech import IDS as POS_IDS
from spacy.tokens import Doc

from headwise.corpus.sentence import MISSING, Sentence
from headwise.integrations.spacy.reading import CONTINUES, STARTS, DocWords, Indices

ROOT, OF_SPACE = "ROOT", "dep"
"""What spaCy calls the relations of roots and of white space, and of words with no relation."""

Numbers = NDArray[np.uint64]


class AttributeIds:
    """The numbers of texts in a vocabulary of spaCy: each is looked up once."""

    def __init__(self, vocab: Any) -> None:
        """Nothing is known yet."""
        self.vocab = vocab
        self.texts: dict[str, int] = {MISSING: 0}
        self.relations: dict[str, int] = {"root": vocab.strings.add(ROOT)}
        self.features: dict[str, int] = {}

    def of_texts(self, texts: Iterable[str]) -> list[int]:
        """Of lemmas and tags."""
        return numbers(self.texts, texts, self.vocab.strings.add)

    def of_relations(self, relations: Iterable[str]) -> list[int]:
        """Of relations; spaCy takes a token without one for unparsed."""
        return numbers(self.relations, relations, self._relation)

    def of_features(self, features: Iterable[str]) -> list[int]:
        """Of morphological features."""
        return numbers(self.features, features, self.vocab.morphology.add)

    def _relation(self, relation: str) -> int:
        found: int = self.vocab.strings.add(OF_SPACE if relation == MISSING else relation)
        return found


def numbers(known: dict[str, int], texts: Iterable[str], number_of: Any) -> list[int]:
    """The number of each text; those that are new are added."""
    texts = list(texts)
    for text in texts:
        if text not in known:
            known[text] = number_of(text)
    return list(map(known.__getitem__, texts))


def annotate(
    doc: Doc, words: DocWords, answers: Sequence[Sentence], ids: AttributeIds | None = None
) -> None:
    """Write tags, lemmas and trees into a Doc, whose sentences the answers are."""
    ids = ids or AttributeIds(doc.vocab)
    columns: dict[int, Numbers] = {
        LEMMA: filled(doc, words, ids.of_texts(joined(answers, "lemmas"))),
        POS: filled(doc, words, [POS_IDS.get(tag, 0) for tag in joined(answers, "upos")]),
        TAG: filled(doc, words, ids.of_texts(joined(answers, "xpos"))),
        MORPH: filled(doc, words, ids.of_features(joined(answers, "feats"))),
    }
    if all(answer.has_tree for answer in answers):
        columns[DEP] = filled(doc, words, ids.of_relations(joined(answers, "relations")))
        columns[HEAD] = heads_of(doc, words, answers)
    else:  # no parser: what is left are the bounds of sentences
        columns[SENT_START] = starts_of(doc, words)
    describe_spaces(doc, words, ids, columns)
    doc.from_array(list(columns), np.stack(list(columns.values()), axis=1))


def joined(answers: Iterable[Sentence], column: str) -> Iterable[str]:
    """A column of all sentences."""
    return chain.from_iterable(getattr(answer, column) for answer in answers)


def filled(doc: Doc, words: DocWords, values: Sequence[int]) -> Numbers:
    """Values of words as values of tokens, 0 for white space."""
    column = np.zeros(len(doc), np.uint64)
    column[words.tokens] = np.array(values, np.uint64)
    return column


def heads_of(doc: Doc, words: DocWords, answers: Sequence[Sentence]) -> Numbers:
    """Where the head of each token is, counted from the token; 0 for roots.

    White space hangs on the word before it, or on the first one.
    """
    heads = np.array(list(chain.from_iterable(one.heads for one in answers)), np.int64)
    first = np.repeat(words.bounds[:-1], np.diff(words.bounds))  # word of each word's sentence
    own = np.arange(len(heads))
    targets = np.arange(len(doc))
    targets[words.tokens] = words.tokens[np.where(heads == 0, own, first + heads - 1)]
    spaces = spaces_of(doc, words)
    if len(spaces):
        before = np.searchsorted(words.tokens, spaces) - 1
        targets[spaces] = words.tokens[np.maximum(before, 0)]
    return (targets - np.arange(len(doc))).astype(np.uint64)


def starts_of(doc: Doc, words: DocWords) -> Numbers:
    """Which tokens start a sentence."""
    column = np.full(len(doc), CONTINUES, np.int64)
    column[words.tokens[words.bounds[:-1]]] = STARTS
    return column.astype(np.uint64)


def spaces_of(doc: Doc, words: DocWords) -> Indices:
    """The tokens that are white space."""
    if len(words.tokens) == len(doc):  # as usual
        return words.tokens[:0]
    return np.setdiff1d(np.arange(len(doc)), words.tokens)


def describe_spaces(
    doc: Doc, words: DocWords, ids: AttributeIds, columns: dict[int, Numbers]
) -> None:
    """Give white space the tags and relations that spaCy's own pipelines give it."""
    spaces = spaces_of(doc, words)
    if not len(spaces):
        return
    columns[POS][spaces] = POS_IDS["SPACE"]
    columns[TAG][spaces] = ids.of_texts(["_SP"])[0]
    columns[MORPH][spaces] = ids.of_features([MISSING])[0]
    columns[LEMMA][spaces] = [doc[int(token)].orth for token in spaces]
    if DEP in columns:
        columns[DEP][spaces] = ids.of_relations([OF_SPACE])[0]

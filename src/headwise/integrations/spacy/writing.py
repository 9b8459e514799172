"""What Headwise found, written into Docs: all attributes of all their tokens at once."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import DEP, HEAD, LEMMA, MORPH, POS, SENT_START, TAG
from spacy.parts_of_speech import IDS as POS_IDS
from spacy.tokens import Doc

from headwise.corpus.sentence import MISSING, Sentence
from headwise.integrations.spacy.reading import CONTINUES, STARTS, DocWords

ROOT, OF_SPACE = "ROOT", "dep"
"""What spaCy calls the relations of roots and of white space, and of words with no relation."""

Numbers = NDArray[np.uint64]


class AttributeIds:
    """The numbers of texts in a vocabulary of spaCy: each is looked up once."""

    def __init__(self, vocab: Any) -> None:
        """Nothing is known yet."""
        self.vocab = vocab
        self.texts = Known(vocab.strings.add, {MISSING: 0})
        relations = {"root": vocab.strings.add(ROOT), MISSING: vocab.strings.add(OF_SPACE)}
        self.relations = Known(vocab.strings.add, relations)  # a token without one is unparsed
        self.features = Known(vocab.morphology.add, {})


class Known(dict[str, int]):
    """The numbers of texts; `number_of` gives those that are new."""

    def __init__(self, number_of: Callable[[str], int], first: dict[str, int]) -> None:
        """Begin with the numbers of some texts."""
        super().__init__(first)
        self.number_of = number_of

    def __missing__(self, text: str) -> int:
        """The number of a new text."""
        self[text] = number = self.number_of(text)
        return number


def annotate(
    docs: Iterable[tuple[Doc, DocWords]], answers: Sequence[Sentence], ids: AttributeIds
) -> None:
    """Write tags, lemmas and trees into Docs of one vocabulary, whose sentences the answers are."""
    if all(answer.has_tree for answer in answers):
        attributes = [LEMMA, POS, TAG, MORPH, DEP, HEAD]
        last = [number_column(answers, "relations", ids.relations), head_offsets(answers)]
    else:  # no parser: what is left are the bounds of sentences
        attributes, last = [LEMMA, POS, TAG, MORPH, SENT_START], [sentence_starts(answers)]
    columns = [
        number_column(answers, "lemmas", ids.texts),
        number_column(answers, "upos", defaultdict(int, POS_IDS)),
        number_column(answers, "xpos", ids.texts),
        number_column(answers, "feats", ids.features),
        *last,
    ]
    values, start = np.stack(columns, axis=1), 0
    for doc, words in docs:
        own = values[start : start + len(words.tokens)]
        start += len(words.tokens)
        if len(words.tokens) < len(doc):
            own = with_spaces(doc, words, own, ids)
        doc.from_array(attributes, own)


def number_column(answers: Iterable[Sentence], column: str, numbers: Mapping[str, int]) -> Numbers:
    """The numbers of all words' texts in a column."""
    texts = chain.from_iterable(getattr(answer, column) for answer in answers)
    return np.fromiter(map(numbers.__getitem__, texts), np.uint64)


def head_offsets(answers: Sequence[Sentence]) -> Numbers:
    """Where the head of each word is, counted from the word; 0 for roots."""
    heads = np.fromiter(chain.from_iterable(one.heads for one in answers), np.int64)
    numbers = np.fromiter(chain.from_iterable(range(1, len(one) + 1) for one in answers), np.int64)
    return np.where(heads == 0, 0, heads - numbers).astype(np.uint64)


def sentence_starts(answers: Sequence[Sentence]) -> Numbers:
    """Which words start a sentence."""
    sizes = [len(one) for one in answers]
    column = np.full(sum(sizes), CONTINUES, np.int64)
    column[np.cumsum([0, *sizes])[:-1]] = STARTS
    return column.astype(np.uint64)


def with_spaces(doc: Doc, words: DocWords, values: Numbers, ids: AttributeIds) -> Numbers:
    """Attributes of words as those of all tokens: white space has what spaCy's pipelines give it.

    It hangs on the word before it, or on the first one.
    """
    spaces = np.setdiff1d(np.arange(len(doc)), words.tokens)
    table = np.zeros((len(doc), values.shape[1]), np.uint64)
    table[words.tokens] = values
    table[spaces, 0] = [doc[int(token)].orth for token in spaces]
    table[spaces, 1:4] = POS_IDS["SPACE"], ids.texts["_SP"], ids.features[MISSING]
    if values.shape[1] == 5:
        table[spaces, 4] = np.uint64(CONTINUES & ALL_BITS)
        return table
    targets = np.arange(len(words.tokens)) + values[:, 5].astype(np.int64)
    before = np.searchsorted(words.tokens, spaces) - 1
    table[words.tokens, 5] = (words.tokens[targets] - words.tokens).astype(np.uint64)
    table[spaces, 4] = ids.relations[OF_SPACE]
    table[spaces, 5] = (words.tokens[np.maximum(before, 0)] - spaces).astype(np.uint64)
    return table


ALL_BITS = (1 << 64) - 1

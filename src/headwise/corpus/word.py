"""Words of a sentence, as one speaks of them: a word, its head, its children.

A sentence builds its words once: a word is the same object at every access, and it is equal to
itself alone. `word in head.children` and sets of words work as one expects.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import getitem
from reprlib import repr as shortened

from headwise.corpus.sentence import MISSING, Sentence, all_columns
from headwise.corpus.wordsequence import read_only, unknown_attribute
from headwise.errors import InputError

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Links:
    """What all words of a sentence share, worked out once."""

    sentence: Sentence
    spans: Sequence[Span | None]
    words: list["Word"] = field(default_factory=list)
    children: list[list["Word"]] = field(default_factory=list)  # [head]; 0 is the root


class _Linked:
    """Holds the way to the other words outside the fields, so that `asdict` does not take it."""

    __slots__ = ("_links",)
    _links: _Links


@read_only
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Word(_Linked):
    """A word of a sentence, counted from 1. Text columns hold `_` where nothing is given.

    `head` is a word and `head_id` its number, which is 0 for the root of the tree.
    """

    id: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head_id: int | None
    relation: str
    deps: str
    misc: str

    @property
    def sentence(self) -> Sentence:
        """The sentence it is in."""
        return self._links.sentence

    @property
    def text(self) -> str:
        """Its form."""
        return self.form

    @property
    def tag(self) -> str:
        """UPOS, or XPOS where there is none."""
        return self.upos if self.upos != MISSING else self.xpos

    @property
    def morph(self) -> Mapping[str, str]:
        """FEATS as a mapping: `word.morph.get("Number")`."""
        pairs = (item.partition("=") for item in self.feats.split("|"))
        return {name: value for name, equals, value in pairs if equals}

    @property
    def start(self) -> int | None:
        """Where it starts in the text of its document; None if it cannot be found there.

        Words of a multiword token (`don't`) share its position.
        """
        span = self._links.spans[self.id - 1]
        return None if span is None else span[0]

    @property
    def end(self) -> int | None:
        """Where it ends, as `start` says where it starts."""
        span = self._links.spans[self.id - 1]
        return None if span is None else span[1]

    @property
    def head(self) -> "Word | None":
        """The word it depends on; None for the root, and where there is no head."""
        return self._links.words[self.head_id - 1] if self.head_id else None

    @property
    def parent(self) -> "Word | None":
        """Another name of `head`."""
        return self.head

    @property
    def children(self) -> tuple["Word", ...]:
        """The words that depend on it, in their order."""
        return tuple(self._links.children[self.id])

    @property
    def subtree(self) -> tuple["Word", ...]:
        """It and all words below it, in their order."""
        found, waiting, seen = [], [self], {self.id}
        while waiting:
            word = waiting.pop()
            found.append(word)
            new = [one for one in word.children if one.id not in seen]  # a treebank may have cycles
            seen.update(one.id for one in new)
            waiting += new
        return tuple(sorted(found, key=lambda word: word.id))

    def note(self, name: str) -> str | None:
        """The value of an item of MISC, as `SpaceAfter` or `HeadProb`; None if it is not there."""
        return noted(self.misc, name)

    @property
    def head_probability(self) -> float | None:
        """How likely its head is; None unless marginals were asked for (`HeadProb` in MISC)."""
        return noted_number(self.misc, "HeadProb")

    @property
    def relation_probability(self) -> float | None:
        """How likely its relation is, given the tree; None as above (`LabelProb` in MISC)."""
        return noted_number(self.misc, "LabelProb")

    def __getattr__(self, name: str) -> object:
        """Name the attribute that was probably meant."""
        raise unknown_attribute(self, name)

    def __reduce__(self) -> tuple[object, ...]:
        """A copy is the same word of a copy of the sentence, and not a word without one."""
        return getitem, (self.sentence, self.id - 1)

    def __repr__(self) -> str:
        return f"<Word {self.id} {shortened(self.form)} {self.tag} {self.relation}>"

    def __str__(self) -> str:
        return self.form


def noted(misc: str, name: str) -> str | None:
    """The value of an item of MISC; None if it is not there."""
    for item in misc.split("|"):
        key, equals, value = item.partition("=")
        if equals and key == name:
            return value
    return None


def noted_number(misc: str, name: str) -> float | None:
    """The same, of a number."""
    return finite_number(noted(misc, name))


def commented_number(sentence: Sentence, key: str) -> float | None:
    """The number in a comment of a sentence, if there is one."""
    return finite_number(sentence.comment(key))


def finite_number(text: str | None) -> float | None:
    """The number that a text is; None of what someone else has written there."""
    try:
        number = math.nan if text is None else float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def words_of(sentence: Sentence) -> tuple[Word, ...]:
    """New words for a sentence, which keeps them."""
    links = _Links(sentence, spans_of(sentence))
    rows = zip(*all_columns(sentence), strict=True)
    links.words.extend(Word(number, *row) for number, row in enumerate(rows, 1))
    links.children.extend([] for _ in range(len(sentence) + 1))
    for word in links.words:
        object.__setattr__(word, "_links", links)
        if word.head_id is not None:
            links.children[word.head_id].append(word)
    return tuple(links.words)


def spans_of(sentence: Sentence) -> Sequence[Span | None]:
    """Where each word is in the text of its document; None for all if tokens and text differ."""
    try:
        return [(sentence.start + a, sentence.start + b) for a, b in sentence.offsets()]
    except InputError:
        return [None] * len(sentence)

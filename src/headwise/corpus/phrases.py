"""Noun phrases by the relations of Universal Dependencies, without clauses and prepositions.

A phrase is a noun, a name or a pronoun and what belongs to it to its left and right without a gap:
"the two old dogs", but of "a letter from Rome that nobody expected" only "a letter" and "Rome".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from reprlib import repr as shortened

from headwise.corpus.sentence import Sentence
from headwise.corpus.word import Word

NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})

NAMED_TOGETHER = frozenset({"compound", "fixed", "flat", "goeswith"})
"""Relations of words that are a part of the name that their head begins or ends."""

INSIDE = NAMED_TOGETHER | {"amod", "det", "nmod:poss", "nummod", "clf"}
"""Relations of words within the phrase of their head."""


@dataclass(frozen=True, slots=True, repr=False)
class Phrase:
    """Neighbouring words of a sentence and the one that the others depend on."""

    words: tuple[Word, ...]
    root: Word

    @property
    def text(self) -> str:
        """The phrase as the text has it; its forms if it cannot be found there."""
        start, end, sentence = self.start, self.end, self.root.sentence
        if start is None or end is None:
            return " ".join(word.form for word in self.words)
        return sentence.text[start - sentence.start : end - sentence.start]

    @property
    def start(self) -> int | None:
        """Where it starts in the text of its document."""
        return self.words[0].start

    @property
    def end(self) -> int | None:
        """Where it ends."""
        return self.words[-1].end

    def __len__(self) -> int:
        """The number of words."""
        return len(self.words)

    def __iter__(self) -> Iterator[Word]:
        """The words, one after the other."""
        return iter(self.words)

    def __repr__(self) -> str:
        return f"<Phrase {shortened(self.text)}>"


def noun_phrases(sentence: Sentence) -> tuple[Phrase, ...]:
    """The noun phrases of a sentence, in order; none is part of another."""
    nouns = [word for word in sentence.words if word.upos in NOMINAL]
    phrases = [Phrase(unbroken(noun), noun) for noun in nouns]
    inner = {word for phrase in phrases for word in phrase.words if word is not phrase.root}
    return tuple(phrase for phrase in phrases if phrase.root not in inner)


def belongs(word: Word) -> bool:
    """Whether a word is within the phrase of its head; of subtypes only those listed, and names."""
    return word.relation in INSIDE or word.relation.partition(":")[0] in NAMED_TOGETHER | {"det"}


def unbroken(head: Word) -> tuple[Word, ...]:
    """A head and the words of its phrase, as far as they stand beside each other."""
    inside = {head}
    for child in head.children:
        if belongs(child):
            inside.update(child.subtree)
    words = head.sentence.words
    first = last = head.id - 1
    while first > 0 and words[first - 1] in inside:
        first -= 1
    while last + 1 < len(words) and words[last + 1] in inside:
        last += 1
    return words[first : last + 1]

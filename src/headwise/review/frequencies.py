"""Smoothed frequencies: the background model of tags and relations.

    b(value | key) = (count(key, value) + p(value)) / (count(key) + 1)

The key of a tag is the word form, that of a relation the word's UPOS. So a new tag of a frequent
word is less likely than a tag of an unseen word.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from headwise.corpus.sentence import Sentence
from headwise.review.opinions import ATTRIBUTES


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """Counts of the values of a column, overall and by key."""

    column: str
    values: Counter[str] = field(default_factory=Counter)
    keys: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)

    @classmethod
    def of(cls, column: str, sentences: Sequence[Sentence]) -> "Frequencies":
        """Count the values of a column."""
        found = cls(column)
        for one in sentences:
            keys, values = found.keys_of(one), getattr(one, ATTRIBUTES[column])
            found.values.update(values)
            found.keys.update(keys)
            found.pairs.update(zip(keys, values, strict=True))
        return found

    def keys_of(self, sentence: Sentence) -> Sequence[str]:
        """The key of every word."""
        if self.column == "deprel":
            return sentence.upos
        return [form.lower() for form in sentence.forms]

    def chance(self, key: str, value: str) -> float:
        """The smoothed probability of a value, seen or unseen."""
        prior = (self.values[value] + 1) / (self.values.total() + len(self.values) + 1)
        return (self.pairs[key, value] + prior) / (self.keys[key] + 1)

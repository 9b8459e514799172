"""Lexical probabilities: P(word | tag symbol), also for unknown words.

Computed by Bayes' rule from P(symbol | word), which for rare words is smoothed with that of similar
words: by capitals, digits, hyphens and suffix (`word_class`). Rare words stand in for unknown ones.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

import numpy as np

from headwise.constituency.annotation import Symbol
from headwise.corpus.constituents import escape
from headwise.kernels.constituents.treechart import Words

_ENDING = re.compile(
    "(ing|ed|s|ly|ion|er|est|al|ity|y|able|ible|ive|ous|ment|ness|ic|an|en|or|ist|ism|us|ful|less)$"
)
_NUMBER = re.compile(r"[\d.,:/\\-]*\d[\d.,:/\\-]*")

WELL_KNOWN = 20
"""A more frequent word has only the tags that it was seen with."""

CLASS_WEIGHT, RARE_WEIGHT = 5.0, 5.0
"""Pseudo-counts of a word's class, and within a class of all rare words."""

RARE = 2
"""A word that is seen no more often stands in for unknown ones of its class."""

Entry = tuple[tuple[int, float], ...]
"""The tag symbols of a word, each with log P(word | symbol)."""


@lru_cache(maxsize=1 << 14)
def word_class(word: str, is_first: bool) -> str:
    """The class of a word by its shape: `Xx~s` is capitalised, not first, and ends in s."""
    if _NUMBER.fullmatch(word):
        return "0"
    if not any(letter.isalnum() for letter in word):
        return "."
    shape = "x"
    if word[0].isupper():
        shape = "X" if word.isupper() and len(word) > 1 else "Xx"
        shape = f"{shape}1" if is_first else shape
    if any(letter.isdecimal() for letter in word):
        shape += "0"
    if "-" in word:
        shape += "-"
    ending = _ENDING.search(word.lower()) if len(word) > 3 else None
    return f"{shape}~{ending[0]}" if ending else shape


def spellings(form: str) -> Iterator[str]:
    """The possible spellings of a form in a treebank: as it is, or with escapes (`1\\/2`)."""
    yield form
    escaped = escape(form)
    yield escaped
    yield escaped.replace("/", r"\/").replace("*", r"\*")


@dataclass(frozen=True, slots=True, eq=False)
class PcfgLexicon:
    """The tags of known words, of word classes, and of all other words."""

    words: Mapping[str, Entry]
    classes: Mapping[str, Entry]
    others: Entry
    tags: tuple[str, ...]  # [symbol]: its tag; empty if it is not one

    def look_up(self, forms: Sequence[str], tags: Sequence[str] | None = None) -> Words:
        """The symbols of the words of a sentence, restricted to `tags` if given.

        Tags that the grammar does not have are ignored.
        """
        starts, symbols, weights = [0], [], []
        for at, form in enumerate(forms):
            known = filter(None, map(self.words.get, spellings(form)))
            entry = next(known, None)
            if entry is None:
                entry = self.classes.get(word_class(form, at == 0), self.others)
            if tags is not None:
                entry = self.of_tag(entry, tags[at])
            symbols += [symbol for symbol, _ in entry]
            weights += [weight for _, weight in entry]
            starts.append(len(symbols))
        return Words(
            np.array(starts, np.int32), np.array(symbols, np.int32), np.array(weights, np.float64)
        )

    def of_tag(self, entry: Entry, tag: str) -> Entry:
        """The part of an entry that is compatible with a tag."""
        if not tag:  # which would be that of every symbol that is not a tag
            return entry
        fitting = tuple(pair for pair in entry if self.tags[pair[0]] == tag)
        return (
            fitting or tuple((x, 0.0) for x, name in enumerate(self.tags) if name == tag) or entry
        )


class WordCounts:
    """Counts of the tag symbols of words and word classes."""

    def __init__(self) -> None:
        self.words: dict[str, Counter[Symbol]] = defaultdict(Counter)
        self.tokens: list[tuple[str, bool, Symbol]] = []

    def count(self, word: str, is_first: bool, symbol: Symbol) -> None:
        """Count one word."""
        self.words[word][symbol] += 1
        self.tokens.append((word, is_first, symbol))

    def symbols(self) -> list[Symbol]:
        """All tag symbols."""
        return list(Counter(symbol for _, _, symbol in self.tokens))

    def lexicon(self, numbers: Mapping[Symbol, int]) -> PcfgLexicon:
        """The lexicon estimated from the counts, over numbered symbols."""
        made = _LexiconMaker(self, numbers)
        words = {word: made.word_entry(word, seen) for word, seen in self.words.items()}
        classes = {name: made.class_entry(name) for name in made.classes}
        tags = tuple(symbol.label if symbol.is_tag else "" for symbol in numbers)
        return PcfgLexicon(words, classes, made.class_entry(""), tags)


class _LexiconMaker:
    """Estimates probabilities from counts."""

    def __init__(self, counts: WordCounts, numbers: Mapping[Symbol, int]) -> None:
        self.numbers = numbers
        self.classes: dict[str, Counter[Symbol]] = defaultdict(Counter)
        self.totals = Counter(symbol for _, _, symbol in counts.tokens)
        for word, is_first, symbol in counts.tokens:
            if counts.words[word].total() <= RARE:
                self.classes[word_class(word, is_first)][symbol] += 1
        rare = sum(self.classes.values(), Counter[Symbol]()) or self.totals
        self.prior = {symbol: count / rare.total() for symbol, count in rare.items()}
        self.known: dict[str, dict[Symbol, float]] = {}

    def of_class(self, name: str) -> dict[Symbol, float]:
        """P(symbol | word class), smoothed with that of all rare words."""
        if name not in self.known:
            seen = self.classes.get(name, Counter())
            total = seen.total() + RARE_WEIGHT
            self.known[name] = {
                symbol: (seen[symbol] + RARE_WEIGHT * p) / total for symbol, p in self.prior.items()
            }
        return self.known[name]

    def word_entry(self, word: str, seen: Counter[Symbol]) -> Entry:
        """The tags of a seen word: its own, and those of its class."""
        total, weight = seen.total(), CLASS_WEIGHT
        alike = self.of_class(word_class(word, False))
        symbols = dict.fromkeys(seen) | (dict.fromkeys(alike) if total <= WELL_KNOWN else {})
        return tuple(
            self.pair(
                symbol, (seen[symbol] + weight * alike.get(symbol, 0.0)) / (total + weight), total
            )
            for symbol in symbols
        )

    def class_entry(self, name: str) -> Entry:
        """The tags of an unknown word of a class."""
        return tuple(self.pair(symbol, p, 1) for symbol, p in self.of_class(name).items())

    def pair(self, symbol: Symbol, p: float, times: int) -> tuple[int, float]:
        """Convert P(symbol | word), of a word seen `times` times, into P(word | symbol)."""
        return self.numbers[symbol], log(p * times / self.totals[symbol])

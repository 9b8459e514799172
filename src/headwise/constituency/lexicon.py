"""Words under tags: P(word | tag symbol), also for words never seen.

By Bayes' rule from P(symbol | word), which for a rare word leans on what is known of words of its
kind: capitals, digits, hyphens and the ending (`word_class`). Words seen once stand for those never
seen. The probability of the word itself is the same under every tag, and left out for unknown words.
"""

import re
from collections import Counter, defaultdict
from math import log

from headwise.constituency.annotation import Symbol

ENDINGS = re.compile(
    r"(ing|ed|s|ly|ion|er|est|al|ity|y|able|ible|ive|ous|ment|ness|ic|an|en|or|ist|ism|us|ful|less)$"
)
_NUMBER = re.compile(r"[\d.,:/\\-]*\d[\d.,:/\\-]*")

Entry = tuple[tuple[Symbol, float], ...]
"""The tag symbols a word may have, and the logarithm of P(word | symbol)."""


def word_class(word: str, is_first: bool) -> str:
    """What an unknown word looks like: `Xx-s` is capitalised, not first, and ends in s."""
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
    ending = ENDINGS.search(word.lower()) if len(word) > 3 else None
    return f"{shape}~{ending[0]}" if ending else shape


class WordCounts:
    """How often words, and kinds of words, had their tag symbols."""

    def __init__(self, weight: float, class_weight: float, rare: int) -> None:
        """How many sightings the kind of a word is worth, and all words; what counts as rare."""
        self.weight = weight
        self.class_weight = class_weight
        self.rare = rare
        self.words: dict[str, Counter[Symbol]] = defaultdict(Counter)
        self.classes: dict[str, Counter[Symbol]] = defaultdict(Counter)
        self.symbols: Counter[Symbol] = Counter()
        self.tokens: list[tuple[str, bool, Symbol]] = []

    def count(self, word: str, is_first: bool, symbol: Symbol) -> None:
        """Learn from one word."""
        self.words[word][symbol] += 1
        self.symbols[symbol] += 1
        self.tokens.append((word, is_first, symbol))

    def finish(self) -> None:
        """Learn kinds of words from the rare ones."""
        for word, is_first, symbol in self.tokens:
            if self.words[word].total() <= self.rare:
                self.classes[word_class(word, is_first)][symbol] += 1
        self.tokens.clear()
        self.rare_symbols = sum(self.classes.values(), Counter[Symbol]())

    def of_class(self, name: str) -> dict[Symbol, float]:
        """P(symbol | kind of word), leaning on that of all rare words."""
        everything = self.rare_symbols or self.symbols
        total = everything.total()
        seen = self.classes.get(name, Counter())
        weight = self.class_weight
        return {
            symbol: (seen[symbol] + weight * count / total) / (seen.total() + weight)
            for symbol, count in everything.items()
        }

    def word_entry(self, word: str) -> Entry:
        """The tags of a word that was seen: those it had, and those that such words have."""
        seen = self.words[word]
        total, tokens = seen.total(), self.symbols.total()
        alike = self.of_class(word_class(word, False))
        both = {**{symbol: 0.0 for symbol in seen}, **(alike if total <= 20 else {})}
        entry = []
        for symbol in both:
            p = (seen[symbol] + self.weight * alike.get(symbol, 0.0)) / (total + self.weight)
            entry.append((symbol, log(p * (total / tokens) / (self.symbols[symbol] / tokens))))
        return tuple(entry)

    def class_entry(self, name: str) -> Entry:
        """The tags of an unknown word of some kind."""
        tokens = self.symbols.total()
        scarce = 1.0 / tokens
        return tuple(
            (symbol, log(p * scarce / (self.symbols[symbol] / tokens)))
            for symbol, p in self.of_class(name).items()
        )

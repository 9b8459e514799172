"""Punctuation rules: which words are excluded from scores without punctuation.

The rule is applied to the gold sentence, so that every system is scored on the same words.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Literal

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError

Column = Literal["forms", "upos", "xpos"]

COLUMN_TITLES: dict[Column, str] = {"forms": "FORM", "upos": "UPOS", "xpos": "XPOS"}


@dataclass(frozen=True, slots=True)
class PunctuationRule:
    """Words whose tag is in `tags` are punctuation; with column `forms`, their form decides."""

    name: str
    column: Column
    tags: frozenset[str] = frozenset()

    def values(self, sentence: Sentence) -> tuple[str, ...]:
        """The column that the rule reads."""
        values: tuple[str, ...] = getattr(sentence, self.column)
        return values

    def marks(self, sentence: Sentence) -> Iterable[bool]:
        """For every word whether it is punctuation."""
        if self.column == "forms":
            return map(is_punctuation_form, sentence.forms)
        return map(self.tags.__contains__, self.values(sentence))

    def is_given(self, sentence: Sentence) -> bool:
        """Whether the sentence has anything in the column that the rule reads."""
        return not sentence.lacks(self.column)


RULES = {
    rule.name: rule
    for rule in (
        PunctuationRule("upos", "upos", frozenset({"PUNCT"})),
        # The usual English and Chinese evaluation, as in Ma & Zhao (2012), footnote 4.
        PunctuationRule("penn", "xpos", frozenset({"``", "''", ":", ",", "."})),
        PunctuationRule("chinese", "xpos", frozenset({"PU"})),
        PunctuationRule("unicode", "forms"),
    )
}
"""The named rules."""


def punctuation_rule(name: str) -> PunctuationRule:
    """The rule with this name."""
    try:
        return RULES[name]
    except KeyError:
        known = ", ".join(("auto", *RULES))
        raise UsageError(f"unknown punctuation rule {name!r}; choose from {known}") from None


def tag_rule(tags: Iterable[str], column: Literal["upos", "xpos"] = "xpos") -> PunctuationRule:
    """A rule for a custom set of tags."""
    listed = frozenset(tags)
    return PunctuationRule(" ".join(sorted(listed)), column, listed)


@lru_cache(maxsize=1 << 16)
def is_punctuation_form(form: str) -> bool:
    """Whether all characters are of a Unicode category P*, as in the CoNLL 2006 scorer.

    Symbols (S*) such as `$`, `+` and the backtick count as words, as they do there.
    """
    return bool(form) and all(unicodedata.category(char)[0] == "P" for char in form)


def complaint(rule: PunctuationRule, *, given: bool, found: bool) -> str | None:
    """Why no word was excluded as punctuation although some should have been, or None.

    A file without punctuation is fine; missing tags, or tags of another tag set than the rule
    expects, are not.
    """
    title = COLUMN_TITLES[rule.column]
    if not given:
        return (
            f"punctuation rule {rule.name!r} requires {title}, but the gold data has none; choose "
            f"another of the rules {', '.join(RULES)}"
        )
    if rule.column == "xpos" and not found:
        return (
            f"no word of the gold data has one of the XPOS tags {' '.join(sorted(rule.tags))} of "
            f"punctuation rule {rule.name!r}: no punctuation was excluded; is it the right rule?"
        )
    return None


AUTOMATIC = "auto"
_LOOKED_AT = 200  # sentences that decide which columns a file has


def with_rule(
    sentences: Iterable[Sentence], rule: PunctuationRule | str
) -> tuple[Iterator[Sentence], PunctuationRule]:
    """The sentences and the rule; `auto` chooses one by the first sentences."""
    stream = iter(sentences)
    if isinstance(rule, PunctuationRule):
        return stream, rule
    if rule != AUTOMATIC:
        return stream, punctuation_rule(rule)
    first = list(islice(stream, _LOOKED_AT))
    return chain(first, stream), guessed_rule(first)


def guessed_rule(sentences: Iterable[Sentence]) -> PunctuationRule:
    """The first rule whose tags occur: UPOS, Chinese or Penn tags, or else word forms."""
    found = list(sentences)
    for name in ("upos", "chinese", "penn"):
        if any(any(RULES[name].marks(sentence)) for sentence in found):
            return RULES[name]
    return RULES["unicode"]

"""What counts as punctuation: a rule that the caller chooses.

The rule always looks at the gold sentence, so that every system is scored on the same words.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Literal

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import UsageError

Column = Literal["forms", "upos", "xpos"]

COLUMN_TITLES: dict[Column, str] = {"forms": "FORM", "upos": "UPOS", "xpos": "XPOS"}


@dataclass(frozen=True, slots=True)
class PunctuationRule:
    """Words are punctuation whose tag is in `tags`, or whose form is (column `forms`)."""

    name: str
    column: Column
    tags: frozenset[str] = frozenset()

    def values(self, sentence: Sentence) -> tuple[str, ...]:
        """The column that the rule reads."""
        if self.column == "forms":
            return sentence.forms
        return sentence.upos if self.column == "upos" else sentence.xpos

    def marks(self, sentence: Sentence) -> Iterable[bool]:
        """For every word whether it is punctuation."""
        if self.column == "forms":
            return map(is_punctuation_form, sentence.forms)
        return map(self.tags.__contains__, self.values(sentence))

    def is_given(self, sentence: Sentence) -> bool:
        """Whether the sentence has anything in the column that the rule reads."""
        return any(value != MISSING for value in self.values(sentence))


RULES = {
    rule.name: rule
    for rule in (
        PunctuationRule("upos", "upos", frozenset({"PUNCT"})),
        # Paper 002, footnote 4: the English and the Chinese evaluation of the literature.
        PunctuationRule("penn", "xpos", frozenset({"``", "''", ":", ",", "."})),
        PunctuationRule("chinese", "xpos", frozenset({"PU"})),
        PunctuationRule("unicode", "forms"),
    )
}
"""The rules that have a name."""


def punctuation_rule(name: str) -> PunctuationRule:
    """The rule called `name`."""
    try:
        return RULES[name]
    except KeyError:
        known = ", ".join(("auto", *RULES))
        raise UsageError(f"no punctuation rule is called {name!r}; there are {known}") from None


def tag_rule(tags: Iterable[str], column: Literal["upos", "xpos"] = "xpos") -> PunctuationRule:
    """A rule for a tag set of one's own."""
    listed = frozenset(tags)
    return PunctuationRule(" ".join(sorted(listed)), column, listed)


@lru_cache(maxsize=1 << 16)
def is_punctuation_form(form: str) -> bool:
    """Whether all characters are of a Unicode category P*, as in the CoNLL 2006 scorer.

    Symbols (S*) such as `$`, `+` and the backtick are words, as they were there.
    """
    return bool(form) and all(unicodedata.category(char)[0] == "P" for char in form)


def complaint(rule: PunctuationRule, *, given: bool, found: bool) -> str | None:
    """Why scores without punctuation leave nothing out although they should, or None.

    A file may well hold no punctuation; but tags that are absent, or of another tag set than
    the rule expects, must not pass for that.
    """
    title = COLUMN_TITLES[rule.column]
    if not given:
        return (
            f"punctuation is to be told by {title} (rule {rule.name!r}), but {title} is empty "
            f"throughout the gold data; choose another of the rules {', '.join(RULES)}"
        )
    if rule.column == "xpos" and not found:
        return (
            f"no word of the gold data has one of the XPOS tags {' '.join(sorted(rule.tags))} "
            f"(rule {rule.name!r}), so no word was left out as punctuation; is it the right rule?"
        )
    return None


AUTOMATIC = "auto"
_LOOKED_AT = 200  # sentences that tell which columns a file has


def with_rule(
    sentences: Iterable[Sentence], rule: PunctuationRule | str
) -> tuple[Iterator[Sentence], PunctuationRule]:
    """The sentences, and the rule, given or named; `auto` looks at what the first ones have."""
    stream = iter(sentences)
    if isinstance(rule, PunctuationRule):
        return stream, rule
    if rule != AUTOMATIC:
        return stream, punctuation_rule(rule)
    first = list(islice(stream, _LOOKED_AT))
    return chain(first, stream), guessed_rule(first)


def guessed_rule(sentences: Iterable[Sentence]) -> PunctuationRule:
    """The first rule whose tags occur: by UPOS, by Chinese or by Penn tags, or else by form."""
    found = list(sentences)
    for name in ("upos", "chinese", "penn"):
        if any(any(RULES[name].marks(sentence)) for sentence in found):
            return RULES[name]
    return RULES["unicode"]

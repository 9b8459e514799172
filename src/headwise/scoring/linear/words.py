"""How forms become the words of features, what words back off to (paper 001), and coarse tags."""

import re
from dataclasses import dataclass
from typing import Literal

from headwise.errors import UsageError
from headwise.storage.settings import check_types

Numbers = Literal["keep", "one", "chinese"]
Backoff = Literal["prefix", "lemma", "none"]
Coarse = Literal["penn", "chinese"]

_KEPT = {"penn": frozenset({"PRP$"}), "chinese": frozenset({"PU", "CD"})}
"""Tags that are as coarse as they can be."""

_NUMBER = re.compile(r"[+-]?\d[\d.,:/\u00a0 -]*(?:st|nd|rd|th|%)?")
_CHINESE_DIGITS = "零〇一二三四五六七八九十百千万萬亿億两兩0-9０-９"
_CHINESE = (
    (re.compile(rf"[{_CHINESE_DIGITS}]+月(?:份)?"), "MONTH"),
    (re.compile(rf"[{_CHINESE_DIGITS}]+[日号號]"), "DATE"),
    (re.compile(rf"[{_CHINESE_DIGITS}]+年"), "YEAR"),
    (re.compile(rf"第?[{_CHINESE_DIGITS}.,．，点點％%]+"), "NUMBER"),
)


@dataclass(frozen=True, slots=True)
class WordRules:
    """How words are made from forms.

    lowercase: whether to lowercase word forms.
    numbers: `keep` them, make them all `one` token, or, for `chinese`, MONTH, DATE, YEAR, NUMBER.
    backoff: what a word backs off to: its first `length` characters (`prefix`), its `lemma`, or
        `none`.
    length: number of characters of a prefix.
    coarse: what stands for UPOS where there is only XPOS (paper 002, footnote 2): the first two
        characters, as `penn` tags have it, or all but the last, as `chinese` ones.
    """

    lowercase: bool = False
    numbers: Numbers = "keep"
    backoff: Backoff = "prefix"
    length: int = 5
    coarse: Coarse = "penn"

    def check(self) -> None:
        """Raise if a rule has no meaning."""
        check_types(self)
        if self.length < 1:
            raise UsageError(f"length: a prefix has 1 character or more, not {self.length}")

    def word(self, form: str) -> str:
        """The word that a form is an instance of."""
        if self.numbers == "one" and _NUMBER.fullmatch(form):
            return "NUMBER"
        if self.numbers == "chinese":
            for pattern, name in _CHINESE:
                if pattern.fullmatch(form):
                    return name
        return form.lower() if self.lowercase else form

    def prefix(self, word: str) -> str | None:
        """The prefix that a word backs off to; None if it backs off to nothing, or a lemma."""
        backs_off = self.backoff == "prefix" and len(word) > self.length
        return word[: self.length] if backs_off else None

    def prefix_or_word(self, form: str) -> str:
        """What stands in the place of a word where one of two backs off: its prefix, or itself."""
        word = self.word(form)
        return self.prefix(word) or word

    def coarse_tag(self, xpos: str) -> str:
        """The coarse tag that a fine one belongs to."""
        if xpos in _KEPT[self.coarse] or len(xpos) < 2:
            return xpos
        return xpos[:2] if self.coarse == "penn" else xpos[:-1]

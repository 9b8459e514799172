"""Normalisation of word forms, back-off (Corston-Oliver et al. 2006), and coarse tags."""

import re
from dataclasses import dataclass
from typing import Literal

from headwise.errors import UsageError
from headwise.storage.settings import check_types

Numbers = Literal["keep", "one", "chinese", "any", "any-chinese"]
Backoff = Literal["prefix", "lemma", "none"]
Coarse = Literal["penn", "chinese"]

_KEPT = {"penn": frozenset({"PRP$"}), "chinese": frozenset({"PU", "CD"})}
"""Tags that are not shortened."""

_NUMBER = re.compile(r"[+-]?\d[\d.,:/\u00a0 -]*(?:st|nd|rd|th|%)?")
_ANY_NUMBER = re.compile(
    r"[+-]?(?:\d[\d.,:/\u00a0 -]*|\.\d+)(?:st|nd|rd|th|%)?"  # as above, and .5
    r"|['’]?\d{2,4}['’]?s"  # 1990s, '90s
)
_CHINESE_DIGITS = "零〇一二三四五六七八九十百千万萬亿億两兩0-9０-９"
_CHINESE = (
    (re.compile(rf"[{_CHINESE_DIGITS}]+月(?:份)?"), "MONTH"),
    (re.compile(rf"[{_CHINESE_DIGITS}]+[日号號]"), "DATE"),
    (re.compile(rf"[{_CHINESE_DIGITS}]+年"), "YEAR"),
    (re.compile(rf"第?[{_CHINESE_DIGITS}.,．，点點％%]+"), "NUMBER"),
)
_ANY_CHINESE = (
    *_CHINESE,
    (re.compile(rf"第?[{_CHINESE_DIGITS}.,．，点點％%]+[多余餘几幾来來]"), "NUMBER"),  # 30多
    (re.compile(rf"[几幾数數][{_CHINESE_DIGITS}]+"), "NUMBER"),  # 数十
    (_ANY_NUMBER, "NUMBER"),
)
_CLASSES: dict[Numbers, tuple[tuple[re.Pattern[str], str], ...]] = {
    "keep": (),
    "one": ((_NUMBER, "NUMBER"),),
    "chinese": _CHINESE,
    "any": ((_ANY_NUMBER, "NUMBER"),),
    "any-chinese": _ANY_CHINESE,
}
"""Models know their numbers by these names: what a name stands for does not change."""


@dataclass(frozen=True, slots=True)
class WordRules:
    """How words are made from forms.

    lowercase: whether to lowercase word forms.
    numbers: `keep` them, replace them by `one` token, or, for `chinese`, by MONTH, DATE, YEAR,
        NUMBER; `any` and `any-chinese` do the same, and know .5, 1990s and 30多 as well.
    backoff: what a word backs off to: its first `length` characters (`prefix`), if it has more, its
        `lemma`, or nothing (`none`).
    length: number of characters of a prefix.
    coarse: how to coarsen XPOS where UPOS is missing (Ma & Zhao 2012, footnote 2): the first two
        characters, for `penn` tags, or all but the last, for `chinese` ones.
    """

    lowercase: bool = False
    numbers: Numbers = "keep"
    backoff: Backoff = "prefix"
    length: int = 5
    coarse: Coarse = "penn"

    def check(self) -> None:
        """Raise if a rule is invalid."""
        check_types(self)
        if self.length < 1:
            raise UsageError(f"length must be at least 1, not {self.length}")

    def word(self, form: str) -> str:
        """The normalised word of a form."""
        for pattern, name in _CLASSES[self.numbers]:
            if pattern.fullmatch(form):
                return name
        return form.lower() if self.lowercase else form

    def prefix(self, word: str) -> str | None:
        """The prefix that a word backs off to, if any."""
        backs_off = self.backoff == "prefix" and len(word) > self.length
        return word[: self.length] if backs_off else None

    def prefix_or_word(self, form: str) -> str:
        """The prefix that a word backs off to, or else the word."""
        word = self.word(form)
        return self.prefix(word) or word

    def coarse_tag(self, xpos: str) -> str:
        """The coarse tag of a fine one."""
        if xpos in _KEPT[self.coarse] or len(xpos) < 2:
            return xpos
        return xpos[:2] if self.coarse == "penn" else xpos[:-1]

"""Tag reductions: which characters of an XPOS tag count.

Tags of rich morphology have hundreds of values, most of them too rare to learn from. Reductions are
data. The files of this package and a user's own have one rule a line, and the first that applies
counts:

    keep 1 5 where 5 is 1 2 3 4 5 6 7      part of speech and case
    keep 1-2                               else the first two characters

Dropped characters before the last one kept become `-` (`NNFS1-----A----` is reduced to `N---1`), so
that no two rules give the same. `@length 15` says that the rules are for tags of that length;
others stay whole, as do those that no rule applies to. The format is explained in
docs/tag-reductions.md.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from headwise.corpus.files import named_lines
from headwise.corpus.sentence import MISSING
from headwise.errors import FormatError, SourceLocation, UsageError, quoted

REDUCTION_SETS = ("collins", "major-minor", "arabic", "penn", "chinese", "upos")
"""The reductions that come with the package."""

BY_DEFAULT = ("collins", "arabic")
"""Those that are chosen by themselves for tag sets that look like theirs."""

MOST_TAGS = 100
"""With no more distinct tags, none is reduced by default."""

_FIRST = re.compile(r"first-([1-9]\d?)")
_SPAN = re.compile(r"([1-9]\d{0,2})(?:-([1-9]\d{0,2}))?")
_SPANS = {"all": (1, 1 << 30), "all-but-last": (1, -1), "none": (1, 0)}


@dataclass(frozen=True, slots=True)
class Rule:
    """Which characters to keep of which tags."""

    text: str
    spans: tuple[tuple[int, int], ...]  # first and last of them; a negative one is from the end
    position: int = 0  # of the character that decides; 0 for the whole tag
    values: frozenset[str] | None = None  # what it may be; None for anything

    @classmethod
    def parse(cls, line: str) -> "Rule":
        """`keep 1 5-6`, `keep 1 5 where 5 is 1 2 3`, `keep all where tag is PU CD`."""
        verb, *words = line.split()
        kept, condition = words, list[str]()
        if "where" in words:
            where = words.index("where")
            kept, condition = words[:where], words[where + 1 :]
        if verb != "keep" or not kept:
            raise UsageError(f"{quoted(line)} is not a rule: write, e.g., `keep 1-2`")
        spans = tuple(map(_span, kept))
        if "where" not in words:
            return cls(line, spans)
        if len(condition) < 3 or condition[1] != "is":
            raise UsageError(f"{quoted(line)}: write `where 5 is 1 2 3`, or `where tag is PU CD`")
        position = 0 if condition[0] == "tag" else _span(condition[0])[0]
        return cls(line, spans, position, frozenset(condition[2:]))

    def applies(self, tag: str) -> bool:
        """Whether this rule is of such a tag."""
        if self.values is None:
            return True
        return (tag[self.position - 1 : self.position] if self.position else tag) in self.values

    def reduced(self, tag: str) -> str:
        """What is kept of a tag; `_` if it is nothing."""
        size = len(tag)
        spans = [(first, last if last >= 0 else size + last) for first, last in self.spans]
        kept = [any(first <= i <= last for first, last in spans) for i in range(1, size + 1)]
        both = zip(tag, kept, strict=True)
        whole = "".join(character if keep else "-" for character, keep in both)
        return whole[: max((i for i, keep in enumerate(kept, 1) if keep), default=0)] or MISSING


def _span(text: str) -> tuple[int, int]:
    """Positions from one to another, counted from 1."""
    if text in _SPANS:
        return _SPANS[text]
    found = _SPAN.fullmatch(text)
    if found is None:
        raise UsageError(f"{quoted(text)} is not a position: write, e.g., 5, 1-2, all or none")
    return int(found[1]), int(found[2] or found[1])


@dataclass(frozen=True, slots=True)
class TagReduction:
    """Rules by which tags are reduced; without any, tags stay whole."""

    rules: tuple[Rule, ...] = ()
    length: int | None = None  # of the tags that the rules are of

    @classmethod
    def parse(cls, lines: Iterable[str], path: str | None = None) -> "TagReduction":
        """A reduction from the lines of a file."""
        rules, length = list[Rule](), None
        for number, line in enumerate(lines, 1):
            words = line.split()
            try:
                if words[:1] == ["@length"] and len(words) == 2:
                    length = _span(words[1])[0]
                elif words and words[0] != "#":
                    rules.append(Rule.parse(" ".join(words)))
            except UsageError as error:
                raise FormatError(str(error), SourceLocation(path, number)) from None
        if not rules:
            raise FormatError("there is no tag reduction in this file", SourceLocation(path))
        return cls(tuple(rules), length)

    @classmethod
    def load(cls, name: str | Path) -> "TagReduction":
        """The reduction of that name (`none`, `first-N`, a set) or of a user's file."""
        if name == "none":
            return WHOLE
        if first := _FIRST.fullmatch(str(name)):
            return cls((Rule.parse(f"keep 1-{first[1]}"),))
        own = ("first-N", "none")
        return cls.parse(*named_lines(name, REDUCTION_SETS, "tagreductions", "tag reduction", own))

    def rows(self) -> list[str]:
        """The lines of a file that say the same, as models keep them."""
        own = [] if self.length is None else [f"@length {self.length}"]
        return own + [rule.text for rule in self.rules]

    def speaks_of(self, tag: str) -> bool:
        """Whether a tag has the length of the tags that the rules are of."""
        return self.length in (None, len(tag))

    def reduced(self, tag: str) -> str:
        """What is left of a tag."""
        if not self.speaks_of(tag):
            return tag
        return next((rule.reduced(tag) for rule in self.rules if rule.applies(tag)), tag)


WHOLE = TagReduction()
"""Reduces nothing."""


def default_reduction(tags: Collection[str], *, with_upos: bool) -> str:
    """The name of what is right for a tag set, given all its values.

    Few values stay as they are. Many are reduced as those they look like, or else left out, if
    there are coarse tags as well.
    """
    if len(tags) <= MOST_TAGS:
        return "none"
    for name in BY_DEFAULT:
        if all(map(TagReduction.load(name).speaks_of, tags)):
            return name
    return "upos" if with_upos else "first-2"

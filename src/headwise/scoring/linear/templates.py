"""Arc templates: a row names the atoms of a feature, and how they are conjoined.

    distance   h.tag h+1.tag m-1.tag m.tag
    direction  h.word m.word
    plain      h.tag b.tag m.tag

The first word is the conjunction:

    plain      alone, and once more with direction and distance (McDonald et al. 2005)
    distance   with direction, and once more with direction and distance
    direction  with direction only

Then come atoms: of the head (`h`) and the modifier (`m`), at an offset (`h+1`, `m-2`), and of every
word between them (`b`). `counts` is the numbers of verbs, punctuation marks and conjunctions in
between. `guide` restricts a template to arcs that another parser proposes. A template with
`backoff` is used where one of its words has a back-off.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from headwise.corpus.files import read_lines
from headwise.errors import FormatError, SourceLocation, UsageError, quoted
from headwise.kernels.arcs.features import ArcTemplates, Sides
from headwise.kernels.arcs.kinds import Scoring
from headwise.scoring.linear.arcsets import FEATURE_SETS
from headwise.scoring.linear.atoms import ATOMS, TAG_LIKE
from headwise.scoring.linear.texttable import hash_text

CONJUNCTIONS = ("plain", "distance", "direction")
COUNTS = "counts"
GUIDE = "guide"
FILTERED = ("word", "backoff", "lemma")
"""Atoms that are rare enough for a filter of the pairs seen in training."""

_ATOM = re.compile(r"([hmb])([+-][1-9])?\.(\w+)")

Seen = tuple[str, int]  # an atom, and its offset from the token


@dataclass(frozen=True, slots=True)
class Template:
    """The atoms of a feature, and how they are conjoined."""

    conjoined: str
    head: tuple[Seen, ...] = ()
    modifier: tuple[Seen, ...] = ()
    between: str | None = None
    counts: bool = False
    guide: bool = False

    @classmethod
    def parse(cls, text: str, location: SourceLocation | None = None) -> "Template":
        """Parse a template from its row."""
        conjoined, *names = text.split()
        if conjoined not in CONJUNCTIONS:
            known = ", ".join(CONJUNCTIONS)
            raise FormatError(
                f"unknown conjunction {quoted(conjoined)}; choose from {known}", location
            )
        sides: dict[str, list[Seen]] = {"h": [], "m": [], "b": []}
        for name in names:
            if name in (COUNTS, GUIDE):
                continue
            found = _ATOM.fullmatch(name)
            if found is None or found[3] not in ATOMS:
                raise FormatError(
                    f"{quoted(name)} is not an atom: h, m or b, an offset, and one of "
                    f"{', '.join(ATOMS)}",
                    location,
                )
            sides[found[1]].append((found[3], int(found[2] or 0)))
        template = cls(
            conjoined,
            tuple(sides["h"]),
            tuple(sides["m"]),
            sides["b"][0][0] if sides["b"] else None,
            COUNTS in names,
            GUIDE in names,
        )
        template.check(len(sides["b"]), location)
        return template

    def check(self, words_between: int, location: SourceLocation | None) -> None:
        """Raise if the atoms cannot be combined."""
        atoms = {atom for atom, _ in (*self.head, *self.modifier)}
        if not self.head and not self.modifier and not self.guide:
            raise FormatError("a template needs atoms of the head or the modifier", location)
        if self.guide and (self.conjoined == "direction" or self.between or self.counts):
            raise FormatError("guide requires plain or distance, and nothing in between", location)
        if self.between and (words_between > 1 or not self.is_tag_only or self.counts):
            raise FormatError("a template with a word between can use tags only", location)
        if self.between and self.between not in TAG_LIKE:
            raise FormatError("words between can be used by their tags only", location)
        if self.conjoined == "direction" and (self.between or self.counts):
            raise FormatError("words between and counts require plain or distance", location)
        if "backoff" in atoms and (self.guide or self.counts):
            raise FormatError("guide and counts cannot be combined with backoff", location)
        if "backoff" in atoms and "word" in atoms:
            raise FormatError("a template can use word or backoff, not both", location)
        if any(atom == "backoff" and offset for atom, offset in (*self.head, *self.modifier)):
            raise FormatError("backoff is available at the head and modifier only", location)

    @property
    def is_tag_only(self) -> bool:
        """Whether only the tags of head and modifier are used."""
        return _is_tag(self.head) and _is_tag(self.modifier)

    @property
    def scoring(self) -> Scoring:
        """The cheapest way of scoring it."""
        if self.guide:
            return Scoring.GUIDED
        if self.between:
            return Scoring.BETWEEN
        if self.counts:
            return Scoring.COUNTING
        kind = self.kind
        return Scoring[f"NARROW_{kind}"] if self.conjoined == "direction" else Scoring[kind]

    @property
    def kind(self) -> str:
        """Which tokens it uses: the name of a way of scoring."""
        if self.is_tag_only:
            return "TAGS"
        if not self.modifier:
            return "HEAD_ALONE"
        return "PAIR" if self.head else "MODIFIER_ALONE"

    @property
    def filtered_by(self) -> int:
        """The index of the `FILTERED` atom that both ends use, or -1."""
        if self.scoring in (Scoring.PAIR, Scoring.NARROW_PAIR):
            for number, atom in enumerate(FILTERED):
                if (atom, 0) in self.head and (atom, 0) in self.modifier:
                    return number
        return -1

    def __str__(self) -> str:
        seen = [_name("h", *one) for one in self.head]
        seen += [f"b.{self.between}"] if self.between else []
        seen += [_name("m", *one) for one in self.modifier]
        extra = [name for name, is_seen in ((COUNTS, self.counts), (GUIDE, self.guide)) if is_seen]
        return " ".join([self.conjoined, *seen, *extra])


def _is_tag(seen: Iterable[Seen]) -> bool:
    return all(atom in TAG_LIKE and offset == 0 for atom, offset in seen)


def _backs_off(seen: Iterable[Seen]) -> bool:
    return ("backoff", 0) in seen


def _name(end: str, atom: str, offset: int) -> str:
    return f"{end}{offset:+d}.{atom}" if offset else f"{end}.{atom}"


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """Templates in the order in which they are scored."""

    templates: tuple[Template, ...]

    @classmethod
    def parse(cls, lines: Iterable[str], path: str | None = None) -> "FeatureSet":
        """Parse templates from rows; `#` starts a comment."""
        found: dict[str, Template] = {}
        for number, line in enumerate(lines, 1):
            row = line.partition("#")[0].strip()
            if not row:
                continue
            template = Template.parse(row, SourceLocation(path, number))
            if str(template) in found:
                raise FormatError(f"duplicate template {quoted(row)}", SourceLocation(path, number))
            found[str(template)] = template
        if not found:
            raise FormatError("there are no templates", SourceLocation(path))
        return cls(tuple(sorted(found.values(), key=_scoring_order)))

    @classmethod
    def load(cls, name: str | Path) -> "FeatureSet":
        """A set by name, or from a file."""
        if str(name) in FEATURE_SETS:
            return cls.parse(FEATURE_SETS[str(name)].splitlines(), str(name))
        if not Path(name).exists():
            known = ", ".join(FEATURE_SETS)
            raise UsageError(f"no feature set or file {str(name)!r}; sets are {known}")
        return cls.parse(read_lines(name), str(name))

    @property
    def atoms(self) -> frozenset[str]:
        """The atoms that any template uses."""
        ends = (side for one in self.templates for side in (one.head, one.modifier))
        between = {one.between for one in self.templates if one.between}
        return frozenset(atom for side in ends for atom, _ in side) | between

    def joined_with(self, other: "FeatureSet") -> "FeatureSet":
        """The templates of both sets."""
        both = dict.fromkeys((*self.templates, *other.templates))
        return FeatureSet(tuple(sorted(both, key=_scoring_order)))

    def compiled(self) -> ArcTemplates:
        """The templates as arrays for the kernels."""
        keys: dict[tuple[str, tuple[Seen, ...]], int] = {}
        heads = [keys.setdefault(("h", t.head), len(keys)) for t in self.templates]
        modifiers = [keys.setdefault(("m", t.modifier), len(keys)) for t in self.templates]
        seen = [one for _, side in keys for one in side]
        kinds = [t.scoring for t in self.templates]
        return ArcTemplates(
            sides=Sides(
                start=np.cumsum([0, *(len(side) for _, side in keys)]),
                atom=np.array([ATOMS.index(atom) for atom, _ in seen], np.int64),
                offset=np.array([offset for _, offset in seen], np.int64),
                salt=_hashes(f"{end} {side}" for end, side in keys),
            ),
            bounds=np.searchsorted(kinds, np.arange(len(Scoring) + 1)),
            head=np.array(heads, np.int64),
            modifier=np.array(modifiers, np.int64),
            between=np.array(
                [ATOMS.index(t.between) if t.between else -1 for t in self.templates], np.int64
            ),
            seed=_hashes(str(t) for t in self.templates),
            plain=np.array([t.conjoined == "plain" for t in self.templates]),
            head_backs_off=np.array([_backs_off(t.head) for t in self.templates]),
            modifier_backs_off=np.array([_backs_off(t.modifier) for t in self.templates]),
            group=np.array([t.filtered_by for t in self.templates], np.int64),
            filters=np.array([ATOMS.index(atom) for atom in FILTERED], np.int64),
        )


def _scoring_order(template: Template) -> tuple[int, int, bool, bool, str]:
    """Sort key: templates that apply to the same arcs are together."""
    backing = _backs_off(template.head), _backs_off(template.modifier)
    return template.scoring, template.filtered_by, *backing, str(template)


def _hashes(texts: Iterable[str]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array([hash_text(text) for text in texts], np.uint64)

"""Templates of higher-order parts: a row names the part type and the atoms it uses.

    sibling        h.tag s.tag m.tag
    grand-sibling  g.tag h.word s.tag m.tag
    stop           h.tag m.tag m+1.tag

Tokens are the grandparent (`g`), the head (`h`), the inner sibling (`r`), the sibling (`s`) and the
modifier (`m`; of a stop, the last modifier). Atoms are those of arcs, and `here`, which is only
whether there is such a token. All are conjoined with direction: that of the modifier from its head,
and in parts with a grandparent also that of the head from it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from headwise.errors import FormatError, SourceLocation, quoted
from headwise.kernels.arcs.features import Sides
from headwise.kernels.parts.scores import PartTemplates
from headwise.scoring.linear.atoms import ATOMS
from headwise.scoring.linear.texttable import hash_text
from headwise.search.parts import Part

ROLES = ("g", "h", "r", "s", "m")
HERE = "here"
SCORED_PARTS = (
    Part.SIBLING,
    Part.GRANDCHILD,
    Part.GRAND_SIBLING,
    Part.TRI_SIBLING,
    Part.GRAND_TRI_SIBLING,
    Part.STOP,
)
"""Part types in the order of the kernels."""

_ATOM = re.compile(r"([ghrsm])([+-][1-9])?\.(\w+)")

Seen = tuple[str, int]  # an atom, and its offset from the token


def roles_of(part: Part) -> frozenset[str]:
    """The tokens that a part has."""
    names = {"grandparent": "g", "head": "h", "inner sibling": "r", "sibling": "s"}
    found = {names[name] for name in part.indices if name in names}
    return frozenset(found | {"m"})


@dataclass(frozen=True, slots=True)
class PartTemplate:
    """A part type, and the atoms of its tokens."""

    part: Part
    seen: tuple[tuple[str, tuple[Seen, ...]], ...]  # token and its atoms, in the order of ROLES

    @classmethod
    def parse(cls, text: str, location: SourceLocation | None = None) -> "PartTemplate":
        """A template from its row."""
        label, *names = text.split()
        part = next((one for one in SCORED_PARTS if one.label == label), None)
        if part is None:
            known = ", ".join(one.label for one in SCORED_PARTS)
            raise FormatError(f"unknown part type {quoted(label)}; choose from {known}", location)
        sides: dict[str, list[Seen]] = {role: [] for role in ROLES}
        for name in names:
            found = _ATOM.fullmatch(name)
            if found is None or found[3] not in (*ATOMS, HERE):
                raise FormatError(f"{quoted(name)} is not an atom of a part's token", location)
            if found[1] not in roles_of(part):
                raise FormatError(f"a {label} part has no token {quoted(found[1])}", location)
            sides[found[1]].append((found[3], int(found[2] or 0)))
        if not names:
            raise FormatError("the template has no atoms", location)
        return cls(part, tuple((role, tuple(seen)) for role, seen in sides.items() if seen))

    def __str__(self) -> str:
        atoms = [
            f"{role}{offset:+d}.{atom}" if offset else f"{role}.{atom}"
            for role, seen in self.seen
            for atom, offset in seen
        ]
        return " ".join([self.part.label, *atoms])


@dataclass(frozen=True, slots=True)
class PartFeatureSet:
    """Templates of higher-order parts."""

    templates: tuple[PartTemplate, ...]

    @classmethod
    def parse(cls, rows: Iterable[str], path: str | None = None) -> "PartFeatureSet":
        """Parse templates from rows; `#` starts a comment."""
        found: dict[PartTemplate, None] = {}
        for number, line in enumerate(rows, 1):
            row = line.partition("#")[0].strip()
            if row:
                found.setdefault(PartTemplate.parse(row, SourceLocation(path, number)))
        order = {part: number for number, part in enumerate(SCORED_PARTS)}
        return cls(tuple(sorted(found, key=lambda one: (order[one.part], str(one)))))

    def only(self, parts: Sequence[Part]) -> "PartFeatureSet":
        """The templates of some part types."""
        return PartFeatureSet(tuple(one for one in self.templates if one.part in parts))

    @property
    def atoms(self) -> frozenset[str]:
        """The atoms that any template uses."""
        sides = (seen for template in self.templates for _, seen in template.seen)
        return frozenset(atom for seen in sides for atom, _ in seen if atom != HERE)

    def compiled(self) -> PartTemplates:
        """The templates as arrays for the kernels."""
        sides: dict[tuple[str, tuple[Seen, ...]], int] = {("", ()): 0}
        chosen = np.zeros((len(ROLES), len(self.templates)), np.int64)
        for number, template in enumerate(self.templates):
            for role, seen in template.seen:
                chosen[ROLES.index(role), number] = sides.setdefault((role, seen), len(sides))
        atoms = [
            [(ATOMS.index(atom), offset) for atom, offset in seen if atom != HERE]
            for _, seen in sides
        ]
        flat = [one for side in atoms for one in side]
        kinds = [SCORED_PARTS.index(template.part) for template in self.templates]
        return PartTemplates(
            sides=Sides(
                start=np.cumsum([0, *map(len, atoms)]),
                atom=np.array([atom for atom, _ in flat], np.int64),
                offset=np.array([offset for _, offset in flat], np.int64),
                salt=np.array([hash_text(f"part {side}") for side in sides], np.uint64),
            ),
            start=np.searchsorted(kinds, np.arange(len(SCORED_PARTS) + 1)),
            side=chosen,
            seed=np.array([hash_text(str(one)) for one in self.templates], np.uint64),
        )

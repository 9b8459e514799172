"""The part types: the factors that the score of a tree is a sum of.

A tree's score is the sum of the scores of its parts. Every word `m` of a tree is the modifier of
exactly one part of each type, found by looking up (its head `h`, the head `g` of its head) and
inwards (`s`, the modifier of `h` next to `m` on the side of `h`, and `r`, the one before `s`):

    g ──▶ h ──▶ r, s, m          (h < r < s < m, or the mirror image)

`STOP` parts belong to heads instead: every head has one on either side, naming its last (outermost)
modifier there.

Indices are always written in the order grandparent, head, siblings from the inside out, modifier.
A missing index is written as the head itself: `(h, h, m)` is the sibling part of the first
modifier `m` of `h` on its side, `(0, 0, m)` the grandchild part of a modifier of the root, and
`(h, side, h)` the STOP part of a head without modifiers on that side.
"""

from enum import Enum

LEFT, RIGHT = 0, 1
"""The sides of a head."""


class Part(Enum):
    """A part type: its name, whether it includes the grandparent, and how many siblings."""

    ARC = ("arc", False, 0)
    SIBLING = ("sibling", False, 1)
    GRANDCHILD = ("grandchild", True, 0)
    GRAND_SIBLING = ("grand-sibling", True, 1)
    TRI_SIBLING = ("tri-sibling", False, 2)
    GRAND_TRI_SIBLING = ("grand-tri-sibling", True, 2)
    STOP = ("stop", False, 0)

    def __init__(self, label: str, grand: bool, siblings: int) -> None:
        """Unpack the row of the table."""
        self.label = label
        self.grand = grand
        self.siblings = siblings

    @property
    def indices(self) -> tuple[str, ...]:
        """The names of the indices of a part of this type, in order."""
        if self is Part.STOP:
            return ("head", "side", "last")
        inner = (
            ("sibling",) if self.siblings == 1 else ("inner sibling", "sibling")[: self.siblings]
        )
        return (*(("grandparent",) if self.grand else ()), "head", *inner, "modifier")


class Factorisation(Enum):
    """What a decoder scores: its name, its order, and its largest part type."""

    ARCS = ("arcs", 1, Part.ARC)
    SIBLINGS = ("siblings", 2, Part.SIBLING)
    GRANDCHILDREN = ("grandchildren", 2, Part.GRANDCHILD)
    GRAND_SIBLINGS = ("grand-siblings", 3, Part.GRAND_SIBLING)
    TRI_SIBLINGS = ("tri-siblings", 3, Part.TRI_SIBLING)
    GRAND_TRI_SIBLINGS = ("grand-tri-siblings", 4, Part.GRAND_TRI_SIBLING)

    def __init__(self, label: str, order: int, largest: Part) -> None:
        """Unpack the row of the table."""
        self.label = label
        self.order = order
        self.largest = largest

    @property
    def grand(self) -> bool:
        """Whether parts with grandparents are scored."""
        return self.largest.grand

    @property
    def parts(self) -> tuple[Part, ...]:
        """The largest part type and all that it includes; STOP from the second order on."""
        return tuple(part for part in Part if self.encloses(part))

    def encloses(self, part: Part) -> bool:
        """Whether parts of this type can be scored."""
        if part is Part.STOP:
            return self is not Factorisation.ARCS
        return part.grand <= self.grand and part.siblings <= self.largest.siblings

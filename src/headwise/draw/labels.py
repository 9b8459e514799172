"""What both terminal drawings show of words and arcs, and in which style."""

from collections.abc import Sequence
from dataclasses import dataclass

from headwise.draw.arcs import Arc, Mark
from headwise.draw.canvas import Glyphs, Style
from headwise.draw.width import display_width

_LINE_STYLES = {Mark.BOTH: Style.FAINT, Mark.FIRST: Style.FIRST, Mark.SECOND: Style.SECOND}
_LABEL_STYLES = {Mark.BOTH: Style.LABEL, Mark.FIRST: Style.FIRST, Mark.SECOND: Style.SECOND}


@dataclass(frozen=True, slots=True)
class Words:
    """What is shown of the words, safe to show."""

    forms: Sequence[str]
    tags: Sequence[str]

    @property
    def widths(self) -> list[int]:
        """The cells each word needs, with its tag below it."""
        pairs = zip(self.forms, self.tags, strict=True)
        return [max(display_width(form), display_width(tag), 1) for form, tag in pairs]


def is_plain_root(arc: Arc) -> bool:
    """Whether an arc comes from the root, with the same label, in every tree shown."""
    return arc.is_pin and arc.mark is Mark.BOTH and arc.other_label is None


def line_style(arc: Arc) -> Style:
    """How the line of an arc looks."""
    return Style.ROOT if is_plain_root(arc) else _LINE_STYLES[arc.mark]


def label_style(arc: Arc) -> Style:
    """How the label of an arc looks."""
    if is_plain_root(arc):
        return Style.ROOT
    return Style.CHANGED if arc.other_label is not None else _LABEL_STYLES[arc.mark]


def arc_text(arc: Arc, glyphs: Glyphs) -> str:
    """What stands on an arc, a root mark where there is no label on one from the root."""
    return glyphs.text(arc.text) or (glyphs.root if arc.is_pin else "")

"""Text and styles of words and arcs, shared by both terminal drawings."""

from collections.abc import Sequence
from dataclasses import dataclass

from headwise.draw.arcs import Arc, Mark
from headwise.draw.canvas import Glyphs, Style
from headwise.draw.width import display_width

LINE_STYLES = {Mark.BOTH: Style.FAINT, Mark.FIRST: Style.FIRST, Mark.SECOND: Style.SECOND}
_LABEL_STYLES = {Mark.BOTH: Style.LABEL, Mark.FIRST: Style.FIRST, Mark.SECOND: Style.SECOND}


@dataclass(frozen=True, slots=True)
class WordTexts:
    """Forms and tags to print, safe for a terminal."""

    forms: Sequence[str]
    tags: Sequence[str]

    @property
    def widths(self) -> list[int]:
        """The cells that each word needs, including the tag below it."""
        pairs = zip(self.forms, self.tags, strict=True)
        return [max(display_width(form), display_width(tag), 1) for form, tag in pairs]


def is_plain_root(arc: Arc) -> bool:
    """Whether an arc comes from the root, with the same label in all trees drawn."""
    return arc.is_pin and arc.mark is Mark.BOTH and arc.other_label is None


def line_style(arc: Arc) -> Style:
    """The style of the line of an arc."""
    return Style.ROOT if is_plain_root(arc) else LINE_STYLES[arc.mark]


def label_style(arc: Arc) -> Style:
    """The style of the label of an arc."""
    if is_plain_root(arc):
        return Style.ROOT
    return Style.CHANGED if arc.other_label is not None else _LABEL_STYLES[arc.mark]


def arc_text(arc: Arc, glyphs: Glyphs) -> str:
    """The label of an arc, or a root mark for an unlabelled arc from the root."""
    return glyphs.text(arc.text) or (glyphs.root if arc.is_pin else "")

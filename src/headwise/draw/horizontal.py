"""A tree in the terminal with its words in a row and arcs above them."""

from collections.abc import Sequence

from headwise.draw.arcs import Arc
from headwise.draw.canvas import ALONG, Canvas, Glyphs, Style
from headwise.draw.labels import WordTexts, arc_text, label_style, line_style
from headwise.draw.layout import PlacedArc, RowLayout, RowSpacing, row_layout
from headwise.draw.width import display_width

_MOST_WORDS = 100  # a longer row is unreadable, however wide the terminal is

# The wider first; the drawing uses the first that fits.
_SPACING = (
    RowSpacing(word_gap=2, leg_step=1, label_margin=1, share_legs=True),
    RowSpacing(word_gap=1, leg_step=1, label_margin=0, share_legs=True),
)


def horizontal_tree(
    words: WordTexts, arcs: Sequence[Arc], width: int, glyphs: Glyphs
) -> Canvas | None:
    """The drawing, or None if it does not fit into `width`."""
    widths = words.widths
    if len(widths) > _MOST_WORDS or sum(widths) + len(widths) - 1 > width:
        return None

    def label_width(arc: Arc) -> int:
        return display_width(arc_text(arc, glyphs))

    for spacing in _SPACING:
        layout = row_layout(arcs, widths, label_width, spacing)
        if layout.width <= width:
            return painted_tree(words, layout, glyphs)
    return None


def painted_tree(words: WordTexts, layout: RowLayout, glyphs: Glyphs) -> Canvas:
    """Draw words, tags and the arcs on both sides."""
    height_above = max((placed.level for placed in layout.above), default=-1) + 1
    height_below = max((placed.level for placed in layout.below), default=-1) + 1
    tag_rows = int(any(words.tags))
    word_row = height_above
    canvas = Canvas(word_row + 1 + tag_rows + height_below, layout.width, glyphs)
    for placed in sorted(layout.above, key=lambda placed: placed.level):
        paint_arc(canvas, placed, word_row - 1, -1)
    for placed in sorted(layout.below, key=lambda placed: placed.level):
        paint_arc(canvas, placed, word_row + tag_rows + 1, 1)
    for middle, form, tag in zip(layout.middles, words.forms, words.tags, strict=True):
        canvas.write(word_row, middle - (display_width(form) - 1) // 2, form)
        if tag:
            canvas.write(word_row + 1, middle - (display_width(tag) - 1) // 2, tag, Style.FAINT)
    return canvas


def paint_arc(canvas: Canvas, placed: PlacedArc, foot: int, direction: int) -> None:
    """Draw an arc with its arrowhead in row `foot`, upwards (-1) or downwards (1)."""
    arc, glyphs = placed.arc, canvas.glyphs
    style = line_style(arc)
    row = foot + direction * placed.level
    canvas.horizontal(row, placed.left, placed.right, style)
    for column in {placed.left, placed.right}:
        canvas.vertical(column, min(row, foot), max(row, foot), style)
        canvas.line(foot, column, ALONG, style)  # down to the word
    canvas.write(foot, placed.modifier_end, glyphs.row_arrows[arc.mark], style)
    canvas.write(row, placed.label_start, arc_text(arc, glyphs), label_style(arc))

"""A tree drawn in the terminal, at any width."""

from shutil import get_terminal_size

from headwise.corpus.documents import HasSentences
from headwise.corpus.sentence import Sentence
from headwise.draw.arcs import Arc, Mark, arcs_to_draw, check_drawable, shown_tag
from headwise.draw.canvas import ASCII, BOX, Glyphs, Style, painted
from headwise.draw.horizontal import horizontal_tree
from headwise.draw.labels import LINE_STYLES, WordTexts
from headwise.draw.vertical import vertical_tree
from headwise.draw.width import display_width, truncated, wrapped
from headwise.parameters import flag, whole_number
from headwise.safe import is_right_to_left, safe_text

MIN_WIDTH = 20
"""The narrowest drawing, in columns; narrower terminals wrap its lines."""


def draw_tree(
    sentence: Sentence | HasSentences,
    *,
    width: int | None = None,
    other: Sentence | None = None,
    colour: bool = False,
    ascii_only: bool = False,
) -> str:
    """A drawing of a tree, at most `width` cells wide (default: the terminal's, at least 20).

    Words are in a row below their arcs if they fit, otherwise one per line. `other` is a second
    tree over the same words to compare with: arcs that only it has are drawn on the other side of
    the words. With `ascii_only`, other characters in words are escaped as `\\u4e2d`. All trees of
    a document are drawn below each other. The text has no final newline and is safe for a terminal.
    """
    if not isinstance(sentence, Sentence) and hasattr(sentence, "sentences") and other is None:
        trees = (
            draw_tree(one, width=width, colour=colour, ascii_only=ascii_only)
            for one in sentence.sentences
        )
        return "\n\n".join(trees)
    for drawn in (sentence, other) if other is not None else (sentence,):
        check_drawable(drawn, "draw_tree")
    assert isinstance(sentence, Sentence)
    if not len(sentence):
        return ""
    colour, ascii_only = flag("colour", colour), flag("ascii_only", ascii_only)
    chosen = width and whole_number("width", width)
    width = max(chosen or get_terminal_size((100, 24)).columns, MIN_WIDTH)
    glyphs = ASCII if ascii_only else BOX
    arcs = arcs_to_draw(sentence, other)
    words = WordTexts(
        [glyphs.text(safe_text(form)) for form in sentence.forms],
        [glyphs.text(shown_tag(sentence, word + 1)) for word in range(len(sentence))],
    )
    canvas = None
    # Some terminals reverse a row of right-to-left words, and the arcs above would point to the
    # wrong words; one word per line is safe.
    if not any(is_right_to_left(form) for form in words.forms):
        canvas = horizontal_tree(words, arcs, width, glyphs)
    in_a_row = canvas is not None
    if canvas is None:
        canvas = vertical_tree(words, arcs, width, glyphs)
    drawing = canvas.render(colour)
    if other is None:
        return drawing
    return f"{drawing}\n\n{legend(arcs, in_a_row, width, glyphs, colour)}"


def titled_tree(
    sentence: Sentence,
    *,
    width: int | None = None,
    other: Sentence | None = None,
    colour: bool = False,
    ascii_only: bool = False,
) -> str:
    """A drawing below the id and text of its sentence, followed by a blank line.

    For a sentence that has neither, it says where it was read.
    """
    title = " ".join(part for part in (sentence.id, sentence.comment("text")) if part)
    title = title or str(sentence.location)
    tree = draw_tree(sentence, width=width, other=other, colour=colour, ascii_only=ascii_only)
    if not title:
        return f"{tree}\n\n"
    space = width or get_terminal_size((100, 24)).columns
    shown = (ASCII if ascii_only else BOX).text(safe_text(title))
    return f"{wrapped(shown, space)}\n{tree}\n\n"


def legend(arcs: list[Arc], in_a_row: bool, width: int, glyphs: Glyphs, colour: bool) -> str:
    """The legend for two trees, with the marks that occur, wrapped to `width`."""
    arrows = glyphs.row_arrows if in_a_row else glyphs.line_arrows
    used = {arc.mark for arc in arcs}
    entries = [(f"{arrows[mark]} {mark.value}", LINE_STYLES[mark]) for mark in Mark if mark in used]
    if any(arc.other_label is not None for arc in arcs):
        entries.append((glyphs.text("a≠b labels differ"), Style.CHANGED))
    lines: list[str] = []
    used_width = width  # start a line with the first entry
    for entry, style in entries:
        text = truncated(entry, width, glyphs.ellipsis)
        shown = painted(text, style) if colour else text
        if used_width + 3 + display_width(text) > width:
            lines.append(shown)
            used_width = display_width(text)
        else:
            lines[-1] += "   " + shown
            used_width += 3 + display_width(text)
    return "\n".join(lines)

"""Trees as stand-alone SVG, without scripts or external fonts and files."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape

from headwise.corpus.sentence import Sentence
from headwise.draw.arcs import Arc, Mark, arcs_to_draw, check_drawable, shown_tag
from headwise.draw.layout import PlacedArc, RowSpacing, row_layout
from headwise.draw.svgtext import runs_right_to_left, text_element, text_width
from headwise.errors import MismatchError
from headwise.safe import safe_text

_SPACING = RowSpacing(word_gap=16, leg_step=7, label_margin=9, share_legs=False)
_WORD_SIZE, _TAG_SIZE, _LABEL_SIZE = 16, 10, 11  # as in the style sheet
_LEVEL = 24  # between one level of arcs and the next
_ROUNDING = 9  # of the corners of arcs
_MARGIN = 20
_LABEL_HEIGHT, _LABEL_PADDING = 16, 4
_ARROW_LENGTH, _ARROW_HALF = 7, 3.5
_CAPTION = 22
_CLASSES = {Mark.BOTH: "both", Mark.FIRST: "first", Mark.SECOND: "second"}


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing whose upper left corner is 0, 0."""

    width: int
    height: int
    body: list[str]


def svg_tree(sentence: Sentence, *, other: Sentence | None = None, title: str | None = None) -> str:
    """A tree, or two trees over the same words, as an SVG file.

    The title (by default the text of the sentence) is not drawn; it is for screen readers.
    """
    for one in (sentence, other) if other is not None else (sentence,):
        check_drawable(one, "svg_tree")
    picture = tree_picture(sentence, other)
    return svg_document(picture, sentence.text if title is None else title)


def svg_page(
    sentences: Iterable[Sentence],
    *,
    others: Iterable[Sentence] | None = None,
    title: str | None = None,
) -> str:
    """Several trees in one SVG file, each under its number and `sent_id`."""
    firsts = list(sentences)
    seconds = [None] * len(firsts) if others is None else list(others)
    if len(firsts) != len(seconds):
        raise MismatchError(
            f"{len(firsts)} trees cannot be compared with {len(seconds)}: give one for each"
        )
    body: list[str] = []
    width, y = 0, 0
    for number, (sentence, other) in enumerate(zip(firsts, seconds, strict=True), start=1):
        picture = tree_picture(sentence, other)
        names = dict.fromkeys((str(number), sentence.id or str(number)))
        caption = safe_text(" · ".join(names))
        body.append(f'<g role="img" transform="translate(0 {y})">{title_element(sentence.text)}')
        shown = escape(caption, quote=False)
        body.append(f'<text class="caption" x="{_MARGIN}" y="{_CAPTION}">{shown}</text>')
        body += [f'<g transform="translate(0 {_CAPTION})">', *picture.body, "</g></g>"]
        width = max(width, picture.width, text_width(caption, _LABEL_SIZE) + 2 * _MARGIN)
        y += _CAPTION + picture.height
    return svg_document(Picture(width, y, body), title if title is not None else "Trees")


def svg_document(picture: Picture, title: str) -> str:
    """A drawing as a complete SVG file."""
    width, height = max(picture.width, 1), max(picture.height, 1)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img">'
    )
    paper = f'<rect class="paper" width="{width}" height="{height}" rx="8"/>'
    lines = [head, title_element(title), f"<style>{STYLE}</style>", paper, *picture.body, "</svg>"]
    return "\n".join(lines) + "\n"


def title_element(title: str) -> str:
    """The title, for screen readers."""
    return f"<title>{escape(safe_text(title), quote=False)}</title>"


def tree_picture(sentence: Sentence, other: Sentence | None) -> Picture:
    """The drawing of one sentence."""
    forms = [safe_text(form) for form in sentence.forms]
    tags = [shown_tag(sentence, word) for word in range(1, len(sentence) + 1)]
    widths = [
        max(text_width(form, _WORD_SIZE), text_width(tag, _TAG_SIZE), 1)
        for form, tag in zip(forms, tags, strict=True)
    ]
    arcs = arcs_to_draw(sentence, other)
    from_right = runs_right_to_left(forms)
    if from_right:
        layout = row_layout(mirrored(arcs, len(forms)), widths[::-1], label_width, _SPACING)
        middles = layout.middles[::-1]
    else:
        layout = row_layout(arcs, widths, label_width, _SPACING)
        middles = layout.middles
    word_line = _MARGIN + height_of(layout.above) + _WORD_SIZE
    tag_line = word_line + _TAG_SIZE + 8 if any(tags) else word_line
    body = arc_elements(layout.above, word_line - _WORD_SIZE - 2, -1)
    body += arc_elements(layout.below, tag_line + 8, 1)
    for middle, form, tag in zip(middles, forms, tags, strict=True):
        word = text_element(middle, word_line, form, "word", among_right_to_left=from_right)
        body.append(word)
        if tag:
            body.append(text_element(middle, tag_line, tag, "tag"))
    bottom = tag_line + 8 + height_of(layout.below)
    key = legend(arcs) if other is not None else Picture(0, 0, [])
    body = [f'<g transform="translate({_MARGIN} 0)">', *body]
    body += [f'<g transform="translate(0 {bottom})">', *key.body, "</g></g>"]
    width = max(layout.width, key.width) + 2 * _MARGIN
    return Picture(width, bottom + key.height + _MARGIN - 4, body)


def mirrored(arcs: Iterable[Arc], words: int) -> list[Arc]:
    """The arcs with words numbered from the right."""
    return [
        replace(
            arc,
            head=arc.head if arc.is_pin else words + 1 - arc.head,
            modifier=words + 1 - arc.modifier,
        )
        for arc in arcs
    ]


def label_width(arc: Arc) -> int:
    """The width of an arc's label, including its background."""
    return text_width(arc.text, _LABEL_SIZE) + 2 * _LABEL_PADDING if arc.text else 0


def height_of(side: list[PlacedArc]) -> int:
    """The height of the arcs on one side of the words."""
    if not side:
        return 0
    return max(placed.level for placed in side) * _LEVEL + _LABEL_HEIGHT // 2 + 4


def arc_elements(side: list[PlacedArc], foot: int, direction: int) -> list[str]:
    """The arcs on one side, upwards (-1) or downwards (1) from `foot`, then all their labels.

    Higher arcs come later, so that they are drawn over the lower arcs that they cross.
    """
    ordered = sorted(side, key=lambda placed: placed.level)
    elements = [arc_element(placed, foot, direction) for placed in ordered]
    return elements + [
        label_element(placed, foot + direction * placed.level * _LEVEL)
        for placed in ordered
        if placed.arc.text
    ]


def arc_element(placed: PlacedArc, foot: int, direction: int) -> str:
    """The line of an arc, with a halo in the background colour, and its arrowhead."""
    kind = _CLASSES[placed.arc.mark] + (" root" if placed.arc.is_pin else "")
    path = arc_path(placed, foot, direction)
    x, neck = placed.modifier_end, foot + direction * _ARROW_LENGTH
    arrow = f"M{x} {foot}L{x - _ARROW_HALF:g} {neck}H{x + _ARROW_HALF:g}Z"
    return (
        f'<path class="halo" d="{path}"/><path class="arc {kind}" d="{path}"/>'
        f'<path class="arrow {kind}" d="{arrow}"/>'
    )


def arc_path(placed: PlacedArc, foot: int, direction: int) -> str:
    """The path from the head up, across and down to the arrowhead, with rounded corners."""
    start, end = placed.head_end, placed.modifier_end
    top = foot + direction * placed.level * _LEVEL
    neck = foot + direction * (_ARROW_LENGTH - 1)
    if placed.arc.is_pin:
        return f"M{end} {top}V{neck}"
    rounding = min(_ROUNDING, (placed.right - placed.left) / 2)
    shoulder = top - direction * rounding
    inwards = rounding if end > start else -rounding
    return (
        f"M{start} {foot}V{shoulder:g}Q{start} {top} {start + inwards:g} {top}"
        f"H{end - inwards:g}Q{end} {top} {end} {shoulder:g}V{neck}"
    )


def label_element(placed: PlacedArc, y: int) -> str:
    """A label with its background."""
    arc, width = placed.arc, label_width(placed.arc)
    kind = "differs" if arc.other_label is not None else _CLASSES[arc.mark]
    box = (
        f'<rect class="label {kind}" x="{placed.label_start}" y="{y - _LABEL_HEIGHT / 2:g}"'
        f' width="{width}" height="{_LABEL_HEIGHT}" rx="4"/>'
    )
    middle = placed.label_start + width / 2
    return box + text_element(middle, y + _LABEL_SIZE * 0.36, arc.text, f"relation {kind}")


def legend(arcs: list[Arc]) -> Picture:
    """The legend for two trees, with the kinds of lines that occur."""
    body, x, y = [], 0, 18
    for mark in Mark:
        if any(arc.mark is mark for arc in arcs):
            body.append(f'<path class="arc {_CLASSES[mark]}" d="M{x} {y}h30"/>')
            body.append(f'<text class="caption" x="{x + 38}" y="{y + 4}">{mark.value}</text>')
            x += 38 + text_width(mark.value, _LABEL_SIZE) + 22
    if any(arc.other_label is not None for arc in arcs):
        body.append(
            f'<rect class="label differs" x="{x}" y="{y - 8}" width="30" height="16" rx="4"/>'
        )
        body.append(text_element(x + 15, y + 4, "a≠b", "relation differs"))
        body.append(f'<text class="caption" x="{x + 38}" y="{y + 4}">labels differ</text>')
        x += 38 + text_width("labels differ", _LABEL_SIZE)
    return Picture(x, 26, body)


STYLE = """
text{font-family:"Helvetica Neue",Arial,"Liberation Sans","Noto Sans",sans-serif;\
text-anchor:middle;unicode-bidi:isolate}
.word{font-size:16px;fill:#1f2328}
.tag{font-size:10px;fill:#656d76;letter-spacing:.03em}
.relation{font-size:11px;fill:#0a4f9e}
.caption{font-size:11px;fill:#656d76;text-anchor:start}
.paper{fill:#fff}
.halo{fill:none;stroke:#fff;stroke-width:5}
.arc{fill:none;stroke:#7d8590;stroke-width:1.4}
.arrow{fill:#7d8590}
.label{fill:#eef3f9}
.arc.root{stroke:#1f2328;stroke-width:1.8}
.arrow.root{fill:#1f2328}
.arc.first{stroke:#b3261e;stroke-width:1.8;stroke-dasharray:7 3}
.arrow.first,.relation.first{fill:#b3261e}
.label.first{fill:#fbeceb}
.arc.second{stroke:#1a7f37;stroke-width:1.8;stroke-dasharray:2 3}
.arrow.second,.relation.second{fill:#1a7f37}
.label.second{fill:#e9f6ec}
.label.differs{fill:#fff4d6;stroke:#9a6700}
.relation.differs{fill:#7d4e00}
@media (prefers-color-scheme:dark){
.word{fill:#e6edf3}
.tag,.caption{fill:#9198a1}
.relation{fill:#79b8ff}
.paper{fill:#0d1117}
.halo{stroke:#0d1117}
.arc{stroke:#848d97}
.arrow{fill:#848d97}
.label{fill:#182435}
.arc.root{stroke:#e6edf3}
.arrow.root{fill:#e6edf3}
.arc.first{stroke:#ff7b72}
.arrow.first,.relation.first{fill:#ff7b72}
.label.first{fill:#331a1c}
.arc.second{stroke:#56d364}
.arrow.second,.relation.second{fill:#56d364}
.label.second{fill:#12261a}
.label.differs{fill:#2e2410;stroke:#d29922}
.relation.differs{fill:#e3b341}
}
"""
"""The style sheet of all drawings, for light and dark mode.

The background is part of the drawing, so that it is readable on any page. Arcs of only one of two
trees differ in dashes and position as well as in colour.
"""

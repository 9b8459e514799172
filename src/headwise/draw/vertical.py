"""A tree in the terminal with one word per line and its arcs to the left of the words.

Each head has one vertical line, its *spine*, which connects it to its modifiers. A spine is nearer
to the words than the spine of the word's own head, so a row reads inwards: first its head, then its
modifiers. In a projective tree no spines cross.

With two trees, arcs that only the second has are drawn to the right of the words.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from headwise.draw.arcs import Arc, Mark
from headwise.draw.canvas import Canvas, Glyphs, Style
from headwise.draw.labels import WordTexts, arc_text, label_style, line_style
from headwise.draw.width import display_width, truncated


@dataclass(frozen=True, slots=True)
class Spine:
    """The spine of a head: its column (1 is nearest to the words) and the rows it connects."""

    head: int
    column: int
    rows: tuple[int, ...]  # the head and its modifiers, ascending


def spines(arcs: Iterable[Arc]) -> dict[int, Spine]:
    """The spine of every word that has modifiers, by word."""
    modifiers: dict[int, list[int]] = defaultdict(list)
    heads: dict[int, int] = {}
    for arc in arcs:
        if not arc.is_pin:
            modifiers[arc.head].append(arc.modifier)
            heads[arc.modifier] = arc.head
    placed: dict[int, Spine] = {}
    taken: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for head in inside_out(modifiers, heads):
        rows = tuple(sorted({head, *modifiers[head]}))
        inner = [placed[m].column for m in modifiers[head] if m in placed]
        column = free_column(max(inner, default=0) + 1, rows, taken)
        taken[column].append((rows[0], rows[-1]))
        placed[head] = Spine(head, column, rows)
    return placed


def inside_out(modifiers: Mapping[int, Sequence[int]], heads: Mapping[int, int]) -> list[int]:
    """The words with modifiers, bottom up; words on a cycle at the end."""
    waiting = {head: sum(m in modifiers for m in modifiers[head]) for head in modifiers}
    order = sorted(head for head, count in waiting.items() if count == 0)
    for head in order:  # grows during iteration
        above = heads.get(head)
        if above is not None:
            waiting[above] -= 1
            if waiting[above] == 0:
                order.append(above)
    done = set(order)
    return order + sorted(head for head in modifiers if head not in done)


def free_column(
    minimum: int, rows: Sequence[int], taken: Mapping[int, Sequence[tuple[int, int]]]
) -> int:
    """The first column from `minimum` on in which no other spine shares a row."""
    column = minimum
    while any(first <= rows[-1] and rows[0] <= last for first, last in taken.get(column, ())):
        column += 1
    return column


_GAP = 2  # between the columns of text
_USUAL_WORD = 24  # a longer word (a URL) shifts its own label but no others
_LEAST_LABEL = 3  # narrower labels are omitted


@dataclass(frozen=True, slots=True)
class SideLines:
    """The lines on one side of the words: their columns, and how many of them fit."""

    tip: int  # the column of the arrowheads
    outward: int  # -1 to the left of the words, 1 to the right
    columns: int
    pitch: int
    spines: Mapping[int, Spine]

    @property
    def root(self) -> int:
        """The column of the root marks, outside all lines."""
        return self.tip + self.outward * (self.columns * self.pitch + 1)

    def column_of(self, word: int) -> int | None:
        """The column of a word's spine; None if it has none or it does not fit."""
        spine = self.spines.get(word)
        if spine is None or spine.column > self.columns:
            return None
        return self.tip + self.outward * spine.column * self.pitch


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns of a vertical drawing."""

    left: SideLines
    right: SideLines | None
    word_start: int
    word_width: int
    text_start: int  # of the labels, where words keep to their width
    label_width: int
    tag_width: int


def vertical_tree(words: WordTexts, arcs: Sequence[Arc], width: int, glyphs: Glyphs) -> Canvas:
    """The drawing, made to fit into `width` for any sentence."""
    above = [arc for arc in arcs if arc.mark is not Mark.SECOND]
    below = [arc for arc in arcs if arc.mark is Mark.SECOND]
    grid = fitted_grid(words, above, below, width, glyphs)
    canvas = Canvas(len(words.forms), width, glyphs)
    digits = len(str(len(words.forms)))
    for row in range(len(words.forms)):
        canvas.write(row, 0, f"{row + 1:>{digits}}", Style.FAINT)
    paint_lines(canvas, grid.left, above)
    if grid.right:
        paint_lines(canvas, grid.right, below)
    into: dict[int, list[Arc]] = defaultdict(list)
    for arc in arcs:
        into[arc.modifier].append(arc)
    for word in range(1, len(words.forms) + 1):
        pieces = label_pieces(into[word], grid, glyphs)
        write_texts(canvas, grid, word, words, pieces)
    return canvas


def fitted_grid(
    words: WordTexts, above: Sequence[Arc], below: Sequence[Arc], width: int, glyphs: Glyphs
) -> Grid:
    """The widest columns that fit.

    First the lines move closer, then tags are omitted, then the outermost lines (their words name
    their head by number), then labels are truncated, and words last.
    """
    left, right = spines(above), spines(below)
    columns = [max((s.column for s in side.values()), default=0) for side in (left, right)]
    index = len(str(len(words.forms))) + 1
    fixed = index + 3 + (3 if below else 0)  # root marks, arrowheads, a space beside each
    longest = max(display_width(form) for form in words.forms)
    word = longest if below else min(longest, _USUAL_WORD)  # lines on the right must be aligned
    label = natural_label_width([*above, *below], glyphs)
    tag = max(display_width(tag) for tag in words.tags)
    text = word + (label + _GAP if label else 0)
    for pitch, tag_width in ((2, tag), (1, tag), (1, 0)):
        needed = fixed + pitch * sum(columns) + text + (tag_width + _GAP if tag_width else 0)
        if needed <= width:
            break
    else:
        available = max((width - index) // 2 - (fixed - index), 0)
        columns[1] = min(columns[1], max(available - columns[0], available // 2))
        columns[0] = min(columns[0], available - columns[1])
        rest = width - fixed - sum(columns)
        label += len(glyphs.head) + index  # of the number of a head
        word = min(word, max(rest - _GAP - min(label, 10), rest * 3 // 5))
        label = rest - word - _GAP
        if label < _LEAST_LABEL:
            word, label = min(longest, rest), 0
    return grid_of(
        index, columns, pitch, (left, right if below else None), (word, label, tag_width)
    )


def grid_of(
    index: int,
    columns: Sequence[int],
    pitch: int,
    sides: tuple[Mapping[int, Spine], Mapping[int, Spine] | None],
    texts: tuple[int, int, int],
) -> Grid:
    """The positions of columns of known widths."""
    word, label, tag = texts
    tip = index + columns[0] * pitch + 1
    left = SideLines(tip, -1, columns[0], pitch, sides[0])
    word_start, right = tip + 2, None
    end = word_start + word
    if sides[1] is not None:
        right = SideLines(end + 1, 1, columns[1], pitch, sides[1])
        end = right.root + 1
    return Grid(left, right, word_start, word, end + _GAP, label, tag)


def natural_label_width(arcs: Sequence[Arc], glyphs: Glyphs) -> int:
    """The cells that the longest label needs; two labels where two trees disagree on a head."""
    widths: dict[int, int] = defaultdict(int)
    for arc in arcs:
        gap = 1 if widths[arc.modifier] else 0
        widths[arc.modifier] += gap + display_width(marked_text(arc, glyphs))
    return max(widths.values(), default=0)


def paint_lines(canvas: Canvas, lines: SideLines, arcs: Sequence[Arc]) -> None:
    """Draw the lines on one side of the words."""
    for spine in lines.spines.values():
        column = lines.column_of(spine.head)
        if column is not None:
            canvas.vertical(column, spine.rows[0] - 1, spine.rows[-1] - 1)
    into = {arc.modifier: arc for arc in arcs}
    for word in sorted({*into, *lines.spines}):
        paint_row(canvas, lines, word, into.get(word))


def paint_row(canvas: Canvas, lines: SideLines, word: int, arc: Arc | None) -> None:
    """Draw the line from a word to its head's spine, and to its own."""
    row, glyphs, joints = word - 1, canvas.glyphs, []
    style = line_style(arc) if arc else Style.FAINT
    own = lines.column_of(word)
    if own is not None:
        joints.append(own)
    if arc and not arc.is_pin:
        joints += [column for column in [lines.column_of(arc.head)] if column is not None]
    if arc and arc.is_pin and arc.head == 0:
        joints.append(lines.root)
    ends = [*joints, lines.tip]
    canvas.horizontal(row, min(ends), max(ends), style)
    for column in joints:
        canvas.junction(row, column)
    if arc:
        canvas.write(row, lines.tip, glyphs.line_arrows[arc.mark], style)
        if lines.root in joints:
            canvas.write(row, lines.root, glyphs.root, style)


def marked_text(arc: Arc, glyphs: Glyphs) -> str:
    """A label with its mark, as it appears beside a word."""
    return glyphs.marks[arc.mark] + arc_text(arc, glyphs)


def label_pieces(arcs: Sequence[Arc], grid: Grid, glyphs: Glyphs) -> list[tuple[str, Style]]:
    """The labels of the arcs into a word, with the heads' numbers where no line is drawn."""
    pieces = []
    for arc in arcs:
        text = marked_text(arc, glyphs)
        lines = grid.right if arc.mark is Mark.SECOND else grid.left
        if not arc.is_pin and lines and lines.column_of(arc.head) is None:
            text = f"{glyphs.head}{arc.head} {text}"  # first, so that it is never cut
        pieces.append((text, label_style(arc)))
    return pieces


def word_room(form: str, labels: int, grid: Grid, width: int) -> int:
    """The cells that a word may take; long words leave space for labels."""
    if grid.right:
        return grid.word_width
    available = width - grid.word_start
    if display_width(form) <= _USUAL_WORD:
        return available
    return max(available - _GAP - labels, available * 3 // 5)


def write_texts(
    canvas: Canvas,
    grid: Grid,
    word: int,
    words: WordTexts,
    pieces: Sequence[tuple[str, Style]],
) -> None:
    """Write a word, its labels and its tag."""
    row, cut = word - 1, canvas.glyphs.ellipsis
    labels = sum(display_width(text) + 1 for text, _ in pieces)
    form = truncated(words.forms[row], word_room(words.forms[row], labels, grid, canvas.width), cut)
    canvas.write(row, grid.word_start, form)
    column = max(grid.text_start, grid.word_start + display_width(form) + _GAP)
    tag_column = max(grid.text_start + grid.label_width + _GAP, column)
    for text, style in pieces:
        available = canvas.width - column
        if available < min(_LEAST_LABEL, display_width(text)):
            break
        shown = truncated(text, available, cut)
        canvas.write(row, column, shown, style)
        column += display_width(shown) + 1
        tag_column = max(tag_column, column + 1)
    if grid.tag_width and tag_column + display_width(words.tags[row]) <= canvas.width:
        canvas.write(row, tag_column, words.tags[row], Style.FAINT)

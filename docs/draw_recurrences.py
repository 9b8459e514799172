"""Draws the items of every order, as SVG files for `recurrences.md`.

    python docs/draw_recurrences.py

A figure is a list of rows, a row a list of pieces: shapes (items) and words between them.
"""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "images" / "recurrences"

WIDTH, GAP = 84, 14  # of a shape, and between pieces
TOP, BASE, ROW = 44, 84, 128  # heights within a row
FILLS = {"half": "#cfe3f7", "open": "#fbe3c0", "pair": "#f7d0cf", "between": "#d9efd3"}
STYLE = (
    "text{font:13px sans-serif;fill:#222}.name{font:italic 14px serif}"
    ".line{stroke:#444;stroke-width:1.4;fill:none}.dash{stroke-dasharray:4 3}"
)


@dataclass(frozen=True)
class Shape:
    """An item: its kind, the tokens it names from left to right, and its grandparent."""

    kind: str
    tokens: tuple[str, ...]
    grand: str = ""
    leftward: bool = False  # a half whose head is on the right

    @property
    def width(self) -> int:
        """How wide it is drawn."""
        return {1: 22, 2: WIDTH, 3: 4 * WIDTH // 3}[len(self.tokens)]


Piece = Shape | str


def outline(shape: Shape, x: int, y: int) -> str:
    """The outline of a shape: a triangle for a half, a trapezium if open, else a box."""
    left, right, top, base = x, x + shape.width, y + TOP, y + BASE
    if shape.kind == "half" and shape.leftward:
        corners = [(right, base), (right, top), (left, base)]
    elif shape.kind == "half":
        corners = [(left, base), (left, top), (right, base)]
    elif shape.kind == "between":
        corners = [(left, base), (left, top + 22), (right, top + 22), (right, base)]
    else:
        corners = [(left, base), (left, top), (right, top + 18), (right, base)]
    points = " ".join(f"{a},{b}" for a, b in corners)
    return f'<polygon class="line" style="fill:{FILLS[shape.kind]}" points="{points}"/>'


def draw_shape(shape: Shape, x: int, y: int) -> list[str]:
    """A shape with its tokens below and, if it has one, its grandparent before it."""
    if shape.kind == "word":
        places = [x + shape.width // 2]
        parts = [f'<circle cx="{places[0]}" cy="{y + BASE}" r="3" fill="#444"/>']
    else:
        steps = len(shape.tokens) - 1
        places = [x + shape.width * k // steps for k in range(steps + 1)]
        parts = [outline(shape, x, y)]
    if shape.kind in ("open", "pair"):
        middle = (places[0] + places[-1]) // 2
        parts.append(
            f'<path class="line" marker-end="url(#tip)" d="M{places[0]},{y + TOP} '
            f'Q{middle},{y + TOP - 26} {places[-1]},{y + TOP + 16}"/>'
        )
    if shape.kind == "pair":
        line = f"M{places[1]},{y + BASE} V{y + TOP + 9}"
        parts.append(f'<path class="line dash" d="{line}"/>')
    for token, place in zip(shape.tokens, places, strict=True):
        parts.append(f'<text class="name" text-anchor="middle" x="{place}" y="{y + BASE + 18}">'
                     f"{token}</text>")  # fmt: skip
    if shape.grand:
        head = places[-1] if shape.leftward else places[0]
        start = head + 20 if shape.leftward else head - 20
        tip = y + {"between": TOP + 22, "word": BASE - 4}.get(shape.kind, TOP) - 4
        parts.append(
            f'<path class="line dash" marker-end="url(#tip)" d="M{start},{tip - 18} '
            f'Q{(start + head) // 2},{tip - 26} {head},{tip}"/>'
            f'<text class="name" text-anchor="middle" x="{start}" y="{tip - 22}">'
            f"{shape.grand}</text>"
        )
    return parts


def draw(name: str, rows: list[list[Piece]]) -> None:
    """Write a figure."""
    parts, widest = [], 0
    for number, pieces in enumerate(rows):
        x, y = 34, number * ROW + 6
        for piece in pieces:
            if isinstance(piece, str):
                x += 4
                parts.append(f'<text x="{x}" y="{y + BASE - 12}">{piece}</text>')
                x += 8 * len(piece) + GAP
            else:
                parts += draw_shape(piece, x, y)
                x += piece.width + GAP + (16 if piece.leftward and piece.grand else 0)
                x += 10
        widest = max(widest, x)
    height = len(rows) * ROW + 6
    tip = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#444"/></marker></defs>'
    )
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {widest} {height}" '
        f'width="{widest}" height="{height}"><style>{STYLE}</style>{tip}'
        f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n'
    )
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.svg").write_text(text, encoding="utf-8")


def half(head: str, end: str, grand: str = "") -> Shape:
    """A half that looks to the right."""
    return Shape("half", (head, end), grand)


def inward(end: str, head: str, grand: str = "") -> Shape:
    """A half that looks to the left."""
    return Shape("half", (end, head), grand, leftward=True)


def first_order() -> list[list[Piece]]:
    """The rows of the first order."""
    opened = Shape("open", ("h", "m"))
    return [
        [opened, "= arc(h, m)  +  Σ r", half("h", "r"), inward("r+1", "m")],
        [half("h", "e"), "= Σ m", opened, half("m", "e")],
    ]


def higher_order(grand: bool, tri: bool) -> list[list[Piece]]:
    """The rows of an order above the first; siblings, or pairs of siblings; with g or without."""
    g, below = ("g", "h") if grand else ("", "")
    opened, between = Shape("open", ("h", "m"), g), Shape("between", ("s", "m"), below)
    rows: list[list[Piece]] = []
    if tri:
        pair, inner = Shape("pair", ("h", "s", "m"), g), Shape("pair", ("h", "r", "s"), g)
        rows.append([pair, "= Σ r", inner, between, "  +  parts"])
        rows.append([opened, "= Σ s", pair])
        first = Shape("pair", ("h", "–", "m"), g)
    else:
        rows.append([opened, "= Σ s", Shape("open", ("h", "s"), g), between, "  +  parts"])
        first = opened
    start = Shape("word", ("h",), g)
    rows.append([first, "=", start, inward("h+1", "m", below), "  +  parts     (m is the first)"])
    rows.append([between, "= Σ r", half("s", "r", below), inward("r+1", "m", below)])
    whole, rest = half("h", "e", g), half("m", "e", below)
    rows.append([whole, "= Σ m", opened, rest, "  +  stop(h, m)"])
    return rows


def main() -> None:
    """Draw all figures."""
    draw("arcs", first_order())
    draw("siblings", higher_order(grand=False, tri=False))
    draw("grand-siblings", higher_order(grand=True, tri=False))
    draw("tri-siblings", higher_order(grand=False, tri=True))
    draw("grand-tri-siblings", higher_order(grand=True, tri=True))


if __name__ == "__main__":
    main()

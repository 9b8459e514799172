"""Draw docs/images/orders.svg, accuracy against speed, and update the README's table of it.

    python docs/draw_orders.py

UAS on EWT dev (gold tags, all tokens, means over seeds) comes from `experiments/orders.toml`;
tokens per second in compiled code on one thread, pruning included, from docs/speeds.json, which
`benchmarks/parse.py --speeds docs/speeds.json` writes.
"""

import json
import math
from pathlib import Path

from headwise.experiments.table import table_of
from headwise.experiments.work import Work

HERE = Path(__file__).parent
EXPERIMENT = HERE.parent / "experiments/orders.toml"
BEGIN, END = "<!-- orders: by docs/draw_orders.py -->\n", "<!-- end of orders -->\n"
Point = tuple[str, float, int]
"""A label, UAS, and tokens per second."""

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 150, 20, 50
SPEEDS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
STYLE = (
    "text{font:13px sans-serif;fill:#333}.axis{stroke:#999}.grid{stroke:#e4e4e4}"
    ".path{fill:none;stroke:#7a9cc6;stroke-dasharray:4 3}.dot{fill:#2b5c9e}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}.dot{fill:#8ab4f0}}"
)


def across(speed: float) -> float:
    """The x coordinate of a speed, on a logarithmic scale."""
    low, high = math.log(SPEEDS[0]), math.log(SPEEDS[-1])
    return LEFT + (WIDTH - LEFT - RIGHT) * (math.log(speed) - low) / (high - low)


def down(uas: float, low: float, high: float) -> float:
    """The y coordinate of an accuracy."""
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (uas - low) / (high - low)


def label_of(system: str) -> str:
    """What a system of the experiment is called here."""
    return system.removeprefix("order ").replace("and grandchildren", "siblings and grandchildren")


def points() -> list[Point]:
    """The orders whose accuracy and speed have been measured."""
    speeds = json.loads((HERE / "speeds.json").read_text("utf-8"))
    found = [
        (label_of(row.system), row.cells[0].mean, speeds.get(row.system))
        for row in table_of(Work.of_file(EXPERIMENT, look=False)).rows
        if row.treebank == "en_ewt"
    ]
    return [(label, uas, speed) for label, uas, speed in found if uas and speed]


def table(orders: list[Point]) -> str:
    """The orders as a Markdown table."""
    lines = ["| order | UAS | tokens per second |", "|---|--:|--:|"]
    lines += [f"| {label} | {uas:.2f} | {round(speed, -3):,} |" for label, uas, speed in orders]
    return "\n".join(lines) + "\n"


def picture(orders: list[Point]) -> str:
    """The plot as SVG."""
    values = [uas for _, uas, _ in orders]
    low, high = math.floor(min(values)), math.ceil(max(values))
    lines = []
    for speed in SPEEDS:
        x = across(speed)
        lines.append(f'<path class="grid" d="M{x:.0f} {TOP}V{HEIGHT - BOTTOM}"/>')
        text = f"{speed // 1000:,}k" if speed < 1_000_000 else "1M"
        lines.append(f'<text x="{x:.0f}" y="{HEIGHT - 30}" text-anchor="middle">{text}</text>')
    for step in range(2 * (high - low) + 1):
        y = down(low + step / 2, low, high)
        lines.append(f'<path class="grid" d="M{LEFT} {y:.0f}H{WIDTH - RIGHT}"/>')
        lines.append(
            f'<text x="{LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{low + step / 2}</text>'
        )
    spots = [(across(speed), down(uas, low, high)) for _, uas, speed in orders]
    way = "L".join(f"{x:.0f} {y:.0f}" for x, y in spots)
    lines.append(f'<path class="path" d="M{way}"/>')
    for (label, _, _), (x, y) in zip(orders, spots, strict=True):
        lines.append(f'<circle class="dot" cx="{x:.0f}" cy="{y:.0f}" r="5"/>')
        lines.append(f'<text x="{x + 9:.0f}" y="{y - 6:.0f}">{label}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    lines.append(
        f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">tokens per second</text>'
    )
    lines.append(f'<text x="8" y="{TOP - 6}">UAS</text>')
    title = "<title>Accuracy of orders one to four against their speed</title>"
    body = "\n".join(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"{title}<style>{STYLE}</style>\n{body}\n</svg>\n"
    )


def with_table(text: str, orders: list[Point]) -> str:
    """A text with its table of orders replaced."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table(orders) + END + after


if __name__ == "__main__":
    found = points()
    (HERE / "images/orders.svg").write_text(picture(found), "utf-8")
    readme = HERE.parent / "README.md"
    readme.write_text(with_table(readme.read_text("utf-8"), found), "utf-8")
    print("wrote orders.svg, and the table in README.md")

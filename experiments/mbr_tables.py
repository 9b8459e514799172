"""Tables and a plot of minimum Bayes risk, for docs/results.md."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import paper_004
import paper_004_constituents
from runs import p_text, table

NAMES = {"map": "MAP", "rerank": "MBR rerank", "predict": "MBR predict"}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 560, 300, 60, 250, 30


def p_value(row: dict[str, Any]) -> str:
    """The p of a difference; of the best tree to itself there is none."""
    return "" if row["system"] == "map" else p_text(row["p"])


def size_of(row: dict[str, Any]) -> str:
    """The size of a list."""
    return "all trees" if row["size"] is None else str(row["size"])


def dependency_rows() -> Iterable[list[object]]:
    """Rows of the table of dependencies."""
    for train, dev in paper_004.domains():
        result = paper_004.KEPT.read(train, dev)
        where = train if train == dev else f"{train}, tested on {dev}"
        if not result:
            yield [where, *["–"] * 7]
            continue
        for row in result["rows"]:
            yield [
                where,
                row["probabilities"],
                size_of(row),
                NAMES[row["system"]],
                f"{row['uas']:.2f}",
                f"{row['ucm']:.2f}",
                "" if row["system"] == "map" else f"{row['against_map']:+.2f}",
                p_value(row),
            ]
            where = ""


def constituent_rows() -> Iterable[list[object]]:
    """Rows of the table of constituents."""
    for name in paper_004_constituents.names():
        result = paper_004_constituents.KEPT.read(name)
        where = name
        if not result:
            yield [where, *["–"] * 12]
            continue
        for row in result["rows"]:
            figures = (row[key] for key in paper_004_constituents.MEASURES)
            cells = [f"{figure:.2f}" for figure in figures]
            yield [
                where,
                row["probabilities"],
                row["size"],
                NAMES[row["system"]],
                *cells,
                p_value(row),
                p_text(row["p_against_rerank"]) if "p_against_rerank" in row else "",
            ]
            where = ""


def scale_rows() -> Iterable[list[object]]:
    """The scales that were tuned for constituents, on either half of the sentences."""
    for name in paper_004_constituents.names():
        for row in paper_004_constituents.KEPT.read(name).get("rows", []):
            for scale in row["scales"]:
                about = [name, row["probabilities"], row["size"], NAMES[row["system"]]]
                yield [*about, f"{scale:.3f}"]


def dependency_table() -> str:
    """Titov & Henderson (2006), dependencies: decoders side by side, UAS / complete match."""
    decoders = ("MBR rerank", "p of rerank", "MBR predict", "p of predict")
    names = ("", "probabilities", "list", "MAP", *decoders)
    rows: list[list[object]] = []
    best: dict[object, object] = {}
    for where, source, size, decoder, uas, complete, _, p in dependency_rows():
        scores = f"{uas} / {complete}"
        if decoder == "MAP":
            best[source] = scores
        if decoder == "MAP" or size == "all trees":
            rows.append([where, source, size, best[source], "", "", "", ""])
        if decoder == "MBR rerank":
            rows[-1][4:6] = [scores, p]
        elif decoder == "MBR predict":
            rows[-1][6:8] = [scores, p]
    return table(names, rows)


def constituent_table(columns: Sequence[str]) -> str:
    """Titov & Henderson (2006), tables 1 and 2: some of their columns."""
    first = ("", "probabilities", "list", "decoder")
    names = ("F1", "LP", "LR", "complete", "CB", "0C", "2C", "p", "p vs rerank")
    kept = [names.index(one) + len(first) for one in columns]
    rows = ([*row[:4], *(row[i] for i in kept)] for row in constituent_rows())
    return table((*first, *columns), rows)


def table_before() -> str:
    """Of every row of the table of constituents, the scores of MAP with the same probabilities."""
    header = ("", "probabilities", "list", "decoder", "LP", "LR", "complete")
    best: list[object] = []
    found, where = [], ""
    for row in constituent_rows():
        where = str(row[0] or where)
        best = [row[5], row[6], row[7]] if row[3] == "MAP" else best
        found.append([where, *row[1:4], *best])
    return table(header, found)


def scale_table() -> str:
    """The scales of probabilities that were tuned for constituents."""
    return table(("", "probabilities", "list", "decoder", "scale"), scale_rows())


def gains() -> dict[str, dict[str, list[tuple[str, float]]]]:
    """The gain of prediction over the best tree: of treebank, probabilities and list size."""
    found: dict[str, dict[str, list[tuple[str, float]]]] = {}
    for train, dev in paper_004.domains():
        result = paper_004.KEPT.read(train, dev)
        if result:
            lines = found.setdefault(train if train == dev else f"{train} on {dev}", {})
            for row in result["rows"]:
                if row["system"] == "predict":
                    points = lines.setdefault(row["probabilities"], [])
                    points.append((size_of(row), row["against_map"]))
    return found


def gain_plot() -> str:
    """The plot of gain against list size, as SVG."""
    lines = gains()
    sizes = [*map(str, paper_004.SIZES), "all trees"]
    values = [gain for own in lines.values() for points in own.values() for _, gain in points] or [
        0.0
    ]
    low, high = min(0.0, *values), max(0.1, *values)
    step = (WIDTH - LEFT - 150) / (len(sizes) - 1)

    def y(gain: float) -> float:
        return BOTTOM - (gain - low) / (high - low) * (BOTTOM - TOP)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="16">gain in UAS of MBR prediction over the best tree '
        "(dashes: of a reranker)</text>",
        f'<line x1="{LEFT}" y1="{y(0):.1f}" x2="{LEFT + step * 3:.1f}" y2="{y(0):.1f}" '
        'stroke="#999"/>',
    ]
    parts += [
        f'<text x="{LEFT - 8}" y="{y(gain) + 4:.1f}" text-anchor="end">{gain:+.2f}</text>'
        for gain in sorted({low, 0.0, high})
    ]
    for place, size in enumerate(sizes):
        x = LEFT + step * place
        parts.append(f'<text x="{x:.1f}" y="{BOTTOM + 24}" text-anchor="middle">{size}</text>')
    for number, (name, own) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        for probabilities, points in own.items():
            places = [(LEFT + step * sizes.index(size), y(gain)) for size, gain in points]
            path = " ".join(f"{x:.1f},{height:.1f}" for x, height in places)
            dashes = "" if probabilities == "base" else ' stroke-dasharray="6 4"'
            style = f'fill="none" stroke="{colour}" stroke-width="2"{dashes}'
            parts.append(f'<polyline points="{path}" {style}/>')
        row = TOP + 10 + 18 * number
        parts.append(f'<text x="{WIDTH - 140}" y="{row}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


TABLES: dict[str, Callable[[], str]] = {
    "mbr-dependencies": dependency_table,
    "mbr-constituents": partial(
        constituent_table, ("F1", "LP", "LR", "complete", "p", "p vs rerank")
    ),
    "mbr-crossing": partial(constituent_table, ("CB", "0C", "2C")),
    "mbr-before": table_before,
    "mbr-scales": scale_table,
}
"""Tables of the pages, by name."""

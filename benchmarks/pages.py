"""Tables in Markdown, which scripts put into pages, between two marks that name them."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path


def head(*titles: str, texts: int = 1) -> str:
    """The first lines of a table: columns of texts on the left, of figures on the right."""
    shown = "".join(f" {title} |" if title else " |" for title in titles)
    return f"|{shown}\n|{'---|' * texts}{'--:|' * (len(titles) - texts)}"


def row(*cells: object) -> str:
    """A line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def figures(values: Iterable[float], digits: int = 2) -> list[str]:
    """Numbers as cells."""
    return [f"{value:.{digits}f}" for value in values]


def put(lines: Sequence[str], page: Path, name: str) -> None:
    """Put lines between the marks of a page, in the place of those that were there."""
    begin = f"<!-- {name}: benchmarks/{Path(sys.argv[0]).name} -->\n"
    end = f"\n<!-- end of {name} -->"
    before, found, rest = page.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{page} has no lines {begin.strip()} and {end.strip()}")
    page.write_text("".join([before, begin, "\n".join(lines), end, after]), "utf-8")

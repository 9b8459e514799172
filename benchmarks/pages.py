"""Tables that scripts put into pages, between two marks that name them."""

import sys
from collections.abc import Sequence
from pathlib import Path


def put(lines: Sequence[str], page: Path, name: str) -> None:
    """Put lines between the marks of a page, in the place of those that were there."""
    begin = f"<!-- {name}: benchmarks/{Path(sys.argv[0]).name} -->\n"
    end = f"\n<!-- end of {name} -->"
    before, found, rest = page.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{page} has no lines {begin.strip()} and {end.strip()}")
    page.write_text("".join([before, begin, "\n".join(lines), end, after]), "utf-8")

"""The number of terminal cells of a text; truncation and wrapping by cells.

A text is measured character by character as readers see them (grapheme clusters: an emoji with its
skin tone, a letter with its accents). Measured as a whole by `wcwidth`, a zero-width joiner would
swallow the next letter, which terminals do for emoji only.
"""

from functools import lru_cache

from wcwidth import iter_graphemes, wcswidth

ELLIPSIS = "…"


def display_width(text: str) -> int:
    """The number of terminal cells that `text`, already safe, takes."""
    return len(text) if text.isascii() else sum(map(cells, iter_graphemes(text)))


@lru_cache(maxsize=8192)
def cells(grapheme: str) -> int:
    """The number of cells of a grapheme cluster."""
    return max(0, int(wcswidth(grapheme)))


def truncated(text: str, width: int, ellipsis: str = ELLIPSIS) -> str:
    """`text` truncated to at most `width` cells, with `ellipsis` if something was cut."""
    if display_width(text) <= width:
        return text
    available = width - display_width(ellipsis)
    if available < 0:
        return ""
    kept, used = [], 0
    for grapheme in iter_graphemes(text):
        used += cells(grapheme)
        if used > available:
            break
        kept.append(grapheme)
    return "".join(kept) + ellipsis


def wrapped(text: str, width: int) -> str:
    """`text` in lines of at most `width` cells, broken at spaces if possible."""
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if display_width(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = pieces(word, width)
        lines += full
    return "\n".join([*lines, line])


def pieces(word: str, width: int) -> list[str]:
    """A word split into pieces of at most `width` cells."""
    found, used = [""], 0
    for grapheme in iter_graphemes(word):
        taken = cells(grapheme)
        if found[-1] and used + taken > width:
            found.append("")
            used = 0
        found[-1] += grapheme
        used += taken
    return found

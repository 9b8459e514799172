"""The vertical lines of a drawing with one word per row.

Each head has one vertical line, its *spine*, which connects it to its modifiers. A spine is nearer
to the words than the spine of the word's own head, so a row reads inwards: first its head, then its
modifiers. In a projective tree no spines cross.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from headwise.draw.arcs import Arc


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
    least: int, rows: Sequence[int], taken: Mapping[int, Sequence[tuple[int, int]]]
) -> int:
    """The first column from `least` on in which no other spine shares a row."""
    column = least
    while any(first <= rows[-1] and rows[0] <= last for first, last in taken.get(column, ())):
        column += 1
    return column

"""Whether any tree satisfies the constraints, and if not, why."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.charts import order1
from headwise.search.bracketing import WordSpan, arcs_leaving, span_scores
from headwise.search.levels import best_heads, solve_levels

Arcs = NDArray[np.bool_]
"""Which arcs are allowed, [head, modifier]."""

Item = TypeVar("Item")


def bracket_name(bracket: WordSpan) -> str:
    """A bracket constraint in words."""
    return f"words {bracket[0]} to {bracket[1]} form one subtree"


def has_tree(
    allowed: Arcs, brackets: Sequence[WordSpan], *, single_root: bool, projective: bool
) -> bool:
    """Whether some tree over the allowed arcs respects all brackets, given outer before inner."""
    arc = np.where(allowed, 0.0, -np.inf)
    if projective:
        arc[arcs_leaving(brackets, len(arc))] = -np.inf
        spans = span_scores(brackets, len(arc))
        return bool(order1.best(arc, spans, single_root)[1] > -np.inf)
    levels = solve_levels(brackets, arc, lambda level: best_heads(level, False)[1], np.maximum)
    return best_heads(levels[0].arc, single_root)[1] > -np.inf


def smallest_conflict(items: Sequence[Item], possible: Callable[[list[Item]], bool]) -> list[Item]:
    """A minimal subset of items that are impossible together.

    Minimal in that no single item can be removed.
    """
    needed = list(items)
    for item in items:
        fewer = [one for one in needed if one is not item]
        if not possible(fewer):
            needed = fewer
    return needed


def why_no_tree(
    allowed: Arcs, brackets: Sequence[WordSpan], *, single_root: bool, projective: bool
) -> str:
    """The reason why no tree has a finite score, and what to do."""
    headless = np.flatnonzero(~allowed[:, 1:].any(axis=0)) + 1
    if len(headless):
        return f"no head is allowed for word {headless[0]}: allow one"
    if not allowed[0].any():
        return "no word may be attached to the root: allow one"
    only_root = np.flatnonzero(~allowed[1:, 1:].any(axis=0)) + 1
    if single_root and len(only_root) > 1:
        return (
            f"words {only_root[0]} and {only_root[1]} can only be attached to the root, "
            "which may have one modifier: allow them another head, or several roots"
        )
    kind = "projective tree" if projective else "tree"

    def possible(some: Sequence[WordSpan]) -> bool:
        return has_tree(allowed, some, single_root=single_root, projective=projective)

    if possible(brackets):
        return f"no {kind} has a finite score, as its parts are forbidden: allow more of them"
    if not possible(()):
        roots = " with a single root" if single_root else ""
        return f"the allowed arcs do not form any {kind}{roots}: allow more"
    needed = smallest_conflict(brackets, possible)
    more_roots = single_root and has_tree(allowed, needed, single_root=False, projective=projective)
    roots = " with a single root" if more_roots else ""
    names = "; ".join(bracket_name(one) for one in needed)
    return f"no {kind}{roots} over the allowed arcs has these brackets: {names}"

"""Brackets: words i to j form one subtree. No arc leaves them, and exactly one enters.

The arc that enters goes to the top of the subtree. Which arcs, halves and siblings a bracket
excludes is said here, once for all decoders.
"""

from collections.abc import Iterable, Sequence
from operator import index

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError

Bracket = tuple[int, int]
"""The first and the last word."""

Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]


def as_brackets(brackets: Iterable[Sequence[int]], n: int) -> tuple[Bracket, ...]:
    """Brackets over n words as pairs of integers, none twice, outer ones before inner ones."""
    found: set[Bracket] = set()
    for bracket in brackets:
        try:
            low, high = (index(word) for word in bracket)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"a bracket is a pair of words, first and last, not {bracket!r}"
            ) from error
        if not 1 <= low <= high <= n:
            raise UsageError(
                f"bracket {low}–{high}, but brackets must be within words 1 to {n}, in order"
            )
        found.add((low, high))
    return tuple(sorted(found, key=lambda pair: (pair[0], -pair[1])))


def inside(bracket: Bracket, tokens: Integers) -> Mask:
    """Which tokens a bracket holds."""
    within: Mask = (bracket[0] <= tokens) & (tokens <= bracket[1])
    return within


def are_kept(heads: Integers, brackets: Iterable[Bracket]) -> bool:
    """Whether the words of every bracket form one subtree of a tree."""
    words = np.arange(1, len(heads))
    for bracket in brackets:
        modifier_inside, head_inside = inside(bracket, words), inside(bracket, heads[1:])
        leaving, entering = head_inside & ~modifier_inside, modifier_inside & ~head_inside
        if leaving.any() or entering.sum() != 1:
            return False
    return True


def arcs_leaving(brackets: Iterable[Bracket], size: int) -> Mask:
    """Which arcs leave a bracket, as a matrix [head, modifier]."""
    leaving = np.zeros((size, size), np.bool_)
    tokens = np.arange(size)
    for bracket in brackets:
        within = inside(bracket, tokens)
        leaving[np.ix_(within, ~within)] = True
    return leaving


def span_scores(brackets: Iterable[Bracket], size: int) -> NDArray[np.float64]:
    """-inf for halves [head, end] that would cut a bracket: head outside, end within; 0 for others.

    Such a half may end at the far end of a bracket, for then it has all of it.
    """
    spans = np.zeros((size, size))
    for first, last in brackets:
        spans[:first, first:last] = -np.inf
        spans[last + 1 :, first + 1 : last + 1] = -np.inf
    return spans


def enter_together(brackets: Iterable[Bracket], siblings: Integers) -> Mask:
    """Which of the parts (head, sibling, modifier) have two arcs into a bracket from outside.

    Forbidden halves exclude them at the first order, but not where siblings are joined.
    """
    h, s, m = siblings.T
    twice = np.zeros(len(siblings), np.bool_)
    for bracket in brackets:
        twice |= inside(bracket, s) & inside(bracket, m) & ~inside(bracket, h)
    return twice


def shared_brackets(brackets: Iterable[Bracket], size: int) -> Integers:
    """How many brackets hold both of two tokens, as a matrix."""
    shared = np.zeros((size, size), np.int64)
    tokens = np.arange(size)
    for bracket in brackets:
        within = inside(bracket, tokens)
        shared += np.outer(within, within)
    return shared

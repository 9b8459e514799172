"""Bracket constraints: words i to j form one subtree. No arc leaves them, and exactly one enters.

The entering arc goes to the head of the subtree. Which arcs, half-spans and siblings a bracket
excludes is defined here, once for all decoders.
"""

from collections.abc import Iterable, Sequence
from operator import index

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError

WordSpan = tuple[int, int]
"""The first and the last word."""

Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]


def as_brackets(brackets: Iterable[Sequence[int]], n: int) -> tuple[WordSpan, ...]:
    """Brackets over n words as distinct pairs of integers, outer ones before inner ones."""
    found: set[WordSpan] = set()
    for bracket in brackets:
        try:
            low, high = (index(word) for word in bracket)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"a bracket must be a pair of words (first, last), not {bracket!r}"
            ) from error
        if not 1 <= low <= high <= n:
            raise UsageError(
                f"bracket {low}–{high} must be within words 1 to {n}, first word first"
            )
        found.add((low, high))
    return tuple(sorted(found, key=lambda pair: (pair[0], -pair[1])))


def inside(bracket: WordSpan, tokens: Integers) -> Mask:
    """Which tokens are inside a bracket."""
    within: Mask = (bracket[0] <= tokens) & (tokens <= bracket[1])
    return within


def are_kept(heads: Integers, brackets: Iterable[WordSpan]) -> bool:
    """Whether the words of every bracket form one subtree of a tree."""
    words = np.arange(1, len(heads))
    for bracket in brackets:
        modifier_inside, head_inside = inside(bracket, words), inside(bracket, heads[1:])
        leaving, entering = head_inside & ~modifier_inside, modifier_inside & ~head_inside
        if leaving.any() or entering.sum() != 1:
            return False
    return True


def arcs_leaving(brackets: Iterable[WordSpan], size: int) -> Mask:
    """Which arcs leave a bracket, as a matrix [head, modifier]."""
    leaving = np.zeros((size, size), np.bool_)
    tokens = np.arange(size)
    for bracket in brackets:
        within = inside(bracket, tokens)
        leaving[np.ix_(within, ~within)] = True
    return leaving


def span_scores(brackets: Iterable[WordSpan], size: int) -> NDArray[np.float64]:
    """-inf for half-spans [head, end] that would cut a bracket (head outside, end inside), else 0.

    A half-span may end at the far end of a bracket, as it then contains all of it.
    """
    spans = np.zeros((size, size))
    for first, last in brackets:
        spans[:first, first:last] = -np.inf
        spans[last + 1 :, first + 1 : last + 1] = -np.inf
    return spans


def enter_together(brackets: Iterable[WordSpan], siblings: Integers) -> Mask:
    """Which of the parts (head, sibling, modifier) have two arcs into a bracket from outside.

    At the first order, forbidden half-spans exclude them, but not where siblings are joined.
    """
    h, s, m = siblings.T
    twice = np.zeros(len(siblings), np.bool_)
    for bracket in brackets:
        twice |= inside(bracket, s) & inside(bracket, m) & ~inside(bracket, h)
    return twice


def shared_brackets(brackets: Iterable[WordSpan], size: int) -> Integers:
    """The number of brackets that contain both of two tokens, as a matrix."""
    shared = np.zeros((size, size), np.int64)
    tokens = np.arange(size)
    for bracket in brackets:
        within = inside(bracket, tokens)
        shared += np.outer(within, within)
    return shared

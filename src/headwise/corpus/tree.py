"""Trees as heads arrays: pure functions that know nothing of words or files.

A *heads array* has an entry for every token: `heads[m]` is the head of word `m` (1…n), 0 being
the root; `heads[0]` is the root's own and never looked at (-1 by convention).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

from headwise.errors import InputError, SourceLocation, UsageError, quoted, warn

Heads = Sequence[int]


def heads_array(column: Sequence[int]) -> list[int]:
    """A heads array from a HEAD column, which has no entry for the root."""
    return [-1, *column]


def problems(heads: Heads) -> list[str]:
    """What is wrong with a heads array, one line each; nothing for a tree."""
    n = len(heads) - 1
    if n < 1:
        return ["there are no words"]
    found = [
        f"the head of word {m} is {heads[m]}, not one of 0 to {n}"
        for m in range(1, n + 1)
        if not 0 <= heads[m] <= n
    ]
    if found:
        return found
    found += [cycle_problem(cycle) for cycle in cycles(heads)]
    if not roots(heads):
        found.append("no word is attached to the root")
    return found


MOST_SHOWN = 10
"""The number of words of a cycle that messages show."""


def cycle_problem(cycle: Sequence[int]) -> str:
    """A cycle as `2 → 5 → 2`, the middle of a long one left out."""
    if len(cycle) == 1:
        return f"word {cycle[0]} is its own head"
    shown = [str(word) for word in cycle[:MOST_SHOWN]] + ["…"] * (len(cycle) > MOST_SHOWN)
    return f"words {' → '.join((*shown, str(cycle[0])))} form a cycle"


def roots(heads: Heads) -> list[int]:
    """The words attached to the root."""
    return [m for m in range(1, len(heads)) if heads[m] == 0]


def is_tree(heads: Heads) -> bool:
    """Whether every word is in range and reaches the root."""
    return not problems(heads)


FEW = 0.05
"""The share of trees with several roots up to which they are probably mistakes."""


def is_single_rooted(heads: Heads) -> bool:
    """Whether exactly one word is attached to the root."""
    return len(roots(heads)) == 1


def one_root(chosen: bool | None, trees: Iterable[Heads]) -> bool:
    """Whether trees have a single root: as chosen, or by default as all given trees have."""
    if chosen is not None:
        return chosen
    single = [is_single_rooted(heads) for heads in trees]
    several = single.count(False)
    if 0 < several <= FEW * len(single):
        warn(
            f"{several:,} of {len(single):,} trees {'has' if several == 1 else 'have'} several "
            "roots, so that every sentence may get several: `headwise check` lists these trees; "
            "single_root=true (--set) leaves them out"
        )
    return not several


def cycles(heads: Heads) -> list[list[int]]:
    """Every cycle, from its smallest word along the heads. Heads must be in range."""
    # 0: not seen yet; otherwise the walk that saw the word first. The root ends every walk.
    seen_by = [0] * len(heads)
    found = []
    for start in range(1, len(heads)):
        word = start
        while word != 0 and not seen_by[word]:
            seen_by[word] = start
            word = heads[word]
        if word != 0 and seen_by[word] == start:
            found.append(cycle_through(heads, word))
    return found


def cycle_through(heads: Heads, word: int) -> list[int]:
    """The cycle that `word` lies on, from its smallest word along the heads."""
    cycle = [word]
    while heads[cycle[-1]] != word:
        cycle.append(heads[cycle[-1]])
    smallest = cycle.index(min(cycle))
    return cycle[smallest:] + cycle[:smallest]


def children_of(heads: Heads) -> list[list[int]]:
    """The modifiers of every token, in order; entry 0 holds the roots."""
    children: list[list[int]] = [[] for _ in heads]
    for m in range(1, len(heads)):
        children[heads[m]].append(m)
    return children


def top_down(heads: Heads) -> list[int]:
    """All tokens, every head before its modifiers. The heads must form a tree."""
    children = children_of(heads)
    order = [0]
    for token in order:  # grows while it is read
        order += children[token]
    return order


def depths(heads: Heads) -> list[int]:
    """How many arcs away from the root each token is. The heads must form a tree."""
    depth = [0] * len(heads)
    for token in top_down(heads)[1:]:
        depth[token] = depth[heads[token]] + 1
    return depth


def is_projective(heads: Heads) -> bool:
    """Whether every subtree covers words that stand together, in linear time. For trees."""
    lowest, highest, size = list(range(len(heads))), list(range(len(heads))), [1] * len(heads)
    for token in reversed(top_down(heads)):
        if highest[token] - lowest[token] + 1 != size[token]:
            return False
        if token:
            head = heads[token]
            lowest[head] = min(lowest[head], lowest[token])
            highest[head] = max(highest[head], highest[token])
            size[head] += size[token]
    return True


def non_projective_arcs(heads: Heads) -> list[int]:
    """The words `m` whose arc `heads[m] → m` passes over a word that its head does not dominate.

    Number the tokens in depth-first order: a head dominates an interval of numbers. So an arc is
    projective if the smallest and the largest number between its ends lie in that interval.
    """
    number, last = _depth_first_numbers(heads)
    inner = {
        m: (min(m, heads[m]) + 1, max(m, heads[m]))
        for m in range(1, len(heads))
        if abs(m - heads[m]) > 1
    }
    smallest = _range_minima(number, inner)
    largest = _range_minima([-value for value in number], inner)
    return [m for m in inner if smallest[m] < number[heads[m]] or -largest[m] > last[heads[m]]]


def _depth_first_numbers(heads: Heads) -> tuple[list[int], list[int]]:
    """For every token its depth-first number, and the last number it dominates."""
    size = [1] * len(heads)
    order = top_down(heads)
    for token in reversed(order[1:]):
        size[heads[token]] += size[token]
    number, free = [0] * len(heads), [1] * len(heads)
    for token in order[1:]:
        head = heads[token]
        number[token] = free[head]
        free[token] = number[token] + 1
        free[head] += size[token]
    return number, [number[t] + size[t] - 1 for t in range(len(heads))]


def _range_minima(values: Sequence[int], ranges: dict[int, tuple[int, int]]) -> dict[int, int]:
    """The minimum of `values[start:end]` for each range, in O(n log n) for all.

    While the end moves right, the positions that could still be a minimum form a stack of rising
    values; the first of them at or after a range's start is its minimum.
    """
    ending: dict[int, list[int]] = {}
    for key, (_, end) in ranges.items():
        ending.setdefault(end - 1, []).append(key)
    minima: dict[int, int] = {}
    stack: list[int] = []
    for position, value in enumerate(values):
        while stack and values[stack[-1]] >= value:
            stack.pop()
        stack.append(position)
        for key in ending.get(position, ()):
            minima[key] = values[stack[bisect_left(stack, ranges[key][0])]]
    return minima


def gap_degree(heads: Heads) -> int:
    """The largest number of gaps in the words that one token dominates. The heads form a tree.

    A token that dominates `s` words, `p` pairs of neighbours among them, covers `s - p` blocks; it
    dominates a pair of neighbours if it dominates their lowest common ancestor. That has the
    smallest number among the heads of all tokens numbered after the one and up to the other.
    """
    number, last = _depth_first_numbers(heads)
    head_numbers = [0] * len(heads)
    for m in range(1, len(heads)):
        head_numbers[number[m]] = number[heads[m]]
    between = {
        m: (min(number[m - 1], number[m]) + 1, max(number[m - 1], number[m]) + 1)
        for m in range(1, len(heads))
    }
    pairs = [0] * len(heads)  # by number
    for ancestor in _range_minima(head_numbers, between).values():
        pairs[ancestor] += 1
    below = [0, *accumulate(pairs)]
    return max(
        (last[t] - number[t] + 1) - (below[last[t] + 1] - below[number[t]]) - 1
        for t in range(len(heads))
    )


def known_heads(heads: Sequence[int | None], count: int) -> tuple[int | None, ...] | None:
    """The heads of `count` words if a quick look finds every one missing or in range."""
    try:
        found = tuple(map(_heads_within(min(count, 1000)), heads))
    except (KeyError, TypeError):  # one out of range, a very long sentence, or no number
        return None
    return found if len(found) == count else None


@lru_cache(maxsize=128)
def _heads_within(count: int) -> Callable[[int | None], int | None]:
    """What gives a head back if it is one that a word of a sentence of `count` words can have."""
    return {head: head for head in (None, *range(count + 1))}.__getitem__


def checked_heads(
    heads: Sequence[int | None], count: int, location: SourceLocation | None
) -> tuple[int | None, ...]:
    """Heads of `count` words, each one missing or in range."""
    if isinstance(heads, str) or not hasattr(heads, "__len__"):
        raise UsageError(f"heads are a list of numbers, one for each word, not {quoted(heads)}")
    if len(heads) != count:
        raise InputError(f"{len(heads)} heads for {count} words", location)
    found = tuple(_whole_head(head, word, location) for word, head in enumerate(heads, 1))
    for word, head in enumerate(found, 1):
        if head is not None and not 0 <= head <= count:
            raise InputError(
                f"the head of word {word} is {head}, not one of 0 to {count}", location
            )
    return found


def _whole_head(head: Any, word: int, location: SourceLocation | None) -> int | None:
    """A head as an integer, whoever made the number; None if it is missing."""
    if head is None:
        return None
    try:
        number = int(head)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number != head:  # a text, or a fraction
        raise InputError(f"the head of word {word} is {quoted(head)}, not a number", location)
    return number

"""Trees as heads arrays: pure functions that know nothing of words or files.

A *heads array* has an entry for every token: `heads[m]` is the head of word `m` (1…n), 0 being
the root; `heads[0]` is the root's own and never looked at (-1 by convention).
"""

from collections.abc import Sequence

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
    found += [f"words {cycle_text(cycle)} form a cycle" for cycle in cycles(heads)]
    if not roots(heads):
        found.append("no word is attached to the root")
    return found


def cycle_text(cycle: Sequence[int]) -> str:
    """A cycle as `2 → 5 → 2`."""
    return " → ".join(str(word) for word in (*cycle, cycle[0]))


def roots(heads: Heads) -> list[int]:
    """The words attached to the root."""
    return [m for m in range(1, len(heads)) if heads[m] == 0]


def is_tree(heads: Heads) -> bool:
    """Whether every word is in range and reaches the root."""
    return not problems(heads)


def is_single_rooted(heads: Heads) -> bool:
    """Whether exactly one word is attached to the root."""
    return len(roots(heads)) == 1


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

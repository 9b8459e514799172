# mypy: allow-untyped-defs
"""Counting what heads have: links and ends of modifiers (Wang 2008, section 5.2)."""

import numpy as np

from headwise.kernels.runtime.jit import kernel

LEFT, RIGHT = 0, 1


@kernel
def link_events(symbols, heads, starts, counts, size):
    """Every ordered pair of tokens of a sentence as a head, a side, a modifier and a count.

    `symbols` and `heads` are those of all tokens, roots included; heads are numbers within their
    sentences. An event is `(((head * 2 + side) * size + modifier) * counts + c) * 2 + linked`: c is
    how many modifiers the head has between the two (`counts` - 1 for more), and `linked` says
    whether the two are linked.
    """
    total = 0
    for s in range(len(starts) - 1):
        n = starts[s + 1] - starts[s] - 1
        total += n * n
    events = np.empty(total, np.int64)
    found = 0
    for s in range(len(starts) - 1):
        first, end = starts[s], starts[s + 1]
        for h in range(first, end):
            for side in range(2):
                step, stop = (-1, first) if side == LEFT else (1, end)
                row = (np.int64(symbols[h]) * 2 + side) * size
                c = 0
                for m in range(h + step, stop, step):
                    linked = heads[m] == h - first
                    key = (row + symbols[m]) * counts + min(c, counts - 1)
                    events[found] = key * 2 + linked
                    found += 1
                    c += linked
    return events[:found]


@kernel
def count_stops(symbols, heads, starts, counts, ended, asked):
    """Where modifiers end. OUT: ended, asked [symbol, side, c].

    `asked` counts how often a head had c modifiers on a side and might have taken one more, `ended`
    how often it did not.
    """
    for s in range(len(starts) - 1):
        first, end = starts[s], starts[s + 1]
        modifiers = np.zeros((end - first, 2), np.int64)
        for m in range(first + 1, end):
            h = heads[m]
            modifiers[h, RIGHT if m - first > h else LEFT] += 1
        for h in range(end - first):
            for side in range(2):
                for c in range(modifiers[h, side] + 1):
                    asked[symbols[first + h], side, min(c, counts - 1)] += 1
                last = min(modifiers[h, side], counts - 1)
                ended[symbols[first + h], side, last] += 1

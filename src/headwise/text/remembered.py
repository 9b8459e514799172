"""A cache of what was computed from recent texts, as fast as a dictionary."""

from collections.abc import Callable
from typing import TypeVar

Met = TypeVar("Met")
Made = TypeVar("Made")

MOST_KEPT = 1 << 15
"""The number of entries kept: a stream of text must not fill the memory …"""

LONGEST_KEPT = 64
"""… nor must words of a million characters."""


class Remembered(dict[Met, Made]):
    """`remembered[met]` is what `make(met)` gives; `length` says how long it is."""

    def __init__(self, make: Callable[[Met], Made], length: Callable[[Met], int]) -> None:
        """Start with nothing remembered."""
        super().__init__()
        self.make, self.length = make, length

    def __missing__(self, met: Met) -> Made:
        """Work it out, and remember it unless it is too long; forget all if there are too many."""
        made = self.make(met)
        if self.length(met) <= LONGEST_KEPT:
            if len(self) >= MOST_KEPT:
                self.clear()
            self[met] = made
        return made

"""The order in which the model builds the links of a tree (section 5.2)."""

from collections.abc import Sequence
from typing import Literal

from headwise.corpus.tree import children_of

Link = tuple[int, int, Literal["L", "R"]]
"""The two words, left one first, and where the modifier is: the head is the other one."""


def canonical_links(heads: Sequence[int]) -> list[Link]:
    """The links of a projective tree in the order in which they are built.

    A head takes its modifiers on the right first, then those on the left, both from the inside out,
    and each when all links below it are there. `heads[0]`, of the root, means nothing.
    """
    children = children_of(heads)
    links: list[Link] = []
    waiting: list[tuple[int, Link | None]] = [(0, None)]  # a word, or a link that is due
    while waiting:
        word, due = waiting.pop()
        if due is not None:
            links.append(due)
            continue
        right = [m for m in children[word] if m > word]
        left = [m for m in reversed(children[word]) if m < word]
        for m in reversed([*right, *left]):
            waiting.append((word, (m, word, "L") if m < word else (word, m, "R")))
            waiting.append((m, None))
    return links

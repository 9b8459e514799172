"""What dynamic features see of a projective tree: the modifiers a head has before another."""

import numpy as np
from numpy.typing import NDArray

from headwise.parsers.boosting.features import LEFT, NONE, RIGHT, pairs_of

Ints = NDArray[np.int64]


def link_labels(heads: Ints) -> NDArray[np.int8]:
    """The class of every pair of tokens, in the order of `pairs_of`. `heads[0]` means nothing."""
    left, right = pairs_of(len(heads))
    labels = np.full(len(left), NONE, np.int8)
    labels[heads[right] == left] = RIGHT
    labels[(heads[left] == right) & (left > 0)] = LEFT
    return labels


def modifiers_before(heads: Ints) -> tuple[Ints, Ints]:
    """For head h and word m, how many modifiers of h are between them, and the one nearest to m.

    Both are [h, m]; h itself stands for no modifier.
    """
    head, word = np.arange(len(heads))[:, None], np.arange(len(heads))[None, :]
    is_modifier = (heads[None, :] == head) & (word > 0)
    right, left = is_modifier & (word > head), is_modifier & (word < head)
    up = np.cumsum(right, axis=1) - right
    down = np.cumsum(left[:, ::-1], axis=1)[:, ::-1] - left
    last_up = np.maximum.accumulate(np.where(right, word, head), axis=1)
    last_down = np.minimum.accumulate(np.where(left, word, head)[:, ::-1], axis=1)[:, ::-1]
    before_up = np.concatenate([head, last_up[:, :-1]], axis=1)
    before_down = np.concatenate([last_down[:, 1:], head], axis=1)
    on_right = word > head
    return np.where(on_right, up, down), np.where(on_right, before_up, before_down)


def first_modifiers(heads: Ints) -> Ints:
    """The first modifier of each token: its innermost on the right, or else on the left.

    A token itself stands for no modifier.
    """
    first = np.arange(len(heads))
    words = np.arange(1, len(heads))
    on_left, on_right = words[words < heads[1:]], words[words > heads[1:]]
    first[heads[on_left]] = on_left  # of several, the last one counts
    first[heads[on_right[::-1]]] = on_right[::-1]
    return first

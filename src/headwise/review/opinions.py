"""What parsers say of a value, and how that becomes a probability.

Search leaves things out: arcs that were pruned or cross others, tags that a word was never seen
with. A value that was left out is not impossible. So every probability is mixed with that of a
simpler model that leaves out nothing, in the share λ that makes the values of the file likeliest:

    p(value) = (1 − λ) · chance + λ · background
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

COLUMNS = ("head", "deprel", "upos", "xpos", "feats")
"""What can be judged, as CoNLL-U calls it."""

ATTRIBUTES = {"deprel": "relations"} | {name: name for name in ("upos", "xpos", "feats")}
"""Columns of names, and what sentences call them."""

ROUNDS = 100
"""Steps of EM, which settles long before."""


class Opinion(NamedTuple):
    """What parsers say of a value, and what they hold for likeliest in its place.

    sentence: its index in the file.
    word: its number in the sentence.
    chance, background: the probability of the value, and that by the simpler model.
    """

    sentence: int
    word: int
    column: str
    value: str
    chance: float
    background: float
    expected: str
    expected_chance: float
    expected_background: float


def background_share(opinions: Sequence[Opinion]) -> float:
    """The share λ of the simpler model that makes the values likeliest, by EM."""
    if not opinions:
        return 0.0
    chances = np.array([(one.chance, one.background) for one in opinions])
    share = 0.1
    for _ in range(ROUNDS):
        weighted = chances * (1.0 - share, share)
        total = weighted.sum(axis=1)
        known = total > 0
        if not known.any():
            return share
        share = float((weighted[known, 1] / total[known]).mean())
    return share

"""The models' opinion on a value, and its probability.

Search excludes some values: arcs that were pruned or cross others, tags a word was never seen with.
Excluded is not impossible. So every probability is interpolated with that of a background model
that excludes nothing; the weight λ maximises the likelihood of the values in the file:

    p(value) = (1 − λ) · chance + λ · background
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

COLUMNS = ("head", "deprel", "upos", "xpos", "feats")
"""The columns that can be judged, by their CoNLL-U names."""

ATTRIBUTES = {"deprel": "relations"} | {name: name for name in ("upos", "xpos", "feats")}
"""The columns that hold names, and the attributes of `Sentence` for them."""

ROUNDS = 100
"""Iterations of EM; it converges much earlier."""


class Opinion(NamedTuple):
    """The models' probability of a value, and the value they find most likely.

    sentence: its index in the file.
    word: its number in the sentence.
    chance, background: the probability of the value, and that by the background model.
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
    """The weight λ of the background model that maximises the likelihood of the values, by EM."""
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

"""Learning which arcs are plausible, from gold trees (see `kernels/arcs/plausible`)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import COARSE, MULTIPLIER
from headwise.kernels.arcs.plausible import (
    EVERYTHING,
    KINDS,
    PAIRS,
    ROWS,
    Plausible,
    everything,
    gaps_of_gold,
    learn_ratings,
)
from headwise.scoring.linear.atoms import EncodedSentences
from headwise.search.decoders.base import HeadsArray

EPOCHS = 3
RATE = 0.15

WORD = 0
"""The row of atoms that has words."""

FOLDS, ENOUGH = 10, 5000
"""Tenths of the sentences are held out, one by one, until there are enough arcs for the margin."""

ONE, LARGEST = 16, 127
"""The integer that a rating of 1 becomes, and the largest one. A margin is never below 1."""

NARROWED = 0.85
"""The margin of a finished model, as a share of that of its learner (`benchmarks/margins.py`)."""


def learn_plausible(encoded: EncodedSentences, heads: HeadsArray, share: float) -> Plausible:
    """Learn which arcs are plausible, such that this share of the correct arcs of new text is.

    heads: the heads of all tokens, concatenated; -1 where there is none.

    The margin is chosen on held-out sentences, so it is wide where tags say little, or where there
    is little training data. If less than one arc would be left out, all are plausible.
    """
    tags = frequent_tags(encoded)
    gaps = np.sort(held_out_gaps(tags, encoded, heads)) if share < 1.0 else np.empty(0, np.int64)
    left_out = int(len(gaps) * (1.0 - share))
    if not left_out:
        return everything()
    margin = max(ONE, int(gaps[max(0, len(gaps) - 1 - left_out)]))
    return learnt(tags, encoded, heads)._replace(margin=margin)


def narrowed(plausible: Plausible, share: float = NARROWED) -> Plausible:
    """The arcs that a finished model looks at: fewer than those it was learnt from.

    Learners must see arcs that are almost never right, to learn that they are wrong. A finished
    model seldom ranks such arcs highest, and saves a fifth of the time without them.
    """
    if plausible.margin == EVERYTHING:
        return plausible
    return plausible._replace(margin=max(ONE, round(plausible.margin * share)))


def held_out_gaps(
    tags: NDArray[np.uint64], encoded: EncodedSentences, heads: HeadsArray
) -> NDArray[np.int64]:
    """How far gold arcs are below the best ones, in sentences that ratings were not learnt from."""
    fold_of, found = folds(encoded), [np.empty(0, np.int64)]
    for fold in range(FOLDS):
        held_out = fold_of == fold
        trial = learnt(tags, encoded, np.where(held_out, -1, heads))
        tested = np.where(held_out, heads, -1)
        gaps = gaps_of_gold(trial, encoded.tokens, encoded.starts, tested)
        found.append(gaps[gaps >= 0])
        if sum(map(len, found)) >= ENOUGH:
            break
    return np.concatenate(found)


def folds(encoded: EncodedSentences) -> NDArray[np.uint64]:
    """The fold of every token's sentence, which sentences of the same words share."""
    words = np.add.reduceat(encoded.tokens.atoms[WORD], encoded.starts[:-1])
    mixed = (words * MULTIPLIER) >> np.uint64(32)
    return np.repeat(mixed % np.uint64(FOLDS), np.diff(encoded.starts))


def frequent_tags(encoded: EncodedSentences) -> NDArray[np.uint64]:
    """The coarse tags that are told apart, the most frequent first."""
    tags, counts = np.unique(encoded.tokens.atoms[COARSE], return_counts=True)
    return tags[np.argsort(-counts, kind="stable")][: KINDS - 1]


def learnt(tags: NDArray[np.uint64], encoded: EncodedSentences, heads: HeadsArray) -> Plausible:
    """Ratings that were learnt from gold trees; their margin is 0."""
    plausible, squares = (
        Plausible(tags, np.zeros(PAIRS, np.float32), np.zeros(ROWS, np.float32), 0)
        for _ in range(2)
    )
    for _ in range(EPOCHS):
        learn_ratings(plausible, squares, encoded.tokens, encoded.starts, heads, RATE)
    return plausible._replace(pairs=rounded(plausible.pairs), rows=rounded(plausible.rows))


def rounded(weights: NDArray[Any]) -> NDArray[np.int8]:
    """Weights as small integers."""
    small: NDArray[np.int8] = np.clip(np.rint(weights * ONE), -LARGEST, LARGEST).astype(np.int8)
    return small

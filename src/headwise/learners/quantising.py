"""Weights of a finished model as small integers, as faithful as can be.

All weights share one scale. A coarse one blurs the many small weights, a fine one cuts off the few
large ones; which is worse depends on the learner. So several are tried, and the one is taken under
which most words keep the head that they have with 32-bit weights.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from headwise.inference.treesearch import TreeSearch
from headwise.scoring.linear.atoms import EncodedSentences
from headwise.scoring.linear.tables import WeightTables

T = TypeVar("T")

CUT_OFF = (0.0, 1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3)
"""Shares of weights, the largest, that may be cut off."""

SENTENCES = 500
"""Number of sentences that are compared."""


def faithfully_quantised(
    tables: WeightTables,
    bits: Literal[8, 16],
    search: Callable[[WeightTables], TreeSearch],
    sentences: EncodedSentences,
    drop_up_to: int = 0,
) -> WeightTables:
    """The weights as integers of `bits` bits, by the scale that changes least.

    Those of no more than `drop_up_to` are left out: most weights are, in a model of high order.
    """
    sample = sentences.part(0, min(SENTENCES, len(sentences)))
    candidates = (tables.rounded(bits, scale, drop_up_to) for scale in tables.scales(bits, CUT_OFF))
    return most_faithful(tables, candidates, lambda own: search(own).best_encoded(sample))


def most_faithful(model: T, candidates: Iterable[T], answers: Callable[[T], NDArray[Any]]) -> T:
    """The candidate whose answers are most often those of the model itself; of equals the first."""
    wanted = answers(model)
    best, most_same = model, -1
    for candidate in candidates:
        same = int(np.count_nonzero(answers(candidate) == wanted))
        if same > most_same:
            best, most_same = candidate, same
    return best

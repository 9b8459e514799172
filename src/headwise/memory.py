"""How much memory search needs, known before any of it is taken; and what to do if it is too much."""

import warnings
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from headwise.errors import HeadwiseWarning, LimitError, UsageError
from headwise.partindex import PartIndex
from headwise.parts import Factorisation, Part
from headwise.scores import living_arcs

FLOAT = 8
"""Bytes of a value in a chart."""

LOWER = {
    Factorisation.GRAND_TRI_SIBLINGS: Factorisation.GRAND_SIBLINGS,
    Factorisation.TRI_SIBLINGS: Factorisation.SIBLINGS,
    Factorisation.GRAND_SIBLINGS: Factorisation.SIBLINGS,
    Factorisation.GRANDCHILDREN: Factorisation.ARCS,
    Factorisation.SIBLINGS: Factorisation.ARCS,
}
"""What to search with instead of a factorisation that is too dear."""


class OverLimit(Enum):
    """What to do when search would need more memory than allowed."""

    RAISE = "raise"
    LOWER_ORDER = "lower order"
    PRUNE = "prune"


def chart_memory(index: PartIndex | None, n: int) -> int:
    """The bytes of a chart over indexed parts; of a first-order chart if there is no index."""
    size = n + 1
    if index is None or index.factorisation is Factorisation.ARCS:
        return 3 * FLOAT * size * size
    rows = index.rows
    contexts, arcs = len(rows.context_head), len(rows.arc_head)
    halves = 2 * contexts * size + 2 * size * (arcs if rows.grand else size)
    between = int(rows.head_pair_start[-1]) if rows.grand else 2 * size * size
    pairs = int(rows.pair_start[-1]) if index.factorisation.largest.siblings == 2 else 0
    return FLOAT * (halves + int(rows.chain_start[-1]) + between + pairs + arcs)


def score_memory(index: PartIndex, bytes_per_score: int = 4) -> int:
    """The bytes of the scores of all indexed parts."""
    higher = sum(index.count(part) for part in index.factorisation.parts if part is not Part.ARC)
    return FLOAT * (index.n + 1) ** 2 + bytes_per_score * higher


def memory_needed(n: int, factorisation: Factorisation, bytes_per_score: int = 4) -> int:
    """The bytes of all scores and the chart of a sentence of n words, with nothing pruned."""
    if n < 1:
        raise UsageError(f"a sentence has 1 word or more, not {n}")
    index = PartIndex.dense(n, factorisation)
    return chart_memory(index, n) + score_memory(index, bytes_per_score)


def index_within(
    limit: int,
    living: NDArray[np.bool_],
    factorisation: Factorisation,
    over_limit: OverLimit = OverLimit.RAISE,
    marginals: NDArray[np.float64] | None = None,
) -> PartIndex:
    """An index of parts whose scores and chart fit into `limit` bytes.

    If those over `living` arcs do not, the order is lowered step by step, or arcs are pruned by
    their first-order `marginals`, harder step by step, with a warning that says how far; or it is
    an error, and also if nothing helps.
    """
    if over_limit is OverLimit.PRUNE and marginals is None:
        raise UsageError("pruning needs the marginals of arcs")
    index, ratio = PartIndex.over(living, factorisation), 1e-6
    while (needed := chart_memory(index, index.n) + score_memory(index)) > limit:
        problem = f"{index.factorisation.label} over {index.n} words need {needed} bytes of {limit}"
        if over_limit is OverLimit.LOWER_ORDER and index.factorisation in LOWER:
            index = PartIndex.over(living, LOWER[index.factorisation])
            notice = f"{problem}: searching with {index.factorisation.label} instead"
        elif over_limit is OverLimit.PRUNE and ratio < 1 and marginals is not None:
            ratio *= 10
            index = PartIndex.over(living & living_arcs(marginals, ratio), factorisation)
            notice = f"{problem}: arcs below {ratio:.0e} of the likeliest are pruned"
        else:
            raise LimitError(problem)
        warnings.warn(notice, HeadwiseWarning, stacklevel=2)
    return index

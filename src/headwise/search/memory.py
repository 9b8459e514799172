"""The memory that search needs, computed beforehand, and what to do if it is too much.

For users of the library with their own scores (docs/recurrences.md): the package's parsers prune to
a fixed number of heads per word and do not need this.
"""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from headwise.errors import LimitError, UsageError, warn
from headwise.kernels.charts import order1
from headwise.search.partcounts import PartCounts, Question, index_memory
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation
from headwise.search.scores import unpruned_arcs

MIN_RATIO = 1e-5
"""Arcs less probable than this fraction of the word's most probable one are pruned first."""

LOWER = {
    Factorisation.GRAND_TRI_SIBLINGS: Factorisation.GRAND_SIBLINGS,
    Factorisation.TRI_SIBLINGS: Factorisation.SIBLINGS,
    Factorisation.GRAND_SIBLINGS: Factorisation.SIBLINGS,
    Factorisation.GRANDCHILDREN: Factorisation.ARCS,
    Factorisation.SIBLINGS: Factorisation.ARCS,
}
"""The next cheaper factorisation."""


class OverLimit(Enum):
    """What to do when search would need more memory than allowed."""

    RAISE = "raise"
    LOWER_ORDER = "lower order"
    PRUNE = "prune"


def chart_memory(index: PartIndex | None, n: int) -> int:
    """The bytes of a chart over indexed parts; of a first-order chart without an index."""
    if index is None:
        return PartCounts.dense(n, Factorisation.ARCS).chart_memory
    return PartCounts.of(index).chart_memory


def score_memory(index: PartIndex) -> int:
    """The bytes of the scores of all indexed parts."""
    return PartCounts.of(index).score_memory


def memory_needed(
    n: int, order: Factorisation | int, question: Question = "best", trees: int = 1
) -> int:
    """The bytes of the scores, their index and a question about n words, without pruning.

    An order, 1 to 4, stands for its most expensive factorisation. `trees` is the number of trees
    requested; for the k best, the result is an upper bound.
    """
    if n < 1 or trees < 1:
        raise UsageError(f"words and trees must be at least 1, not {n} and {trees}")
    if isinstance(order, int):
        meant = [factorisation for factorisation in Factorisation if factorisation.order == order]
        if not meant:
            raise UsageError(f"order must be from 1 to 4, not {order}")
        return max(memory_needed(n, factorisation, question, trees) for factorisation in meant)
    return all_memory(PartCounts.dense(n, order), question, trees)


def all_memory(counts: PartCounts, question: Question, trees: int) -> int:
    """The bytes of scores, index and question; arc scores need no index."""
    index = 0 if counts.factorisation is Factorisation.ARCS else counts.index_memory
    return index + counts.score_memory + counts.question_memory(question, trees)


def index_within(
    limit: int,
    unpruned: NDArray[np.bool_],
    factorisation: Factorisation,
    over_limit: OverLimit = OverLimit.RAISE,
    marginals: NDArray[np.float64] | None = None,
    *,
    crossing: bool = False,
    single_root: bool = True,
    question: Question = "best",
    trees: int = 1,
) -> PartIndex:
    """An index of parts with which the scores, the index and a question fit into `limit` bytes.

    If those over `unpruned` arcs do not fit, the order is lowered step by step, or arcs are pruned
    by their first-order `marginals`, harder step by step, with a warning that says how far;
    otherwise, or if nothing helps, it is an error. The arcs of the most probable tree are never
    pruned.
    """
    if over_limit is OverLimit.PRUNE and marginals is None:
        raise UsageError("over_limit = PRUNE requires the marginals of arcs")
    first, notice, ratio, kept = "", "", MIN_RATIO / 10, unpruned
    while True:
        index, needed = try_index(kept, factorisation, crossing, limit, question, trees)
        if index is not None:
            break
        n = len(unpruned) - 1
        problem = f"{factorisation.label} over {n} words need {needed} bytes, the limit is {limit}"
        first = first or problem
        if over_limit is OverLimit.LOWER_ORDER and factorisation in LOWER:
            factorisation = LOWER[factorisation]
            notice = f"searching with {factorisation.label} instead"
        elif over_limit is OverLimit.PRUNE and ratio < 1 and marginals is not None:
            ratio *= 10
            likely = unpruned_arcs(marginals, ratio)
            kept = unpruned & (likely | likeliest_tree(marginals, unpruned, single_root))
            notice = f"arcs below {ratio:.0e} of the most probable are pruned"
        else:
            raise LimitError(problem)
    if first:
        warn(f"{first}: {notice}")
    return index


def try_index(
    unpruned: NDArray[np.bool_],
    factorisation: Factorisation,
    crossing: bool,
    limit: int,
    question: Question,
    trees: int,
) -> tuple[PartIndex | None, int]:
    """An index, if everything fits into the limit; and the bytes needed, or a lower bound.

    An index that does not fit itself is never made.
    """
    n, arcs = len(unpruned) - 1, int(unpruned[:, 1:].sum() - np.trace(unpruned[1:, 1:]))
    minimum = index_memory(n, arcs, factorisation, crossing=crossing)
    if minimum > limit and factorisation is not Factorisation.ARCS:
        return None, minimum
    index = PartIndex.over(unpruned, factorisation, crossing=crossing)
    needed = all_memory(PartCounts.of(index), question, trees)
    return (index if needed <= limit else None), needed


def likeliest_tree(
    marginals: NDArray[np.float64], unpruned: NDArray[np.bool_], single_root: bool
) -> NDArray[np.bool_]:
    """The arcs of the projective tree with the largest product of marginals, as a matrix."""
    with np.errstate(divide="ignore"):
        arc = np.where(unpruned, np.log(marginals), -np.inf)
    size = np.array([len(arc)])
    heads, totals = order1.best_trees(np.ascontiguousarray(arc).ravel(), size, single_root)
    kept = np.zeros(arc.shape, np.bool_)
    if totals[0] > -np.inf:
        kept[heads[1:], np.arange(1, len(arc))] = True
    return kept

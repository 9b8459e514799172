"""The mixture of trees that is nearest to scores.

    minimise ½ Σ (y[h, m] - score[h, m])²    over y = Σ_k p_k T_k,   p ≥ 0,  Σ p = 1

where T_k are the matrices of all trees that search can find. For all trees, these y are those that
flows of one unit from the root to every word allow; for projective ones there are fewer.

Wolfe's algorithm (1976) for the nearest point of a polytope: the tree that would help most is
found by search and joins those at hand; their best mixture, shares of any sign allowed, is a small
system of equations; where a share would be negative, the mixture moves towards it until one is 0,
and that tree leaves. It ends after finitely many trees, when no other would help.
"""

import numpy as np
from numpy.typing import NDArray

from headwise.errors import warn
from headwise.search.decoders.base import Decoder, HeadsArray
from headwise.search.scores import Scores

TOLERANCE = 1e-8
"""No tree would lower the sum of squares by more than this, for each bit of it taken."""

MAX_TREES = 1000
"""Largest number of trees in a mixture; the number of words is enough in most sentences."""

ROUNDING = 1e-9
"""What sums of scores may be off by, as a share of the largest."""

SMALLEST = 1e-12
"""Weights in the mixture below this are 0."""

Floats = NDArray[np.float64]


def nearest_mixture(arc: Floats, decoder: Decoder) -> Floats:
    """The matrix [head, modifier] nearest to scores of arcs among mixtures of trees."""
    words = np.arange(1, len(arc))
    trees = [decoder.best(Scores(arc)).heads]
    shares = np.ones(1)
    gain = np.inf
    for _ in range(MAX_TREES):
        mixture = mixed(trees, shares, len(arc))
        left = arc - mixture
        tree = decoder.best(Scores(left)).heads
        own = mixture > 0
        gain = left[tree[words], words].sum() - left[own] @ mixture[own]
        if gain <= TOLERANCE or any(np.array_equal(tree, one) for one in trees):
            break
        trees.append(tree)
        trees, shares = corrected(trees, np.append(shares, 0.0), arc)
    largest = float(np.abs(arc[np.isfinite(arc)]).max())
    if gain > max(TOLERANCE, ROUNDING * largest):
        warn(
            f"the trees of an unlabelled sentence of {len(words)} words were not mixed exactly: "
            f"another tree would gain {gain:.1e}"
        )
    return mixed(trees, shares, len(arc))


def mixed(trees: list[HeadsArray], shares: Floats, size: int) -> Floats:
    """The matrix of a mixture of trees."""
    mixture = np.zeros((size, size))
    words = np.arange(1, size)
    for tree, share in zip(trees, shares, strict=True):
        mixture[tree[words], words] += share
    return mixture


def corrected(
    trees: list[HeadsArray], shares: Floats, arc: Floats
) -> tuple[list[HeadsArray], Floats]:
    """The best mixture of some trees, without those that it has nothing of."""
    while True:
        wanted = best_shares(trees, arc)
        if wanted.min() > SMALLEST:
            return trees, wanted
        falling = (wanted <= SMALLEST) & (wanted < shares)
        reach = np.min(shares[falling] / (shares[falling] - wanted[falling]), initial=1.0)
        shares = shares + reach * (wanted - shares)
        kept = shares > SMALLEST
        if kept.all():  # rounding: nothing more can be gained
            return trees, shares / shares.sum()
        trees = [tree for tree, is_kept in zip(trees, kept, strict=True) if is_kept]
        shares = shares[kept] / shares[kept].sum()


def best_shares(trees: list[HeadsArray], arc: Floats) -> Floats:
    """Shares of trees, of any sign, that sum to 1 and come nearest to scores."""
    heads = np.stack(trees)[:, 1:]
    common = (heads[:, None] == heads[None]).sum(axis=2)
    scores = arc[heads, np.arange(1, len(arc))].sum(axis=1)
    count = len(trees)
    system = np.ones((count + 1, count + 1))
    system[:count, :count] = common
    system[count, count] = 0.0
    wanted = np.append(scores, 1.0)
    try:
        found = np.linalg.solve(system, wanted)
    except np.linalg.LinAlgError:  # by rounding only: trees that join depend on no others
        found, *_ = np.linalg.lstsq(system, wanted)
    return np.asarray(found[:count])

"""Minimum Bayes risk over dependency trees (Titov & Henderson 2006, § 4).

Under the unlabelled and the labelled loss (the number of wrong arcs), the expected loss of a tree
is its number of words minus the sum of its arcs' weights; the weight w(e) of an arc is the
probability of all trees that have it. The tree of minimum risk is therefore the best one under
Scores that are those weights, and any decoder finds it: projective or not, with one root or
several.

    mbr_predict   the tree of minimum risk of all trees (equation 1), from a list of candidates
    mbr_rerank    the candidate of minimum risk (equation 2), under any loss
    exact_mbr     equation 1 over all trees: arc weights are marginals

Trees are heads arrays, relations are integer codes in arrays of the same shape. Ties: of equal
trees the one that shares most arcs with the most probable candidate; of equal candidates the first.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.search.decoders.base import Decoder, HeadsArray
from headwise.search.probabilities import checked_probabilities
from headwise.search.scores import Scores, scale

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
TreeLoss = Callable[[int, int], float]
"""The loss of choosing the first candidate (by index) if the second is correct."""

SAME = 1e-9
"""Risks that differ by less are equal up to rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class MbrDecision:
    """A tree, its relations if the candidates have them, and its expected number of correct
    arcs."""

    heads: HeadsArray
    relations: Ints | None
    expected: float


@dataclass(frozen=True, slots=True, eq=False)
class ArcWeights:
    """The weights of all arcs of a candidate list, with the best relation of each.

    arc: [head, modifier]; relations: the same shape, -1 where no candidate has the arc. `own` has
    the weights of each candidate's arcs, [candidate, modifier]; they sum to its expected accuracy.
    """

    arc: Floats
    relations: Ints | None
    own: Floats


def arc_weights(heads: Ints, probabilities: Floats, relations: Ints | None = None) -> ArcWeights:
    """The weights w(e) of candidates' arcs, each with its most probable relation if given.

    Of equally probable relations the first in the list wins.
    """
    count, size = heads.shape
    kinds = 1 if relations is None else int(relations.max(initial=0)) + 1
    named = np.zeros_like(heads) if relations is None else relations
    words = np.arange(1, size)
    keys = ((heads[:, 1:] * size + words) * kinds + named[:, 1:]).ravel()
    found, first, indices = np.unique(keys, return_index=True, return_inverse=True)
    weights = np.bincount(indices, weights=np.repeat(probabilities, size - 1))
    own = np.zeros((count, size))
    own[:, 1:] = weights[indices].reshape(count, size - 1)
    # The best relation of an arc is written last: by weight, then from last to first.
    order = np.lexsort((-first, np.round(weights / SAME)))
    arcs, best = found // kinds, np.full(size * size, -1, np.int64)
    arc = np.zeros(size * size)
    arc[arcs[order]] = weights[order]
    best[arcs[order]] = (found % kinds)[order]
    square = best.reshape(size, size) if relations is not None else None
    return ArcWeights(arc.reshape(size, size), square, own)


def mbr_predict(
    decoder: Decoder,
    heads: Ints,
    probabilities: Floats,
    relations: Ints | None = None,
    *,
    allowed: Scores | None = None,
) -> MbrDecision:
    """The tree of minimum risk among all of the decoder's; with relations, under the labelled loss.

    An arc that no candidate has weighs 0, but may be needed to complete a tree; its relation is -1.
    Arcs and brackets that `allowed` forbids stay forbidden.
    """
    trees, weights = checked(heads, probabilities, relations)
    found = arc_weights(trees, weights, relations)
    favourite = trees[int(np.argmax(weights))]
    return decide(decoder, found, favourite, allowed)


def decide(
    decoder: Decoder, found: ArcWeights, favourite: HeadsArray, allowed: Scores | None
) -> MbrDecision:
    """The tree of the largest weight; of equals, the most similar to the favourite."""
    words = np.arange(1, len(favourite))
    arc = found.arc.copy()
    arc[favourite[1:], words] += SAME
    if allowed is not None:
        arc[allowed.arc == -np.inf] = -np.inf
    brackets = allowed.brackets if allowed is not None else ()
    best = decoder.best(Scores(arc, brackets=brackets)).heads
    expected = float(found.arc[best[1:], words].sum())
    relations = None
    if found.relations is not None:
        relations = np.full(len(best), -1, np.int64)
        relations[1:] = found.relations[best[1:], words]
    return MbrDecision(best, relations, expected)


def mbr_rerank(
    heads: Ints,
    probabilities: Floats,
    relations: Ints | None = None,
    *,
    loss: TreeLoss | None = None,
) -> tuple[int, float]:
    """The index of the candidate of minimum risk, and its risk.

    The loss is the number of wrong arcs, labelled if relations are given, or any function of two
    candidates, which is called for every pair.
    """
    trees, weights = checked(heads, probabilities, relations)
    if loss is None:
        own = arc_weights(trees, weights, relations).own
        risks = trees.shape[1] - 1 - own.sum(axis=1)
    else:
        risks = expected_losses(weights, loss)
    slack = SAME * max(1.0, float(np.abs(risks).max()))
    chosen = int(np.argmax(risks <= risks.min() + slack))
    return chosen, float(risks[chosen])


def expected_losses(probabilities: Floats, loss: TreeLoss) -> Floats:
    """The risk of each candidate under a loss function of two candidates."""
    indices = range(len(probabilities))
    table = np.array([[loss(chosen, right) for right in indices] for chosen in indices], np.float64)
    if not np.isfinite(table).all():
        raise UsageError("the loss must be finite")
    return np.asarray(table @ probabilities)


def exact_mbr(decoder: Decoder, scores: Scores, factor: float = 1.0) -> MbrDecision:
    """The tree of minimum risk under the distribution over all trees, exp(factor · score) / Z.

    For any order of which the decoder has marginals.
    """
    return mbr_of_marginals(decoder, decoder.marginals(scale(scores, factor)).arc, scores)


def mbr_of_marginals(
    decoder: Decoder, arc: Floats, scores: Scores, favourite: HeadsArray | None = None
) -> MbrDecision:
    """The tree of minimum risk under marginals.

    Of equals, the most like the favourite, which is by default the best by `scores`. Arcs and
    brackets that the scores forbid stay forbidden.
    """
    if favourite is None:
        favourite = decoder.best(scores).heads
    return decide(decoder, ArcWeights(arc, None, arc), favourite, scores)


def checked(
    heads: Ints, probabilities: Floats, relations: Ints | None
) -> tuple[HeadsArray, Floats]:
    """Candidates as an array of heads arrays, and their normalised probabilities."""
    trees = np.asarray(heads, np.int64)
    if trees.ndim != 2 or not len(trees) or trees.shape[1] < 2:
        raise UsageError(f"candidates must be a non-empty array of heads, not {trees.shape}")
    if trees[:, 1:].min() < 0 or trees[:, 1:].max() >= trees.shape[1]:
        raise UsageError("a head of a candidate is outside the sentence")
    if relations is not None and relations.shape != trees.shape:
        raise UsageError(f"relations have shape {relations.shape}, heads {trees.shape}")
    return trees, checked_probabilities(probabilities, len(trees))

"""How one tree is made of the distribution that a chart defines: as `decoders.decoding`, of arcs.

Minimum risk needs nothing of the chart but probabilities of arcs, or a list of candidates: the tree
is then searched by arcs alone.
"""

import numpy as np
from numpy.typing import NDArray

from headwise.search.decoders.base import HeadsArray
from headwise.search.decoders.chart import ChartDecoder
from headwise.search.decoders.chartscores import ChartScores
from headwise.search.decoders.decoding import LIST_SIZE, Decoding, new_rng
from headwise.search.decoders.mbr import ArcWeights, decide, mbr_predict, mbr_rerank
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.probabilities import candidate_probabilities
from headwise.search.scores import Scores


def decode(decoder: ChartDecoder, scores: ChartScores, decoding: Decoding) -> HeadsArray:
    """The one tree of a sentence: the best, or one of minimum Bayes risk."""
    if decoding.name == "map":
        return decoder.best(scores).heads
    arcs = ProjectiveDecoder(decoder.single_root)
    allowed = Scores(scores.link.max(axis=(1, 2)), brackets=scores.brackets)
    if decoding.name == "mbr" and decoding.kbest is None and decoding.samples is None:
        arc = decoder.marginals(scores).arc
        favourite = decoder.best(scores).heads
        return decide(arcs, ArcWeights(arc, None, arc), favourite, allowed).heads
    heads, probabilities = candidates(decoder, scores, decoding)
    if decoding.name == "mbr-rerank":
        chosen: HeadsArray = heads[mbr_rerank(heads, probabilities)[0]]
        return chosen
    return mbr_predict(arcs, heads, probabilities, allowed=allowed).heads


def candidates(
    decoder: ChartDecoder, scores: ChartScores, decoding: Decoding
) -> tuple[HeadsArray, NDArray[np.float64]]:
    """The list that is decided over, and its probabilities."""
    if decoding.samples is not None:
        heads = decoder.sample(scores, decoding.samples, new_rng())
        return heads, np.full(decoding.samples, 1.0 / decoding.samples)
    found = decoder.kbest(scores, decoding.kbest or LIST_SIZE)
    totals = np.array([tree.score for tree in found])
    return np.stack([tree.heads for tree in found]), candidate_probabilities(totals, 1.0)

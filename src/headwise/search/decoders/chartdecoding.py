"""MAP and MBR decoding of the distribution defined by a chart: `decoders.decoding` for charts.

MBR needs only arc probabilities or a list of candidates from the chart; the tree is then found by
first-order search.
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
    """The tree of a sentence: the best, or minimum Bayes risk."""
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
    """The candidates for MBR, and their probabilities."""
    if decoding.samples is not None:
        heads = decoder.sample(scores, decoding.samples, new_rng())
        return heads, np.full(decoding.samples, 1.0 / decoding.samples)
    found = decoder.kbest(scores, decoding.kbest or LIST_SIZE)
    totals = np.array([tree.score for tree in found])
    return np.stack([tree.heads for tree in found]), candidate_probabilities(totals, 1.0)

"""Chart search, shared by models whose scores depend on the modifiers a head already has.

A subclass encodes and scores sentences; every other question is answered here.
"""

from abc import abstractmethod
from typing import Any

import numpy as np

from headwise.errors import LimitError
from headwise.inference.headssearch import UnlabelledSearch
from headwise.search.constraints import Constraints
from headwise.search.decoders.base import HeadsArray, ScoredTree
from headwise.search.decoders.chart import ChartDecoder, ChartMarginals
from headwise.search.decoders.chartscores import ChartScores
from headwise.search.decoders.decoding import Decoding, new_rng
from headwise.search.decoders.mbr import ArcWeights, decide
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.scores import Scores

MEMORY = 4 << 30
"""Memory limit in bytes for one sentence: enough for 250 words."""


class ChartSearch(UnlabelledSearch):
    """Searches for trees given `ChartScores`. It is stateless, so threads can share it.

    Scores are log-probabilities up to a constant, without a temperature.
    """

    __slots__ = ()

    single_root: bool

    @abstractmethod
    def scores_of(self, tokens: Any) -> ChartScores:
        """The scores of an encoded sentence."""

    @property
    def decoder(self) -> ChartDecoder:
        """The decoder of one sentence."""
        return ChartDecoder(self.single_root, MEMORY)

    def scores_under(self, tokens: Any, constraints: Constraints) -> ChartScores:
        """Scores that exclude trees violating the constraints; raises if no tree is left."""
        return self.decoder.constrain(self.scores_of(tokens), constraints)

    def decoded(self, scores: ChartScores, decoding: Decoding) -> HeadsArray:
        """A single tree: the best one, or that of minimum Bayes risk.

        MBR needs only arc probabilities or candidates from the chart; the tree is then found by
        first-order search.
        """
        decoder, arcs = self.decoder, ProjectiveDecoder(self.single_root)
        if decoding.name == "map":
            return decoder.best(scores).heads
        allowed = Scores(scores.link.max(axis=(1, 2)), brackets=scores.brackets)
        if decoding.is_over_all_trees:
            arc = decoder.marginals(scores).arc
            favourite = decoder.best(scores).heads
            return decide(arcs, ArcWeights(arc, None, arc), favourite, allowed).heads
        return decoding.among(*decoding.candidates(decoder, scores, scores), arcs, allowed)

    def kbest(self, scores: ChartScores, k: int) -> list[ScoredTree]:
        """The k best trees, best first."""
        return self.decoder.kbest(scores, k)

    def sample(self, scores: ChartScores, count: int) -> list[ScoredTree]:
        """Trees sampled from the distribution, with a fixed seed."""
        heads = self.decoder.sample(scores, count, new_rng())
        return [ScoredTree(tree, self.tree_score(scores, tree)) for tree in heads]

    def marginals(self, scores: ChartScores) -> ChartMarginals:
        """Marginal probabilities over all projective trees."""
        return self.decoder.marginals(scores)

    def tree_score(self, scores: ChartScores, heads: HeadsArray) -> float:
        """The score of a tree: its log-probability up to a constant."""
        return scores.of_tree(heads)

    def tree_probability(
        self, scores: ChartScores, found: ChartMarginals, heads: HeadsArray
    ) -> float:
        """The probability of a tree, among all projective trees over its sentence."""
        return float(np.exp(min(self.tree_score(scores, heads) - found.log_partition, 0)))


def check_chart_memory(n: int, counts: int) -> None:
    """Raise if the chart of a sentence would exceed the memory limit."""
    if 8 * (n + 1) ** 3 * counts * 8 > MEMORY:
        raise LimitError(
            f"a sentence of {n} words: this parser would need more than {MEMORY >> 30} GB for it; "
            "is it split into sentences?"
        )

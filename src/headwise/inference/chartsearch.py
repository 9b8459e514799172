"""Chart search, shared by models whose scores depend on the modifiers a head already has.

A subclass encodes and scores sentences; every other question is answered here.
"""

from headwise.errors import LimitError
from headwise.inference.unlabelledsearch import UnlabelledSearch
from headwise.search.decoders.base import HeadsArray
from headwise.search.decoders.chart import ChartDecoder
from headwise.search.decoders.chartscores import ChartScores
from headwise.search.decoders.decoding import Decoding
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.scores import Scores

MEMORY = 4 << 30
"""Memory limit in bytes for one sentence: enough for 250 words."""


class ChartSearch(UnlabelledSearch):
    """Searches trees under `ChartScores`."""

    __slots__ = ()

    single_root: bool

    @property
    def decoder(self) -> ChartDecoder:
        return ChartDecoder(self.single_root, MEMORY)

    def decoded(self, scores: ChartScores, decoding: Decoding) -> HeadsArray:
        """A single tree: the best one, or that of minimum Bayes risk.

        MBR needs only arc probabilities or candidates from the chart; the tree is then found by
        first-order search.
        """
        if decoding.name == "map":
            return self.decoder.best(scores).heads
        allowed = Scores(scores.link.max(axis=(1, 2)), brackets=scores.brackets)
        by_arcs = ProjectiveDecoder(self.single_root), allowed
        return decoding.best(self.decoder, scores, by_arcs=by_arcs)


def check_chart_memory(n: int, counts: int) -> None:
    """Raise if the chart of a sentence would exceed the memory limit."""
    if 8 * (n + 1) ** 3 * counts * 8 > MEMORY:
        raise LimitError(
            f"a sentence of {n} words: this parser would need more than {MEMORY >> 30} GB for it; "
            "is it split into sentences?"
        )

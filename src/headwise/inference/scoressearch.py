"""Search with a temperature, shared by all models that produce `Scores`.

A subclass encodes and scores sentences; every question about the scores is answered here.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.inference.searcher import TagDistributions
from headwise.search.constraints import Constraints
from headwise.search.decoders.base import Decoder, HeadsArray, Marginals, ScoredTree
from headwise.search.decoders.decoding import Decoding, new_rng
from headwise.search.scores import Scores, scale


class ScoresSearch(ABC):
    """Searches for trees given `Scores`. It is stateless, so threads can share it.

    Scores divided by `temperature` are calibrated log-probabilities (up to a constant): all tree
    scores and probabilities that leave the search are on this scale.
    """

    __slots__ = ()

    temperature: float

    @property
    def on_accelerator(self) -> bool:
        """Whether scores are computed on an accelerator."""
        return False

    def tagged(self, sentences: Sequence[Sentence], encoded: Any) -> Sequence[Sentence]:  # noqa: ARG002, RUF100
        """The sentences unchanged: these models do not tag."""
        return sentences

    def tag_chances(self, encoded: Any) -> NDArray[np.float64] | None:  # noqa: ARG002, RUF100
        """No tag probabilities: these models do not tag."""
        return None

    def tag_distributions(self, encoded: Any) -> TagDistributions:  # noqa: ARG002, RUF100
        """No tag distributions: these models do not tag."""
        return {}

    @property
    @abstractmethod
    def decoder(self) -> Decoder:
        """The decoder of one sentence."""

    @abstractmethod
    def scores_of(self, tokens: Any) -> Scores:
        """The scores of an encoded sentence."""

    def scores_under(self, tokens: Any, constraints: Constraints) -> Scores:
        """Scores that exclude trees violating the constraints; raises if no tree is left."""
        return self.decoder.constrain(self.scores_of(tokens), constraints)

    def decoded(self, scores: Scores, decoding: Decoding) -> HeadsArray:
        """A single tree: the best one, or that of minimum Bayes risk."""
        return decoding.best(self.decoder, scores, 1.0 / self.temperature)

    def kbest(self, scores: Scores, k: int) -> list[ScoredTree]:
        """The k best trees, best first."""
        found = self.decoder.kbest(scores, k)
        return [ScoredTree(tree.heads, tree.score / self.temperature) for tree in found]

    def sample(self, scores: Scores, count: int) -> list[ScoredTree]:
        """Trees sampled from the distribution, with a fixed seed."""
        heads = self.decoder.sample(scale(scores, 1.0 / self.temperature), count, new_rng())
        return [ScoredTree(tree, self.tree_score(scores, tree)) for tree in heads]

    def marginals(self, scores: Scores) -> Marginals:
        """Marginal probabilities, at the model's temperature."""
        return self.decoder.marginals(scale(scores, 1.0 / self.temperature))

    def tree_score(self, scores: Scores, heads: HeadsArray) -> float:
        """The score of a tree: its log-probability up to a constant."""
        return scores.of_tree(heads) / self.temperature

    def tree_probability(self, scores: Scores, found: Marginals, heads: HeadsArray) -> float:
        """The probability of a tree among all trees of the decoder."""
        return float(np.exp(min(self.tree_score(scores, heads) - found.log_partition, 0)))

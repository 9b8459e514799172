"""What models have in common whose scores are `Scores`: the search of trees, at a temperature.

A model says how sentences are encoded and scored; what is asked of their scores is here.
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
    """Searches trees under `Scores`. It has no state: threads may share it.

    Scores over `temperature` are those whose probabilities can be trusted: every score of a tree
    that leaves the search is one of these, and so are probabilities.
    """

    __slots__ = ()

    temperature: float

    @property
    def on_accelerator(self) -> bool:
        """Whether another device than the CPU computes scores."""
        return False

    def tagged(self, sentences: Sequence[Sentence], encoded: Any) -> Sequence[Sentence]:  # noqa: ARG002, RUF100
        """The sentences as they are: tags are given, or a stage of its own has found them."""
        return sentences

    def tag_chances(self, encoded: Any) -> NDArray[np.float64] | None:  # noqa: ARG002, RUF100
        """Probabilities of tags: there are none."""
        return None

    def tag_distributions(self, encoded: Any) -> TagDistributions:  # noqa: ARG002, RUF100
        """Probabilities of all tags: there are none."""
        return {}

    @property
    @abstractmethod
    def decoder(self) -> Decoder:
        """The decoder of one sentence."""

    @abstractmethod
    def scores_of(self, tokens: Any) -> Scores:
        """The scores of a sentence that is encoded."""

    def scores_under(self, tokens: Any, constraints: Constraints) -> Scores:
        """Scores of only those trees that satisfy the constraints; raises if there are none."""
        return self.decoder.constrain(self.scores_of(tokens), constraints)

    def decoded(self, scores: Scores, decoding: Decoding) -> HeadsArray:
        """The one tree of a sentence, the best or one of minimum risk."""
        return decoding.best(self.decoder, scores, 1.0 / self.temperature)

    def kbest(self, scores: Scores, k: int) -> list[ScoredTree]:
        """The k best trees, best first."""
        found = self.decoder.kbest(scores, k)
        return [ScoredTree(tree.heads, tree.score / self.temperature) for tree in found]

    def sample(self, scores: Scores, count: int) -> list[ScoredTree]:
        """Trees drawn by their probability, always the same ones."""
        heads = self.decoder.sample(scale(scores, 1.0 / self.temperature), count, new_rng())
        return [ScoredTree(tree, self.tree_score(scores, tree)) for tree in heads]

    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities, by the temperature of the model."""
        return self.decoder.marginals(scale(scores, 1.0 / self.temperature))

    def tree_score(self, scores: Scores, heads: HeadsArray) -> float:
        """The score of a tree: the logarithm of what is proportional to its probability."""
        return scores.of_tree(heads) / self.temperature

    def tree_probability(self, scores: Scores, found: Marginals, heads: HeadsArray) -> float:
        """The probability of a tree, among all trees that the decoder knows."""
        return float(np.exp(min(self.tree_score(scores, heads) - found.log_partition, 0)))

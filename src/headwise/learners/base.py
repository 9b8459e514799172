"""What learners share: an example, and the protocol."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.arcs.sparse import SparseRows
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.labels import Labels
from headwise.scoring.linear.scorer import Scorer
from headwise.search.decoders.base import HeadsArray, Marginals
from headwise.search.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A sentence as learners see it: its scores by the weights of now, and its gold tree.

    `costs[m]` is what a wrong head of word m costs, `tree_cost` what any number of them costs.
    Where labels are learnt with arcs, `labels` are the gold ones, and scores those of arcs alone.
    `number` is the sentence's in the training data.
    """

    scorer: Scorer
    tokens: EncodedTokens
    gold: HeadsArray
    costs: NDArray[np.float64]
    tree_cost: float
    scores: Scores
    labels: Labels | None = None
    number: int = 0

    def differences(self, trees: NDArray[np.int64]) -> SparseRows:
        """The features of the gold tree less those of each of some trees, one row a tree."""
        return self.scorer.differences(self.tokens, self.gold, trees)

    def gradient(self, found: Marginals) -> SparseRows:
        """The features of the gold tree less the expected ones, in one row."""
        return self.scorer.gradient(self.tokens, self.gold, self.scores, found.arc, found.higher)

    def cost(self, heads: HeadsArray) -> float:
        """What a tree costs."""
        wrong = heads != self.gold
        return float(self.costs[wrong].sum()) + self.tree_cost * bool(wrong.any())


class Learner(Protocol):
    """Changes weights after each sentence."""

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """Change the weights by one sentence; what the search for it lost, as they were."""
        ...

    def state(self) -> dict[str, NDArray[np.float32]]:
        """What it remembers from one sentence to the next, besides the weights."""
        ...

    def restore(self, state: dict[str, NDArray[np.float32]]) -> None:
        """Go on from such a state."""
        ...


class Memoryless:
    """A learner that remembers nothing besides the weights."""

    def state(self) -> dict[str, NDArray[np.float32]]:
        """Nothing."""
        return {}

    def restore(self, state: dict[str, NDArray[np.float32]]) -> None:
        """Nothing to do."""

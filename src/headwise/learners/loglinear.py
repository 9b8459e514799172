"""Conditional log-linear learning (CRF): gradients from exact marginals, steps by AdaGrad.

log p(gold) = s(gold) - log Z        its gradient: features of gold less expected features
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.sparse import adagrad
from headwise.learners.base import Example
from headwise.learners.weights import LearnedWeights
from headwise.search.decoders.base import Decoder


@dataclass
class LogLinear:
    """Climbs the likelihood of gold trees, sentence by sentence (Duchi et al. 2011)."""

    decoder: Decoder
    rate: float = 0.1
    decay: float = 0.0
    squares: NDArray[np.float32] | None = field(default=None, init=False, repr=False)

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """One step uphill; the loss is the negative log-likelihood."""
        found = self.decoder.marginals(example.scores)
        table = weights.tables.weights
        if self.squares is None:
            self.squares = np.zeros(len(table), np.float32)
        rows = example.gradient(found)
        steps = adagrad(table, self.squares, rows.slots, rows.value, self.rate, self.decay)
        weights.add(rows.slots, steps)
        return found.log_partition - example.scores.of_tree(example.gold)

    def state(self) -> dict[str, NDArray[np.float32]]:
        """The sums of squares."""
        return {} if self.squares is None else {"squares": self.squares}

    def restore(self, state: dict[str, NDArray[np.float32]]) -> None:
        """Go on from sums of squares."""
        self.squares = state.get("squares")

"""Conditional log-linear learning (CRF): gradients from exact marginals, steps by AdaGrad.

log p(gold) = s(gold) - log Z        its gradient: features of gold less expected features

Of a tree of which some heads are not known, all completions are gold, as far as they are likely.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.sparse import SparseRows, adagrad
from headwise.learners.base import Example, Learner
from headwise.learners.partial import agreeing, less_expected
from headwise.learners.weights import LearnedWeights
from headwise.search.decoders.base import Decoder
from headwise.storage.settings import check_not_negative, check_positive

if TYPE_CHECKING:
    from headwise.learners.data import TrainingData


@dataclass(eq=False)
class LogLinear(Learner):
    """Climbs the likelihood of gold trees, sentence by sentence (Duchi et al. 2011).

    rate: learning rate of AdaGrad.
    decay: L2 regularisation strength.
    """

    extra_tables = 1

    rate: float = 0.1
    decay: float = 0.0
    squares: NDArray[np.float32] | None = field(default=None, init=False, repr=False)

    def check(self) -> None:
        check_positive(self, "rate")
        check_not_negative(self, "decay")

    @property
    def needs_several_trees(self) -> bool:
        """It needs probabilities."""
        return True

    def start(self, data: "TrainingData", decoder: Decoder) -> "LogLinear":
        """Nothing is remembered yet."""
        del data, decoder
        return replace(self)

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """One step uphill; the loss is the negative log-likelihood."""
        found = example.decoder.marginals(example.scores)
        self.climb(example.gradient(found), weights)
        return found.log_partition - example.scores.of_tree(example.gold)

    def learn_partial(self, example: Example, weights: LearnedWeights) -> float:
        """One step uphill; the loss is that of all trees that have the heads which are known."""
        decoder, scores = example.decoder, example.scores
        found, given = decoder.marginals(scores), decoder.marginals(agreeing(scores, example.gold))
        whole = example.completed()
        self.climb(whole.gradient(less_expected(found, given, scores, whole.gold)), weights)
        return found.log_partition - given.log_partition

    def climb(self, rows: SparseRows, weights: LearnedWeights) -> None:
        """One step along a gradient."""
        table = weights.tables.weights
        if self.squares is None:
            self.squares = np.zeros(len(table), np.float32)
        steps = adagrad(table, self.squares, rows.slots, rows.value, self.rate, self.decay)
        weights.add(rows.slots, steps)

    def state(self) -> dict[str, NDArray[np.float32]]:
        """The sums of squares."""
        return {} if self.squares is None else {"squares": self.squares}

    def restore(self, state: dict[str, NDArray[np.float32]]) -> None:
        self.squares = state.get("squares")

"""The averaged perceptron (Collins 2002; papers 000 and 001)."""

from dataclasses import dataclass

from headwise.learners.base import Example, Memoryless
from headwise.learners.weights import LearnedWeights
from headwise.search.decoders.base import Decoder


@dataclass(frozen=True)
class Perceptron(Memoryless):
    """Adds the features of gold arcs that the best tree lacks, and takes away those it has instead.

    The average of the weights is the loop's affair, as with every learner.
    """

    decoder: Decoder

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """One update for every wrong head of the best tree."""
        best = self.decoder.best(example.scores).heads
        rows = example.differences(best[None])
        weights.add(rows.slots, rows.value)
        return example.cost(best)

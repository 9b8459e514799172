"""The averaged perceptron (Collins 2002), and the Bayes point machine that is made of several."""

from dataclasses import dataclass

from headwise.learners.base import Example, Learner
from headwise.learners.weights import LearnedWeights
from headwise.storage.settings import MOST_MEMBERS, check_counts


@dataclass
class Perceptron(Learner):
    """Adds the features of gold arcs that the best tree lacks, and takes away those it has instead.

    The average of the weights is the loop's affair, as with every learner.
    """

    def joint(self) -> Learner | None:
        """The perceptron over labelled trees."""
        from headwise.learners.joint import JointPerceptron

        return JointPerceptron()

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """One update for every wrong head of the best tree."""
        best = example.decoder.best(example.scores).heads
        rows = example.differences(best[None])
        weights.add(rows.slots, rows.value)
        return example.cost(best)


@dataclass
class BayesPoint(Perceptron):
    """A Bayes point machine: an average of perceptrons, trained by `learners.bayespoint`.

    members: number of perceptrons, each of which sees the sentences in another order.
    """

    members: int = 10

    def check(self) -> None:
        """Raise if a setting has no meaning."""
        check_counts(self, {"members": (1, MOST_MEMBERS)})

    @property
    def members_apart(self) -> int:
        """All of them."""
        return self.members

    def joint(self) -> None:
        """There is none."""

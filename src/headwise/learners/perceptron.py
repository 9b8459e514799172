"""The averaged perceptron (Collins 2002), and the Bayes point machine that is made of several."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from headwise.learners.base import Example, Learner
from headwise.learners.weights import LearnedWeights
from headwise.storage.settings import MAX_MEMBERS, check_counts


@dataclass
class Perceptron(Learner):
    """Adds the features of gold arcs that the best tree lacks, and takes away those it has instead.

    The average of the weights is the loop's affair, as with every learner.

    k: number of best trees per sentence; of several, each counts for its share.
    """

    k: int = 1

    def check(self) -> None:
        check_counts(self, {"k": (1, 1000)})

    @property
    def needs_several_trees(self) -> bool:
        """With k above 1."""
        return self.k > 1

    def joint(self) -> Learner | None:
        """The perceptron over labelled trees, which are the best ones only."""
        from headwise.learners.joint import JointPerceptron

        return JointPerceptron() if self.k == 1 else None

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """One update for every wrong head of the best tree, or of the k best ones."""
        if self.k == 1:
            trees = example.decoder.best(example.scores).heads[None]
        else:
            best = example.decoder.kbest(example.scores, self.k)
            trees = np.stack([tree.heads for tree in best])
        rows = example.differences(trees)
        for first, end in pairwise(rows.start):
            slots = rows.slots[rows.column[first:end]]
            weights.add(slots, rows.value[first:end] / len(trees))
        return example.cost(trees[0])


@dataclass
class BayesPoint(Perceptron):
    """A Bayes point machine: an average of perceptrons, trained by `learners.bayespoint`.

    members: number of perceptrons, each of which sees the sentences in another order.
    """

    members: int = 10

    def check(self) -> None:
        Perceptron.check(self)
        check_counts(self, {"members": (1, MAX_MEMBERS)})

    @property
    def members_apart(self) -> int:
        return self.members

    def joint(self) -> None:
        """There is none."""

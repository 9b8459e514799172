"""What learners share: an example, and the base class."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.arcs.sparse import SparseRows
from headwise.learners.partial import completed
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.labels import Labels
from headwise.scoring.linear.scorer import Scorer
from headwise.scoring.linear.tables import WeightTables
from headwise.search.decoders.base import Decoder, HeadsArray, Marginals
from headwise.search.scores import Scores
from headwise.storage.settings import to_mapping

if TYPE_CHECKING:
    from headwise.learners.data import TrainingData
    from headwise.scoring.linear.higher import FeatureSpec

Loss = Literal["heads", "no-punctuation", "complete", "labelled"]
TargetName = Literal["heads", "trees"]
StepBound = float | Literal["inf"]
"""An upper bound of steps, or none."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A sentence as learners see it: its scores by the weights of now, and its gold tree.

    `gold[m]` is -1 where a head is not known (`learners.partial`). `costs[m]` is what a wrong head
    of word m costs, `tree_cost` what any number of them costs.
    `decoder` searches for trees under scores. Where labels are learnt with arcs, `labels` are the
    gold ones, and scores those of arcs alone.
    `number` is the sentence's in the training data.
    """

    scorer: Scorer
    tokens: EncodedTokens
    gold: HeadsArray
    costs: NDArray[np.float64]
    tree_cost: float
    scores: Scores
    decoder: Decoder
    labels: Labels | None = None
    number: int = 0

    def differences(self, trees: NDArray[np.int64]) -> SparseRows:
        """The features of the gold tree less those of each of some trees, one row a tree."""
        return self.scorer.differences(self.tokens, self.gold, trees)

    def gradient(self, found: Marginals) -> SparseRows:
        """The features of the gold tree less the expected ones, in one row."""
        return self.scorer.gradient(self.tokens, self.gold, self.scores, found)

    def completed(self) -> "Example":
        """The same with the best tree by the weights of now that has all heads which are known."""
        return replace(self, gold=completed(self.decoder, self.scores, self.gold))

    def cost(self, heads: HeadsArray) -> float:
        """What a tree costs."""
        wrong = heads != self.gold
        return float(self.costs[wrong].sum()) + self.tree_cost * bool(wrong.any())


@dataclass
class Learner:
    """Changes the weights after each sentence.

    A learner is a dataclass: its fields are its settings, `check` says what they can be, and its
    docstring what they mean. What it remembers from one sentence to the next is set by `start`.

    arcs_only: whether it knows arcs, and no higher parts.
    needs_all_arcs: whether its objective is of all arcs, those too that tags make implausible.
    learns_unlabelled: whether it learns from sentences without trees, too.
    learns_partial: whether it learns from trees of which some heads are not known.
    extra_tables: how many tables of the size of the weights it holds besides them.
    """

    arcs_only: ClassVar[bool] = False
    needs_all_arcs: ClassVar[bool] = False
    learns_unlabelled: ClassVar[bool] = False
    learns_partial: ClassVar[bool] = True
    extra_tables: ClassVar[int] = 0

    def check(self) -> None:
        """Raise if a setting has no meaning."""

    def described(self) -> dict[str, Any]:
        """Its name and its settings, for models and logs."""
        return {"name": type(self).__name__, **to_mapping(self)}

    @property
    def needs_several_trees(self) -> bool:
        """Whether it needs more than the best tree: the k best, or probabilities."""
        return False

    @property
    def members_apart(self) -> int:
        """How many members are trained by themselves, and averaged; 0 if it is trained at once."""
        return 0

    def tree_loss(self) -> Loss:
        """What wrong trees cost."""
        return "heads"

    def joint(self) -> "Learner | None":
        """The same for arcs and labels together, if there is such a learner."""
        return None

    def variables(self, data: "TrainingData") -> int:
        """How many numbers it remembers besides weights, for the estimate of memory."""
        del data
        return 0

    def start(self, data: "TrainingData", decoder: Decoder) -> "Learner":
        """A learner with these settings at the start of a training: itself, if it has no memory."""
        del data, decoder
        return self

    def learn(self, example: Example, weights: LearnedWeights) -> float:
        """Change the weights by one sentence; what the search for it lost, as they were."""
        raise NotImplementedError(f"{type(self).__name__} has no method learn")

    def learn_partial(self, example: Example, weights: LearnedWeights) -> float:
        """The same by a sentence of which some heads are not known: by its best completion."""
        return self.learn(example.completed(), weights)

    def learn_unlabelled(
        self, scorer: Scorer, tokens: EncodedTokens, number: int, weights: LearnedWeights
    ) -> float:
        """The same by a sentence without a tree, which has a number among those."""
        raise NotImplementedError(f"{type(self).__name__} learns from trees only")

    def solution(
        self, data: "TrainingData", spec: "FeatureSpec", weights: LearnedWeights
    ) -> tuple[WeightTables, dict[str, float]] | None:
        """For learners that lower a convex objective over all sentences: the weights to keep.

        With them come the `objective` there, and what else says how far it is solved. Of learners
        without one, the average of the weights is kept.
        """
        del data, spec, weights
        return None

    def state(self) -> dict[str, NDArray[Any]]:
        """What it remembers from one sentence to the next, besides the weights."""
        return {}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from such a state."""

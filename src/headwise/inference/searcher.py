"""The interface of trained models: the questions every kind of parser answers."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.scoring.linear.labeller import LabelChances, LabelDistributions
from headwise.search.constraints import Constraints
from headwise.search.decoders.base import HeadsArray, ScoredTree
from headwise.search.decoders.decoding import Decoding

TagDistributions = Mapping[str, tuple[Sequence[str], NDArray[np.float64]]]
"""For each column, its tags and their probabilities, [token, tag]."""


class TreeLabeller(Protocol):
    """Predicts the relations of given trees."""

    @property
    def names(self) -> Sequence[str]:
        """The names of all labels."""
        ...

    def label_many(self, encoded: Any, heads: HeadsArray) -> NDArray[np.int32]:
        """The indices of the best labels of all tokens given their heads; -1 for root tokens."""
        ...

    def chances(self, encoded: Any, heads: HeadsArray, labels: NDArray[np.int32]) -> LabelChances:
        """The probabilities of labels given the trees."""
        ...

    def distributions(self, encoded: Any, heads: HeadsArray) -> LabelDistributions:
        """The distribution over labels of every token given its head."""
        ...


class Searcher(Protocol):
    """A trained model: encodes sentences, scores them and searches for their trees.

    The types of encoded sentences and of scores are up to the model. Scores of trees are natural
    log-probabilities, up to a constant.
    """

    @property
    def labeller(self) -> TreeLabeller | None:
        """The relation classifier, if there is one."""
        ...

    @property
    def uses_guides(self) -> bool:
        """Whether the model uses the trees of another parser as features."""
        ...

    @property
    def tag_columns(self) -> tuple[str, ...]:
        """The tag columns that the model uses as features."""
        ...

    @property
    def on_accelerator(self) -> bool:
        """Whether scores are computed on an accelerator."""
        ...

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> Any:
        """Encode sentences; the result has `part` and `sentence` to select from them."""
        ...

    def parse_many(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        """The sentences with their best trees."""
        ...

    def tagged(self, sentences: Sequence[Sentence], encoded: Any) -> Sequence[Sentence]:
        """The sentences with missing tags filled in, if the model predicts tags."""
        ...

    def tag_chances(self, encoded: Any) -> NDArray[np.float64] | None:
        """The probability of each token's UPOS, if the model predicts tags."""
        ...

    def tag_distributions(self, encoded: Any) -> TagDistributions:
        """The distributions over tags of every token, by column, if the model predicts tags."""
        ...

    def relations_of(self, encoded: Any, heads: HeadsArray) -> Sequence[str]:
        """The relations of all tokens given their heads; undefined for root tokens."""
        ...

    def lowered(self, sentence: Sentence) -> Sentence:
        """A parsed sentence with lifted arcs restored."""
        ...

    def scores_of(self, tokens: Any) -> Any:
        """The scores of an encoded sentence."""
        ...

    def scores_under(self, tokens: Any, constraints: Constraints) -> Any:
        """Scores that exclude trees violating the constraints; raises if no tree is left."""
        ...

    def decoded(self, scores: Any, decoding: Decoding) -> HeadsArray:
        """A single tree, chosen as `decoding` says."""
        ...

    def kbest(self, scores: Any, k: int) -> list[ScoredTree]:
        """The k best trees, best first."""
        ...

    def sample(self, scores: Any, count: int) -> list[ScoredTree]:
        """Trees sampled from the distribution, with a fixed seed."""
        ...

    def marginals(self, scores: Any) -> Any:
        """Marginal probabilities; `arc` has those of arcs."""
        ...

    def tree_score(self, scores: Any, heads: HeadsArray) -> float:
        """The score of a tree."""
        ...

    def tree_probability(self, scores: Any, found: Any, heads: HeadsArray) -> float:
        """The probability of a tree among all trees of its sentence."""
        ...

"""What a trained model of any kind can do: what may be asked of it."""

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
"""By column: its tags, and the probability of each for each token, [token, tag]."""


class TreeLabeller(Protocol):
    """Names the relations of finished trees."""

    @property
    def names(self) -> Sequence[str]:
        """The names of all labels."""
        ...

    def label_many(self, encoded: Any, heads: HeadsArray) -> NDArray[np.int32]:
        """The indices of the best labels of all tokens under their trees; -1 for roots."""
        ...

    def chances(self, encoded: Any, heads: HeadsArray, labels: NDArray[np.int32]) -> LabelChances:
        """The probabilities of labels under their trees."""
        ...

    def distributions(self, encoded: Any, heads: HeadsArray) -> LabelDistributions:
        """The probabilities of all labels of all tokens under their trees."""
        ...


class Searcher(Protocol):
    """A trained model at work: it encodes sentences, scores them and searches their trees.

    What sentences are encoded as, and what their scores are, is the model's own affair. Scores of
    trees that it gives are natural logarithms of what is proportional to their probabilities.
    """

    @property
    def labeller(self) -> TreeLabeller | None:
        """Names the relations of finished trees."""
        ...

    @property
    def uses_guides(self) -> bool:
        """Whether the model looks at the trees of another parser."""
        ...

    @property
    def tag_columns(self) -> tuple[str, ...]:
        """The columns of tags that the model has learnt to look at."""
        ...

    @property
    def on_accelerator(self) -> bool:
        """Whether another device than the CPU computes scores."""
        ...

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> Any:
        """Sentences as numbers; `part` and `sentence` of what comes out are some of them."""
        ...

    def parse_many(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        """The sentences under their best trees."""
        ...

    def tagged(self, sentences: Sequence[Sentence], encoded: Any) -> Sequence[Sentence]:
        """The sentences with the tags that the model finds where they have none, if it does."""
        ...

    def tag_chances(self, encoded: Any) -> NDArray[np.float64] | None:
        """The probability of each token's UPOS, if the model finds tags."""
        ...

    def tag_distributions(self, encoded: Any) -> TagDistributions:
        """The probabilities of all tags of all tokens, by column, if the model finds tags."""
        ...

    def relations_of(self, encoded: Any, heads: HeadsArray) -> Sequence[str]:
        """The relations of all tokens under trees; those of roots mean nothing."""
        ...

    def lowered(self, sentence: Sentence) -> Sentence:
        """A parsed sentence, arcs that training lifted put back."""
        ...

    def scores_of(self, tokens: Any) -> Any:
        """The scores of a sentence that is encoded."""
        ...

    def scores_under(self, tokens: Any, constraints: Constraints) -> Any:
        """Scores of only those trees that satisfy the constraints; raises if there are none."""
        ...

    def decoded(self, scores: Any, decoding: Decoding) -> HeadsArray:
        """The one tree of a sentence."""
        ...

    def kbest(self, scores: Any, k: int) -> list[ScoredTree]:
        """The k best trees, best first."""
        ...

    def sample(self, scores: Any, count: int) -> list[ScoredTree]:
        """Trees drawn by their probability, always the same ones."""
        ...

    def marginals(self, scores: Any) -> Any:
        """Probabilities; those of arcs are `arc`."""
        ...

    def tree_score(self, scores: Any, heads: HeadsArray) -> float:
        """The score of a tree."""
        ...

    def tree_probability(self, scores: Any, found: Any, heads: HeadsArray) -> float:
        """The probability of a tree, among all trees over its sentence."""
        ...

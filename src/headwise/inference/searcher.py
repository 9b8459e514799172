"""`Searcher`: a trained model of any kind at work, and what may be asked of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.relations import Relations
from headwise.corpus.scanned import under_trees
from headwise.corpus.sentence import Sentence
from headwise.scoring.linear.labeller import LabelChances, LabelDistributions
from headwise.search.constraints import Constraints
from headwise.search.decoders.base import HeadsArray, ScoredTree
from headwise.search.decoders.decoding import Decoding, new_rng
from headwise.search.scores import scale

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


class Searcher(ABC):
    """Encodes sentences, scores them and searches their trees. Threads may share it.

    What sentences are encoded as, and what their scores are, is the model's own affair; unless it
    says otherwise, it finds heads and no tags or relations.

    Scores over `temperature` are those whose probabilities can be trusted: every score of a tree
    that leaves the search is one of these, the logarithm of what is proportional to the tree's
    probability, and so are probabilities.
    """

    __slots__ = ()

    temperature: float = 1.0

    @property
    def labeller(self) -> TreeLabeller | None:
        """Names the relations of finished trees."""
        return None

    @property
    def uses_guides(self) -> bool:
        """Whether the model looks at the trees of another parser."""
        return False

    @property
    def tag_columns(self) -> tuple[str, ...]:
        """The columns of tags that the model has learnt to look at."""
        return ()

    @property
    def on_accelerator(self) -> bool:
        """Whether another device than the CPU computes scores."""
        return False

    @property
    @abstractmethod
    def decoder(self) -> Any:
        """The decoder of one sentence."""

    @abstractmethod
    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> Any:
        """Sentences as numbers; `part` and `sentence` of what comes out are some of them."""

    @abstractmethod
    def scores_of(self, tokens: Any) -> Any:
        """The scores of a sentence that is encoded."""

    def scores(self, sentence: Sentence, guide: Sentence | None = None) -> Any:
        """The scores of a sentence."""
        encoded = self.encode([sentence], None if guide is None else [guide])
        return self.scores_of(encoded.sentence(0))

    def parse_many(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        """The sentences under their best trees, with what tags and relations the model finds."""
        if not sentences:
            return []
        encoded = self.encode(sentences, guides)
        heads, relations = self.labelled_encoded(encoded)
        tagged = self.tagged(sentences, encoded)
        return under_trees(tagged, encoded.starts.tolist(), heads, relations)

    def labelled_encoded(self, encoded: Any) -> tuple[HeadsArray, Relations]:
        """The heads and relations of all tokens, arcs that training lifted put back."""
        heads = self.best_encoded(encoded)
        return heads, self.relations_of(encoded, heads)

    def best_encoded(self, encoded: Any) -> HeadsArray:
        """The heads of all tokens of some sentences, one after the other."""
        raise NotImplementedError(f"{type(self).__name__} parses sentences one by one")

    def tagged(self, sentences: Sequence[Sentence], encoded: Any) -> Sequence[Sentence]:  # noqa: ARG002, RUF100
        """The sentences with the tags that the model finds where they have none, if it does."""
        return sentences

    def tag_chances(self, encoded: Any) -> NDArray[np.float64] | None:  # noqa: ARG002, RUF100
        """The probability of each token's UPOS, 1 where it was given, if the model finds tags."""
        return None

    def tag_distributions(self, encoded: Any) -> TagDistributions:  # noqa: ARG002, RUF100
        """The probabilities of all tags of all tokens, by column, if the model finds tags."""
        return {}

    def relations_of(self, encoded: Any, heads: HeadsArray) -> Relations:
        """The relations of all tokens under trees; those of roots mean nothing."""
        if self.labeller is None:
            return Relations((heads != 0).astype(np.int32), ("root", "dep"))
        return Relations(self.labeller.label_many(encoded, heads), self.labeller.names)

    def lowered(self, sentence: Sentence) -> Sentence:
        """A parsed sentence, arcs that training lifted put back."""
        return sentence

    def scores_under(self, tokens: Any, constraints: Constraints) -> Any:
        """Scores of only those trees that satisfy the constraints; raises if there are none."""
        return self.decoder.constrain(self.scores_of(tokens), constraints)

    def at_temperature(self, scores: Any) -> Any:
        """The scores whose probabilities can be trusted."""
        return scores if self.temperature == 1.0 else scale(scores, 1.0 / self.temperature)

    def decoded(self, scores: Any, decoding: Decoding) -> HeadsArray:
        """The one tree of a sentence, the best or one of minimum risk."""
        return decoding.best(self.decoder, scores, 1.0 / self.temperature)

    def kbest(self, scores: Any, k: int) -> list[ScoredTree]:
        """The k best trees, best first."""
        found = self.decoder.kbest(scores, k)
        return [ScoredTree(tree.heads, tree.score / self.temperature) for tree in found]

    def sample(self, scores: Any, count: int) -> list[ScoredTree]:
        """Trees drawn by their probability, always the same ones."""
        heads = self.decoder.sample(self.at_temperature(scores), count, new_rng())
        return [ScoredTree(tree, self.tree_score(scores, tree)) for tree in heads]

    def marginals(self, scores: Any) -> Any:
        """Probabilities; those of arcs are `arc`."""
        return self.decoder.marginals(self.at_temperature(scores))

    def tree_score(self, scores: Any, heads: HeadsArray) -> float:
        """The score of a tree."""
        return float(scores.of_tree(heads)) / self.temperature

    def tree_probability(self, scores: Any, found: Any, heads: HeadsArray) -> float:
        """The probability of a tree, among all trees that the decoder knows."""
        return float(np.exp(min(self.tree_score(scores, heads) - found.log_partition, 0)))

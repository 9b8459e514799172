"""`Searcher`: the questions that a trained model of any kind answers."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.relations import Relations
from headwise.corpus.scanned import under_trees
from headwise.corpus.sentence import Sentence
from headwise.inference.temperatures import UNFITTED, ModelTemperatures, Temperatures
from headwise.scoring.chances import LabelChances, LabelDistributions
from headwise.search.constraints import Constraints
from headwise.search.decoders.base import HeadsArray, ScoredTree
from headwise.search.decoders.decoding import Decoding, new_rng
from headwise.search.scores import scale

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

    def at(self, temperature: float) -> "TreeLabeller":
        """The same at another temperature."""
        ...

    def chances(self, encoded: Any, heads: HeadsArray, labels: NDArray[np.int32]) -> LabelChances:
        """The probabilities of labels given the trees."""
        ...

    def distributions(self, encoded: Any, heads: HeadsArray) -> LabelDistributions:
        """The distribution over labels of every token given its head."""
        ...


class Searcher(ABC):
    """Encodes sentences, scores them and searches for their trees. Threads can share it.

    The types of encoded sentences and of scores are up to the subclass, which must define
    `decoder`, `encode` and `scores_of`. By default a model predicts heads, but no tags or
    relations.

    Scores divided by `temperatures.heads` are log-probabilities (up to a constant): all scores and
    marginals that leave the search are on this scale, and only the probabilities of whole trees are
    at the temperature of their own, at which they are calibrated.
    """

    __slots__ = ()

    temperatures: Temperatures = UNFITTED

    @property
    def labeller(self) -> TreeLabeller | None:
        """The relation classifier, if there is one."""
        return None

    @property
    def uses_guides(self) -> bool:
        """Whether the model uses the trees of another parser as features."""
        return False

    @property
    def tag_columns(self) -> tuple[str, ...]:
        """The tag columns that the model uses as features."""
        return ()

    @property
    def on_accelerator(self) -> bool:
        """Whether scores are computed on an accelerator."""
        return False

    @property
    @abstractmethod
    def decoder(self) -> Any:
        """The decoder of one sentence."""

    @abstractmethod
    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> Any:
        """Encode sentences; the result has `part` and `sentence` to select from them."""

    @abstractmethod
    def scores_of(self, tokens: Any) -> Any:
        """The scores of an encoded sentence."""

    def scores(self, sentence: Sentence, guide: Sentence | None = None) -> Any:
        """The scores of a sentence."""
        encoded = self.encode([sentence], None if guide is None else [guide])
        return self.scores_of(encoded.sentence(0))

    def compile_search(self) -> None:
        """Compile the kernels of search, if they take longer to compile than all others."""
        return

    def parse_many(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        """The sentences with their best trees, and the tags and relations the model predicts."""
        if not sentences:
            return []
        encoded = self.encode(sentences, guides)
        heads, relations = self.labelled_encoded(encoded)
        tagged = self.tagged(sentences, encoded)
        return under_trees(tagged, encoded.starts.tolist(), heads, relations)

    def labelled_encoded(self, encoded: Any) -> tuple[HeadsArray, Relations]:
        """The heads and relations of all tokens, with lifted arcs restored."""
        heads = self.best_encoded(encoded)
        return heads, self.relations_of(encoded, heads)

    def best_encoded(self, encoded: Any) -> HeadsArray:
        """The best heads of all tokens, sentence after sentence."""
        sentences = map(encoded.sentence, range(len(encoded)))
        return np.concatenate([self.decoded(self.scores_of(one), Decoding()) for one in sentences])

    def tagged(self, sentences: Sequence[Sentence], encoded: Any) -> Sequence[Sentence]:  # noqa: ARG002, RUF100
        """The sentences with missing tags filled in, if the model predicts tags."""
        return sentences

    def knows(self, forms: Sequence[str]) -> Sequence[bool] | None:  # noqa: ARG002, RUF100
        """Which words occur in the treebank, if the model remembers that."""
        return None

    def tag_chances(self, encoded: Any) -> NDArray[np.float64] | None:  # noqa: ARG002, RUF100
        """The probability of each token's UPOS, 1 where it was given, if the model predicts it."""
        return None

    def tag_distributions(self, encoded: Any) -> TagDistributions:  # noqa: ARG002, RUF100
        """The distributions over tags of every token, by column, if the model predicts tags."""
        return {}

    def relations_of(self, encoded: Any, heads: HeadsArray) -> Relations:
        """The relations of all tokens given their heads; undefined for root tokens."""
        if self.labeller is None:
            return Relations((heads != 0).astype(np.int32), ("root", "dep"))
        return Relations(self.labeller.label_many(encoded, heads), self.labeller.names)

    def lowered(self, sentence: Sentence) -> Sentence:
        """A parsed sentence with lifted arcs restored."""
        return sentence

    def scores_under(self, tokens: Any, constraints: Constraints) -> Any:
        """Scores that exclude trees violating the constraints; raises if no tree is left."""
        return self.decoder.constrain(self.scores_of(tokens), constraints)

    def at(self, temperatures: Temperatures) -> "Searcher":
        """The same at other temperatures."""
        return replace(self, temperatures=temperatures)  # type: ignore[type-var]

    def over_all_trees(self) -> "Searcher | None":
        """A model of projective trees as one of all trees, at the first order and without pruning.

        None if it is of all trees already, or has no such form.
        """
        return None

    def for_given_tags(self) -> "Searcher":
        """The same for sentences that come with tags."""
        own = self.temperatures
        given = own.given_tags if isinstance(own, ModelTemperatures) else None
        return self if given is None else self.at(given)

    def at_temperature(self, scores: Any, temperature: float) -> Any:
        """Scores divided by a temperature; those of charts, which have none, as they are."""
        return scores if temperature == 1.0 else scale(scores, 1.0 / temperature)

    def decoded(self, scores: Any, decoding: Decoding) -> HeadsArray:
        """A single tree: the best one, or that of minimum Bayes risk."""
        return decoding.best(self.decoder, scores, 1.0 / self.temperatures.heads)

    def kbest(self, scores: Any, k: int) -> list[ScoredTree]:
        """The k best trees, best first."""
        found = self.decoder.kbest(scores, k)
        return [ScoredTree(tree.heads, tree.score / self.temperatures.heads) for tree in found]

    def sample(self, scores: Any, count: int) -> list[ScoredTree]:
        """Trees sampled from the distribution, with a fixed seed."""
        heads = self.decoder.sample(
            self.at_temperature(scores, self.temperatures.heads), count, new_rng()
        )
        return [ScoredTree(tree, self.tree_score(scores, tree)) for tree in heads]

    def marginals(self, scores: Any) -> Any:
        """Marginal probabilities; `arc` has those of arcs."""
        return self.decoder.marginals(self.at_temperature(scores, self.temperatures.heads))

    def tree_score(self, scores: Any, heads: HeadsArray) -> float:
        """The score of a tree: its log-probability up to a constant."""
        return float(scores.of_tree(heads)) / self.temperatures.heads

    def tree_probabilities(
        self, scores: Any, trees: Sequence[HeadsArray], temperature: float | None = None
    ) -> list[float]:
        """The probabilities of trees among all trees of the decoder, at their own temperature."""
        chosen = temperature or self.temperatures.trees
        total = self.decoder.marginals(self.at_temperature(scores, chosen)).log_partition
        logs = [float(scores.of_tree(heads)) / chosen - total for heads in trees]
        return [float(np.exp(min(one, 0.0))) for one in logs]

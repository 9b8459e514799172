"""Weights of links at work: sentences in, trees, lists of trees or probabilities out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.inference.lengths import check_length
from headwise.inference.temperatures import UNFITTED, Temperatures
from headwise.inference.unlabelledsearch import EncodedOneByOne, UnlabelledSearch
from headwise.kernels.solvers.linkmargin import LinkWeights
from headwise.kernels.solvers.pairties import pair_scores
from headwise.parsers.lexical.lexicon import Lexicon
from headwise.parsers.linkmargin.data import words_of
from headwise.parsers.linkmargin.links import Association, PairTable
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.scores import Scores

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LinkModel:
    """What was learnt: weights of pairs of words and of numbers.

    neighbours: number of similar words per word that stand in for unseen pairs.
    association: PMI of words, if it is looked at.
    """

    lexicon: Lexicon
    table: PairTable
    weights: LinkWeights
    association: Association | None
    single_root: bool
    neighbours: int
    lowercase: bool

    def scores(self, words: Sequence[str]) -> Floats:
        """The score of every link of a sentence, [token, token], root first."""
        numbers = self.lexicon.encode(words)
        ranks = self.neighbours + 1 if self.neighbours else 0
        found: Floats = pair_scores(
            numbers,
            self.table.map,
            self.weights.pair,
            self.lexicon.near[numbers, :ranks],
            np.sqrt(self.lexicon.similarity[numbers, :ranks]),
        )
        return found + self.of_numbers(words)

    def of_numbers(self, words: Sequence[str]) -> Floats:
        """What PMI and distances add."""
        places = np.arange(len(words) + 1)
        away = np.abs(places[:, None] - places[None, :]).astype(np.float64)
        away[0], away[:, 0] = 0.0, 0.0
        factors = self.weights.number * self.weights.scale
        total: Floats = factors[1] * away + factors[2] * away**2
        if self.association is not None:
            total += factors[0] * self.association.matrix(words)
        return total


@dataclass(frozen=True, slots=True, eq=False)
class LinkSearch(UnlabelledSearch):
    """Scores sentences by links and searches their trees.

    A link has the same score in both directions; the root decides which way arcs point.
    """

    model: LinkModel
    temperatures: Temperatures = UNFITTED

    @property
    def decoder(self) -> ProjectiveDecoder:
        return ProjectiveDecoder(self.model.single_root)

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedOneByOne[Sequence[str]]:
        """Sentences as their words; there are no guides."""
        assert guides is None
        for sentence in sentences:
            check_length(sentence)
        return EncodedOneByOne(tuple(words_of(one, self.model.lowercase) for one in sentences))

    def scores_of(self, words: Sequence[str]) -> Scores:
        return Scores(self.model.scores(words))

"""A lexical model at work: sentences in, trees, lists of trees or probabilities out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.constraints import Constraints
from headwise.corpus.sentence import Sentence
from headwise.decoders.base import HeadsArray, Scored
from headwise.decoders.chart import ChartDecoder, ChartMarginals
from headwise.decoders.chartscores import ChartScores
from headwise.decoders.decoding import Decoding
from headwise.errors import LimitError
from headwise.kernels.lexical_chances import link_chances, modifier_chances, stop_chances
from headwise.lexical.counts import Counts
from headwise.lexical.decoding import decode
from headwise.lexical.lexicon import UNKNOWN, Lexicon
from headwise.lexical.settings import LexicalSettings
from headwise.parts import RIGHT
from headwise.search import unlabelled

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]

MEMORY = 4 << 30
"""Bytes that the search of one sentence may take: enough for 250 words."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedWords:
    """Sentences as numbers of words, root first."""

    sentences: tuple[Numbers, ...]

    def sentence(self, place: int) -> Numbers:
        """One of the sentences."""
        return self.sentences[place]

    def part(self, first: int, last: int) -> "EncodedWords":
        """Some of the sentences."""
        return EncodedWords(self.sentences[first:last])


@dataclass(frozen=True, slots=True, eq=False)
class LexicalSearch:
    """Scores sentences by counts and searches their trees. It has no state: threads may share it.

    Scores are logarithms of probabilities.
    """

    settings: LexicalSettings
    lexicon: Lexicon
    counts: Counts
    single_root: bool
    labeller: None = None
    uses_guides: bool = False

    @property
    def decoder(self) -> ChartDecoder:
        """The decoder of one sentence."""
        return ChartDecoder(self.single_root, MEMORY)

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedWords:
        """Sentences as numbers of words, or of tags; there are no guides."""
        assert guides is None
        words = [words_of(sentence, self.settings) for sentence in sentences]
        return EncodedWords(tuple(map(self.lexicon.encode, words)))

    def parse_many(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        """The sentences under their best trees."""
        return [
            self.parse(sentence, numbers)
            for sentence, numbers in zip(
                sentences, self.encode(sentences, guides).sentences, strict=True
            )
        ]

    def parse(self, sentence: Sentence, numbers: Numbers) -> Sentence:
        """A sentence under its best tree."""
        if len(numbers) == 1:
            return sentence
        try:
            heads = self.decoder.best(self.scores_of(numbers)).heads
        except LimitError as error:
            raise LimitError(error.message, sentence.place) from error
        return sentence.with_tree(heads[1:].tolist(), unlabelled(heads)[1:])

    def lowered(self, sentence: Sentence) -> Sentence:
        """A parsed sentence: trees are as they were found."""
        return sentence

    def relations_of(self, encoded: EncodedWords, heads: HeadsArray) -> Sequence[str]:
        """What relations are called where only heads are known."""
        assert len(encoded.sentences)
        return unlabelled(heads)

    def scores_of(self, numbers: Numbers) -> ChartScores:
        """The logarithms of all probabilities of a sentence."""
        self.check_memory(len(numbers) - 1)
        stops, links = self.probabilities(numbers)
        size, counts = len(numbers), links.shape[1]
        goes_on = np.log1p(-stops)
        is_right = np.arange(size)[None, :] > np.arange(size)[:, None]
        link = np.log(links) + np.where(
            is_right[:, None, :], goes_on[:, RIGHT, :, None], goes_on[:, 1 - RIGHT, :, None]
        )
        stop = np.log(stops)
        stop[0] = 0.0  # nobody asks whether the root has more
        return ChartScores(
            np.broadcast_to(link[:, :, None, :], (size, counts, size, size)),
            np.broadcast_to(stop[..., None], (size, 2, counts, size)),
        )

    def check_memory(self, n: int) -> None:
        """Raise if a sentence is too long, before its scores are made."""
        size = n + 1
        if 8 * size**3 * self.settings.counts * 8 > MEMORY:
            raise LimitError(
                f"a sentence of {n} words: the lexical parser would need more than "
                f"{MEMORY >> 30} GB for it; is it split into sentences?"
            )

    def probabilities(self, numbers: Numbers) -> tuple[Floats, Floats]:
        """P(no more modifiers) as [token, side, c], and of links as [head, c, modifier].

        In a joint model the latter is P(modifier | head, c). Both are kept from 0 and 1.
        """
        model, unseen = self.settings.model, self.settings.unseen
        smooth = self.settings.needs_similarity
        near = self.lexicon.neighbours(numbers)
        counts = self.counts
        stops = stop_chances(counts.ended, counts.asked, counts.stop_rate, near, smooth)
        if model.joint:
            links = modifier_chances(counts.links, near, UNKNOWN, smooth)
            least = unseen / self.lexicon.size
        else:
            links = link_chances(counts.links, near, smooth, model.one_word)
            least = unseen
        return np.clip(stops, unseen, 1 - unseen), np.maximum(links, least)

    def keeping_heads(self, numbers: Numbers, sentence: Sentence) -> ChartScores:
        """Scores of only those trees that have the heads which the sentence has."""
        given = {m: h for m, h in enumerate(sentence.heads, 1) if h is not None}
        scores = self.scores_of(numbers)
        return self.decoder.constrain(scores, Constraints(heads=given)) if given else scores

    def decoded(self, scores: ChartScores, decoding: Decoding) -> HeadsArray:
        """The one tree of a sentence, the best or one of minimum risk."""
        return decode(self.decoder, scores, decoding)

    def kbest(self, scores: ChartScores, k: int) -> list[Scored]:
        """The k best trees."""
        return self.decoder.kbest(scores, k)

    def marginals(self, scores: ChartScores) -> ChartMarginals:
        """Probabilities, among all projective trees."""
        return self.decoder.marginals(scores)

    def tree_probability(
        self, scores: ChartScores, found: ChartMarginals, heads: HeadsArray
    ) -> float:
        """The probability of a tree, among all projective trees over its sentence."""
        return float(np.exp(min(scores.of_tree(heads) - found.log_partition, 0)))


def words_of(sentence: Sentence, settings: LexicalSettings) -> Sequence[str]:
    """What the model sees of a sentence: its words, or its tags."""
    if settings.model.of_tags:
        column: tuple[str, ...] = getattr(sentence, settings.tags)
        return column
    return [form.lower() for form in sentence.forms] if settings.lowercase else sentence.forms

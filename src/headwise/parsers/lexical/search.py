"""A lexical model at work: sentences in, trees, lists of trees or probabilities out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.inference.chartsearch import ChartSearch, check_chart_memory
from headwise.inference.tagged import TAG_COLUMNS
from headwise.inference.unlabelledsearch import EncodedOneByOne
from headwise.kernels.text.lexical_chances import link_chances, modifier_chances, stop_chances
from headwise.parsers.lexical.counts import Counts
from headwise.parsers.lexical.lexicon import UNKNOWN, Lexicon
from headwise.parsers.lexical.settings import LexicalSettings
from headwise.search.decoders.chartscores import ChartScores
from headwise.search.parts import RIGHT

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class LexicalSearch(ChartSearch):
    """Scores sentences by counts and searches their trees. It has no state: threads may share it.

    Scores are logarithms of probabilities.
    """

    settings: LexicalSettings
    lexicon: Lexicon
    counts: Counts
    single_root: bool

    @property
    def tag_columns(self) -> tuple[str, ...]:
        """The column that stands for words in models of tags."""
        return TAG_COLUMNS[self.settings.tags] if self.settings.model.of_tags else ()

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedOneByOne[Numbers]:
        """Sentences as numbers of words, or of tags; there are no guides."""
        assert guides is None
        words = [words_of(sentence, self.settings) for sentence in sentences]
        return EncodedOneByOne(tuple(map(self.lexicon.encode, words)))

    def scores_of(self, numbers: Numbers) -> ChartScores:
        """The logarithms of all probabilities of a sentence."""
        check_chart_memory(len(numbers) - 1, self.settings.counts)
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
            minimum = unseen / self.lexicon.size
        else:
            links = link_chances(counts.links, near, smooth, model.one_word)
            minimum = unseen
        return np.clip(stops, unseen, 1 - unseen), np.maximum(links, minimum)


def words_of(sentence: Sentence, settings: LexicalSettings) -> Sequence[str]:
    """What the model sees of a sentence: its words, or its tags."""
    if settings.model.of_tags:
        column: tuple[str, ...] = getattr(sentence, settings.tags)
        return column
    return [form.lower() for form in sentence.forms] if settings.lowercase else sentence.forms

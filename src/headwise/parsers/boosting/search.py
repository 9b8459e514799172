"""A boosted model at work: the scores of links that its classifiers give."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.inference.chartsearch import ChartSearch, check_chart_memory
from headwise.inference.tagged import TAG_COLUMNS
from headwise.kernels.arcs.features import EncodedTokens
from headwise.parsers.boosting.classifier import log_normalised
from headwise.parsers.boosting.examples import FeatureIndex, SentenceColumns
from headwise.parsers.boosting.features import LEFT, NONE, RIGHT, pairs_of
from headwise.parsers.boosting.hypotheses import Hypothesis
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.scoring.linear.atoms import AtomEncoder, EncodedSentences
from headwise.scoring.linear.words import WordRules
from headwise.search.decoders.chartscores import ChartScores

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BoostedSearch(ChartSearch):
    """Scores sentences by link classifiers and searches their trees."""

    settings: BoostingSettings
    encoder: AtomEncoder
    index: FeatureIndex
    hypothesis: Hypothesis
    single_root: bool

    @property
    def tag_columns(self) -> tuple[str, ...]:
        """The columns of tags, without which there are no classifiers."""
        return TAG_COLUMNS[self.settings.tags]

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedSentences:
        """Sentences as hashes of words and tags; there are no guides."""
        assert guides is None
        return self.encoder.encode(sentences)

    def scores_of(self, tokens: EncodedTokens) -> ChartScores:
        check_chart_memory(len(tokens.tags) - 1, self.settings.counts)
        found = self.index.of_sentence(tokens, self.settings)
        link = link_scores(self.class_scores(found), found)
        if found.firsts is None:
            return ChartScores(link)
        return ChartScores(link, first=first_scores(self.hypothesis.first_odds(found), found))

    def class_scores(self, found: SentenceColumns) -> Floats:
        """What links of all pairs are worth in all contexts: [view, count, tag, pair, class]."""
        scores = self.hypothesis.scores(found)
        if self.settings.link_score == "odds":
            return scores - scores[..., [NONE]]
        return log_normalised(scores)


def encoder_of(settings: BoostingSettings) -> AtomEncoder:
    """What turns sentences into hashes."""
    words = WordRules(lowercase=settings.lowercase, backoff="none")
    return AtomEncoder(words, settings.tags, ("word", "tag"))


def link_scores(scores: Floats, found: SentenceColumns) -> Floats:
    """Scores of classes as those of links, [head, count, previous, modifier]."""
    size = len(found.tags)
    left, right = pairs_of(size)
    _, counts, tags = scores.shape[:3]
    by_tag = np.zeros((size, size, counts, tags))  # head, modifier
    by_tag[left, right] = scores[-1, ..., RIGHT].transpose(2, 0, 1)
    by_tag[right, left] = scores[0, ..., LEFT].transpose(2, 0, 1)
    own = np.arange(size)
    link = by_tag[..., found.tags]
    link[own, :, :, own] = by_tag[..., 0]  # a head in the place of its modifier: there is none
    return np.ascontiguousarray(link.transpose(0, 2, 3, 1))


def first_scores(odds: Floats, found: SentenceColumns) -> Floats:
    """What first modifiers add to the odds of links, as [head, modifier, first]."""
    size = len(found.tags)
    left, right = pairs_of(size)
    first = np.zeros((size, size, size))
    first[right, left], first[left, right] = odds
    return first

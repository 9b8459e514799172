"""Sentences without trees, to learn from besides those with trees."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import InputError, UsageError, warn
from headwise.inference.lengths import check_length
from headwise.kernels.arcs.features import EncodedTokens
from headwise.learners.settings import TrainingSettings
from headwise.scoring.linear.atoms import TAG_LIKE, AtomEncoder, EncodedSentences
from headwise.scoring.linear.templates import FeatureSet

FEWEST = 2
"""Words of a sentence that says anything: a single word has the root for its head."""


@dataclass(frozen=True, slots=True, eq=False)
class UnlabelledData:
    """Sentences without trees."""

    encoded: EncodedSentences
    left_out: int

    def __len__(self) -> int:
        return len(self.encoded.starts) - 1

    def sentence(self, number: int) -> EncodedTokens:
        """The tokens of a sentence."""
        return self.encoded.sentence(number)

    def words_of(self, number: int) -> int:
        """The number of words of a sentence."""
        starts = self.encoded.starts
        return int(starts[number + 1] - starts[number]) - 1

    @property
    def words(self) -> int:
        """The number of words."""
        return int(self.encoded.starts[-1]) - len(self)

    @property
    def matrices(self) -> NDArray[np.int64]:
        """Where the matrix [head, modifier] of each sentence starts, one after the other."""
        sizes = np.diff(self.encoded.starts)
        return np.concatenate([[0], np.cumsum(sizes**2)])


def unlabelled_data(
    sentences: Sequence[Sentence],
    settings: TrainingSettings,
    encoder: AtomEncoder,
    features: FeatureSet,
) -> UnlabelledData:
    """Sentences to learn from whatever heads they have; too short and too long ones left out."""
    kept = []
    for sentence in sentences:
        too_long = settings.longest is not None and len(sentence) > settings.longest
        if len(sentence) >= FEWEST and not too_long:
            check_length(sentence)
            kept.append(sentence)
    if not kept:
        raise InputError(
            f"none of {len(sentences)} unlabelled sentences can be learnt from: all have less than "
            f"{FEWEST} words, or more than the longest that is allowed",
            sentences[0].location if sentences else None,
        )
    if features.atoms & TAG_LIKE and settings.tags != "none":
        check_tags(kept)
    return UnlabelledData(encoder.encode(kept), len(sentences) - len(kept))


def check_unlabelled(settings: TrainingSettings, *, guided: bool, given: bool) -> None:
    """Raise if unlabelled sentences are missing, or given to a learner that has no use for them."""
    learner = settings.chosen_learner()
    if given and not learner.learns_unlabelled:
        raise UsageError(
            f"{settings.learner_name} learns from trees only: choose the learner semisupervised, "
            "or no unlabelled sentences"
        )
    if given and guided:
        raise UsageError("unlabelled sentences have no guide: give guides, or them, or neither")
    if not given and learner.learns_unlabelled and getattr(learner, "lam", 0) > 0:
        raise UsageError(
            "semisupervised needs unlabelled sentences (--unlabelled), or lam 0 to learn without"
        )


def check_tags(sentences: Sequence[Sentence]) -> None:
    """Raise if there are no tags, which the parser looks at; warn if some sentences have none."""
    bare = [one for one in sentences if set(one.upos) | set(one.xpos) <= {MISSING, ""}]
    if len(bare) == len(sentences):
        raise InputError(
            "the unlabelled sentences have no tags, which the parser looks at: tag them first, "
            "train with a tagger, or choose --set tags=none",
            bare[0].location,
        )
    if bare:
        warn(
            f"{bare[0].location}: {len(bare)} of {len(sentences)} unlabelled sentences have no tags"
        )

"""Sentences without trees, to learn from besides those with trees."""

from collections.abc import Sequence

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import InputError, UsageError, warn
from headwise.inference.lengths import check_length
from headwise.learners.settings import TrainingSettings
from headwise.scoring.linear.atoms import TAG_LIKE, AtomEncoder, EncodedSentences
from headwise.scoring.linear.templates import FeatureSet

FEWEST = 2
"""Words of a sentence that says anything: a single word has the root for its head."""


def unlabelled_data(
    sentences: Sequence[Sentence],
    settings: TrainingSettings,
    encoder: AtomEncoder,
    features: FeatureSet,
) -> EncodedSentences:
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
    return encoder.encode(kept)


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

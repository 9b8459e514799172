"""How much memory training takes: known before it begins."""

from headwise.learners.settings import TrainingSettings
from headwise.scoring.linear.tables import FILTERS

PROGRAM = 300 << 20
"""Bytes of the interpreter, its libraries and compiled kernels."""

PER_WORD = 800
"""Bytes of a word of a treebank: its columns as text, its atoms, its place in trees."""

WEIGHT = 4

LABEL_WEIGHT = 32
"""Bytes of a weight of a second stage while it learns: itself, what its average needs, the averages
of members before, and as much again while all this is packed."""


def training_memory(
    settings: TrainingSettings, words: int, jobs: int = 1, variables: int = 0
) -> int:
    """Estimated peak memory in bytes of training on a number of words (train and dev).

    There are the weights and the sums for their average, the best average so far, the one that is
    being scored, and as much again while a checkpoint is packed or weights are made small. Learners
    that have variables for arcs of sentences have them twice, too. Before all that, labels of a
    second stage are learnt; what remains of them is small.
    """
    learner = settings.chosen_learner()
    tables = 5 + learner.extra_tables
    filters = 2 * FILTERS * (1 << (settings.tables.filters - 3))
    weights = settings.tables.weights(settings.is_higher, settings.labels == "joint")
    learning = tables * WEIGHT * weights + filters + 2 * WEIGHT * variables
    labels = LABEL_WEIGHT << settings.tables.labels if settings.labels == "second-stage" else 0
    alone = PROGRAM + words * PER_WORD + max(learning, labels)
    if not learner.members_apart or jobs == 1:
        return alone
    together = min(jobs, learner.members_apart)  # the first process waits, and holds the treebank
    return PROGRAM + words * PER_WORD + together * alone

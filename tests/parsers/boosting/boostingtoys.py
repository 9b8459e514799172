"""Small boosted parsers, and a base learner that anyone might have written."""

import numpy as np

from headwise.learners.callbacks import TrainingCallback
from headwise.parsers.boosting.classifier import LinkClassifier
from headwise.parsers.boosting.parser import BoostedParser
from toytreebank import toy_treebank

TRAIN, DEV = toy_treebank(60, 1), toy_treebank(20, 2)
NOISY = [*TRAIN, *(one.with_tree(range(len(one))) for one in TRAIN[:20])]
"""Some sentences have two trees: no parser is right in all."""


def boosted(train=TRAIN, dev=None, *, base=None, **settings) -> BoostedParser:
    """A parser that is trained quickly."""
    return BoostedParser(**{"rounds": 2, "cutoff": 1} | settings).fit(train, dev, base=base)


class NaiveBayes:
    """A base learner in scikit-learn's manners: only the classes it has met, and sample weights."""

    def __init__(self) -> None:
        self.fitted = 0

    def fit(self, X, y, sample_weight):  # noqa: N803
        self.fitted += 1
        self.classes_ = np.unique(y)
        weights = np.array([(y == one) * sample_weight for one in self.classes_])
        self.prior = np.log(weights.sum(axis=1))
        self.feature = np.log((weights @ X.toarray() + 0.1) / (weights.sum(axis=1)[:, None] + 0.2))
        return self

    def predict_proba(self, X):  # noqa: N803
        scores = X @ self.feature.T + self.prior
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)


class Softmax:
    """A linear base learner as scikit-learn has them: classes it has met, intercepts, two as one.

    With `tilt`, its probabilities are not the softmax of its scores.
    """

    def __init__(self, tilt=0.0) -> None:
        self.tilt = tilt

    def fit(self, X, y, sample_weight):  # noqa: N803
        self.classes_ = np.unique(y)
        self.coef_ = LinkClassifier(prior="l2").fit(X, y, sample_weight).coef_[self.classes_]
        self.intercept_ = np.linspace(0.5, -0.5, len(self.classes_))
        if len(self.classes_) == 2:
            self.coef_ = self.coef_[1:] - self.coef_[:1]
            self.intercept_ = self.intercept_[1:]
        return self

    def predict_proba(self, X):  # noqa: N803
        scores = X @ self.coef_.T + self.intercept_
        if scores.shape[1] == 1:
            scores = np.hstack([np.zeros_like(scores), scores])
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        return (1 - self.tilt) * chances + self.tilt / len(self.classes_)


class Cut(TrainingCallback):
    """A callback that stops training after some rounds, as someone at a keyboard would."""

    def __init__(self, after: int) -> None:
        self.after, self.shares, self.plan, self.records = after, [], None, []

    def begin(self, plan):
        self.plan = plan

    def progress(self, report):
        self.shares.append((report.epoch, report.sentences))
        if report.epoch > self.after:
            raise KeyboardInterrupt

    def epoch(self, record):
        self.records.append(record)


def parser(**settings) -> BoostedParser:
    return BoostedParser(**{"rounds": 4, "cutoff": 1} | settings)

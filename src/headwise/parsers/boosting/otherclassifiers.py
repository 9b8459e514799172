"""Classifiers of scikit-learn and others in the place of our own, kept as weights.

A linear classifier whose probabilities are the softmax of its scores is the same model as ours,
learnt in another way: its coefficients are what a model holds, and parsing needs no code of it.
"""

import copy

import numpy as np
from scipy.sparse import csr_array

from headwise.parsers.boosting.classifier import log_normalised
from headwise.parsers.boosting.hypotheses import LEAST, Classifier, Floats, three_chances

CLOSE = 1e-6
"""Probabilities may differ by this much where two models are taken to be the same."""

ROWS = 1000
"""Examples that are looked at for that."""


def is_linear(classifier: Classifier) -> bool:
    """Whether what a classifier learns can be kept as weights: it is tried on a few rows."""
    rows = csr_array(np.array([[1.0, 1, 0], [1, 0, 1], [1, 1, 1], [1, 0, 0], [1, 1, 0], [1, 0, 1]]))
    trial = copy.deepcopy(classifier)
    trial.fit(rows, np.array([0, 1, 2, 0, 0, 1], np.int8), sample_weight=np.ones(6))
    return weights_of(trial, rows, 0) is not None


def weights_of(classifier: Classifier, rows: csr_array, constant: int) -> Floats | None:
    """Weights [feature, class] under which all rows have the classifier's probabilities, or None.

    The feature `constant` is in every row: it has the intercepts, and what makes a class improbable
    that the classifier has not met.
    """
    weights = np.zeros((rows.shape[1], 3))
    met = np.asarray(classifier.classes_, np.int64)
    weights[constant, np.setdiff1d(np.arange(3), met)] = np.log(LEAST)
    if len(met) > 1:
        coefficients = getattr(classifier, "coef_", None)
        if coefficients is None:
            return None
        own = np.asarray(coefficients, np.float64)
        intercepts = np.broadcast_to(getattr(classifier, "intercept_", 0.0), len(own))
        columns = met[1:] if len(own) == 1 else met
        if own.shape != (len(columns), rows.shape[1]):
            return None
        weights[:, columns] = own.T
        weights[constant, columns] += intercepts
    some = rows[:ROWS]
    same = np.exp(log_normalised(some @ weights)) - three_chances(classifier, some)
    return weights if np.abs(same).max(initial=0.0) <= CLOSE else None

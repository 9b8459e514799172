"""How far the probabilities of a finished model can be trusted, on development data."""

from typing import Any

import numpy as np

from headwise.evaluate.calibration import calibration
from headwise.inference.treesearch import TreeSearch
from headwise.learners.development import FOR_TEMPERATURE, Development
from headwise.scoring.linear.atoms import EncodedSentences


def calibrations(search: TreeSearch, development: Development) -> dict[str, Any]:
    """Reliability of the probabilities of heads, of trees and of labels (where heads are right)."""
    encoded, golds = development.encoded, development.golds
    count = min(len(golds), FOR_TEMPERATURE)
    heads: list[float] = []
    trees: list[float] = []
    found = []
    for number in range(count):
        scores = search.scores_of(encoded.sentence(number))
        tree, marginals = search.decoder.best(scores).heads, search.marginals(scores)
        words = np.arange(1, len(tree))
        heads += np.clip(marginals.arc[tree[1:], words], 0.0, 1.0).tolist()
        trees.append(search.tree_probability(scores, marginals, tree))
        found.append(tree)
    right = np.concatenate(found) == np.concatenate(golds[:count])
    is_word = np.concatenate(golds[:count]) >= 0
    whole = [bool((tree == gold).all()) for tree, gold in zip(found, golds, strict=False)]
    answer = {
        "heads": calibration(heads, right[is_word]).to_json(),
        "trees": calibration(trees, whole).to_json(),
    }
    if search.labeller is not None and development.labels is not None:
        part = encoded.part(0, count)
        counted = right & is_word
        answer["labels"] = _labels(search, development, part, np.concatenate(found), counted)
    return answer


def _labels(
    search: TreeSearch,
    development: Development,
    encoded: EncodedSentences,
    heads: np.ndarray[Any, Any],
    counted: np.ndarray[Any, Any],
) -> dict[str, object]:
    """Reliability of labels of words that have their right head."""
    labeller, gold = search.labeller, development.labels
    assert labeller is not None
    assert gold is not None
    labels = labeller.label_many(encoded, heads)
    chances = labeller.chances(encoded, heads, labels).words
    right = labels == gold[: len(labels)]
    return calibration(chances[counted], right[counted]).to_json()

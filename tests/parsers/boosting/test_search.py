"""The search of trees under dynamic features, against enumeration by the classifiers themselves."""

import numpy as np
import pytest
from boostingtoys import NaiveBayes, boosted
from scipy.sparse import csr_array

from headwise.corpus.sentence import Sentence
from headwise.parsers.boosting.classifier import log_normalised
from headwise.parsers.boosting.examples import as_matrix, static_keys, view_keys
from headwise.parsers.boosting.features import LEFT, NONE, RIGHT, pairs_of
from headwise.parsers.boosting.hypotheses import LinearHypothesis
from oracle import trees

SENTENCE = Sentence.from_words(
    ["the", "old", "forest", "grows", "behind"],
    upos=["DET", "ADJ", "NOUN", "VERB", "ADP"],
    xpos=["DET", "ADJ", "NOUN", "VERB", "ADP"],
)
EVERY = trees(5, projective=True, single_root=True)


def score_of(parser, tokens, heads) -> float:
    """The score of a tree: of each link, what its view says with the features of that tree."""
    heads = np.array(heads)
    static, total = static_keys(tokens), 0.0
    left, right = pairs_of(len(heads))
    for link in (LEFT, RIGHT):
        keys = [static]
        if parser.dynamic:
            keys.append(view_keys(tokens, heads, link, parser))
        found = parser.index_.look_up(np.hstack(keys))
        scores = class_scores(parser, found)
        head, word = (left, right) if link == RIGHT else (right, left)
        linked = (heads[word] == head) & (word > 0)
        values = log_normalised(scores) if parser.link_score == "probability" else scores
        against = 0.0 if parser.link_score == "probability" else scores[linked, NONE]
        total += float((values[linked, link] - against).sum())
    return total


def class_scores(parser, found):
    """The scores of classes of rows of features, by the classifiers of their tags."""
    hypothesis = parser.hypothesis_
    if isinstance(hypothesis, LinearHypothesis):
        scores = np.array([hypothesis.weights[row].sum(axis=0) for row in found], np.float64)
        scores[found[:, 0] == -1] = hypothesis.unseen
        return scores
    rows = []
    for row in found:
        part = np.searchsorted(hypothesis.columns, row[0], "right") - 1
        features = slice(hypothesis.columns[part], hypothesis.columns[part + 1])
        own = hypothesis.classifiers[part]
        chances = np.full(3, 1e-9)
        if row[0] != -1:
            matrix: csr_array = as_matrix(row[None, :], features)
            chances[own.classes_] = np.maximum(own.predict_proba(matrix)[0], 1e-9)
            rows.append(np.log(chances))
        else:
            rows.append(hypothesis.unseen)
    return np.array(rows)


KINDS = [
    {"dynamic": False},
    {"dynamic": False, "link_score": "odds"},
    {"counts": 2},
    {"counts": 3, "link_score": "odds", "prior": "l2"},
    {"grandchildren": ("ADP", "NOUN"), "link_score": "odds"},
    {"keep": "ensemble", "update": "logistic"},
]


@pytest.mark.parametrize("settings", KINDS, ids=str)
def test_trees_have_the_scores_that_classifiers_give_their_links(settings):
    parser = boosted(**settings)
    search = parser.search()
    tokens = search.encode([SENTENCE]).sentence(0)
    scores = search.scores_of(tokens)
    expected = [score_of(parser, tokens, heads) for heads in EVERY]
    assert [scores.of_tree(heads) for heads in EVERY] == pytest.approx(expected, abs=1e-4)
    best = search.decoder.best(scores)
    assert best.score == pytest.approx(max(expected), abs=1e-4)
    kbest = search.kbest(scores, 3)
    assert [tree.score for tree in kbest] == pytest.approx(sorted(expected)[:-4:-1], abs=1e-4)


@pytest.mark.parametrize("settings", KINDS[:1] + KINDS[2:4], ids=str)
def test_any_classifier_can_be_boosted(settings):
    parser = boosted(base=NaiveBayes(), **settings)
    search = parser.search()
    tokens = search.encode([SENTENCE]).sentence(0)
    scores = search.scores_of(tokens)
    expected = [score_of(parser, tokens, heads) for heads in EVERY]
    assert [scores.of_tree(heads) for heads in EVERY] == pytest.approx(expected, abs=1e-6)

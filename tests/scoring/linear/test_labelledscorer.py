"""Joint scores of arcs and labels."""

import numpy as np
import pytest

from headwise.learners.base import Example
from headwise.learners.data import training_data
from headwise.learners.settings import TrainingSettings
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.decoders.projective import ProjectiveDecoder
from labelledtoys import labelled_treebank
from toytreebank import SMALL

ROWS = ["distance h.tag m.tag", "plain h.word m.word", "distance h.tag b.tag m.tag"]


def example(number=0, seed=0, crossing=0.0):
    """A sentence, its gold labels, and random weights."""
    chosen = TrainingSettings(labels="joint", tables=SMALL)
    train = labelled_treebank(60, 1, crossing=crossing)
    data = training_data(train, chosen, AtomEncoder())
    weights = LearnedWeights.empty(SMALL, with_labels=True)
    rng = np.random.default_rng(seed)
    weights.tables.weights[:] = rng.normal(0, 0.2, len(weights.tables.weights))
    scorer = FeatureSpec(FeatureSet.parse(ROWS), labels=data.inventory).scorer(weights.tables)
    tokens = data.encoded.sentence(number)
    scores = scorer.arcs.scores_of(tokens)
    one = Example(
        scorer, tokens, data.golds[number], data.costs[number], 0.0, scores, ProjectiveDecoder(),
        data.labels[number],
    )  # fmt: skip
    return one, weights, data


def labelled_score(one, heads, labels) -> float:
    """The score of a labelled tree, from the features of its difference to the gold tree."""
    rows = one.scorer.labelled_differences(
        one.tokens, one.gold, one.labels, heads[None], labels[None]
    )
    places = rows.slots & ~(np.int64(1) << 62)
    weights = one.scorer.arcs.tables.weights
    return -float(weights[places][rows.column] @ rows.value)


def test_the_score_of_an_arc_is_that_of_its_best_label():
    one, _, data = example()
    inventory = data.inventory
    joint, arcs = one.scorer.scores_of(one.tokens).arc, one.scores.arc
    heads = one.gold.copy()
    word = int(np.flatnonzero(heads > 0)[0])
    found = []
    for label in range(len(inventory.names)):
        labels = one.labels.copy()
        labels[word] = label
        found.append(labelled_score(one, heads, labels))
    best = one.scorer.labels_of(one.tokens, one.gold, one.labels)
    gained = joint[heads[word], word] - arcs[heads[word], word] - best.gold[word]
    chosen = best.label[heads[word], word]
    assert chosen != inventory.root
    assert gained == pytest.approx(found[chosen], abs=1e-4)


def test_labels_of_many_sentences_are_those_of_each():
    one, _, data = example()
    many = one.scorer.score_many(data.encoded.part(0, 3))
    alone = [one.scorer.scores_of(data.encoded.sentence(n)).arc for n in range(3)]
    finite = np.concatenate([arc.ravel() for arc in alone])
    assert many[finite > -np.inf] == pytest.approx(finite[finite > -np.inf])

"""The mixture of a sentence: its shares are the best ones, and the weights follow them."""

import numpy as np
import pytest
from trainings import SPEC, new_training

from headwise.learners.mixtures import Mixture, in_matrix, matrix_of, only_arcs
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.tables import TableSizes

COST = 2.0


@pytest.mark.parametrize("strength", [1.0, 1000.0])
def test_shares_are_the_best_and_weights_follow(strength):
    data = new_training().data
    tokens, gold = data.encoded.sentence(0), data.golds[0]
    rival = np.where(gold == 0, 0, np.where(gold == -1, -1, (gold + 1) % len(gold)))
    weights = LearnedWeights.empty(TableSizes(wide=14, narrow=14, filters=14))
    scorer = SPEC.scorer(weights.tables)
    mixture = Mixture(scorer, tokens, weights, strength)
    mixture.join(matrix_of(gold), 0.0, 1.0)
    mixture.join(in_matrix(rival), COST)
    mixture.mix(curvature=0.0)
    words = np.arange(1, len(gold))
    arc = scorer.scores(tokens)
    missed = COST - arc[gold[1:], words].sum() + arc[rival[1:], words].sum()
    share = mixture.shares[1]
    assert mixture.shares.sum() == pytest.approx(1)
    assert mixture.worth == pytest.approx(share * COST)
    if strength == 1.0:  # the margin is just met
        assert 0 < share < 1
        assert missed == pytest.approx(0, abs=1e-5)
    else:  # all that can be done is done
        assert share == pytest.approx(1)
        assert missed > 0


def test_there_are_no_arcs_into_the_root_or_from_a_word_to_itself():
    found = only_arcs(np.ones((3, 3)))
    assert found.tolist() == [[0, 1, 1], [0, 0, 1], [0, 1, 0]]

"""MIRA against its definitions: the closed form for one tree, its constraints for many."""

import numpy as np
import pytest
from examples import changed, difference, example_of, random_weights, some_data

from headwise.errors import UsageError
from headwise.learners.mira import (
    TOLERANCE,
    FactoredMira,
    Mira,
    missing_margins,
    smallest_step,
)
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.scores import add_cost


@pytest.mark.parametrize("most", [0.001, 1.0, 1e9])
@pytest.mark.parametrize("augmented", [True, False])
def test_one_tree_is_the_closed_form(augmented, most):
    decoder = ProjectiveDecoder(True)
    data = some_data(6)
    for number in range(len(data)):
        weights = random_weights(number)
        example = example_of(data, number, weights)
        scores = add_cost(example.scores, example.gold) if augmented else example.scores
        tree = decoder.best(scores).heads
        rows = difference(example, tree)
        wrong = int((tree != example.gold).sum())
        margin = example.scores.of_tree(example.gold) - example.scores.of_tree(tree)
        norm = sum(value * value for value in rows.values())
        step = min(most, max(0.0, (wrong - margin) / norm)) if norm else 0.0
        wanted = changed(weights.tables.weights, {p: step * v for p, v in rows.items()})
        loss = Mira(c=most, augmented=augmented).learn(example, weights)
        np.testing.assert_allclose(weights.tables.weights, wanted, atol=1e-6)
        assert loss == wrong


@pytest.mark.parametrize("c", [1e9, "inf"])
@pytest.mark.parametrize("decoder", [ProjectiveDecoder(True), NonProjectiveDecoder(True)])
def test_after_a_step_every_one_of_the_k_trees_is_a_margin_behind(decoder, c):
    data = some_data(6)
    for number in range(len(data)):
        weights = random_weights(number)
        example = example_of(data, number, weights, decoder)
        searched = add_cost(example.scores, example.gold)
        trees = [tree.heads for tree in decoder.kbest(searched, 5)]
        Mira(k=5, c=c).learn(example, weights)
        after = example_of(data, number, weights).scores
        for tree in trees:
            margin = after.of_tree(example.gold) - after.of_tree(tree)
            assert margin >= (tree != example.gold).sum() - 0.001


def test_the_step_is_the_smallest_that_fulfils_the_constraints():
    """Fewer constraints, smaller step: and one tree of five is a part of five."""
    data = some_data(6)
    lengths = []
    for k in (1, 5):
        weights = random_weights(0)
        before = weights.tables.weights.copy()
        Mira(k=k, c=1e9).learn(example_of(data, 0, weights), weights)
        lengths.append(np.linalg.norm(weights.tables.weights - before))
    assert 0 < lengths[0] <= lengths[1]


def test_factored_constraints_hold_after_a_step():
    """All of them, not only those that did not hold before."""
    data = some_data(20)
    came = 0
    for number in range(len(data)):
        weights, alone = random_weights(number, 1.0), random_weights(number, 1.0)
        example = example_of(data, number, weights)
        before = missing_margins(example.scores.arc, example.gold, example.costs)
        rivals = before > TOLERANCE
        rows = example.scorer.rivals(example.tokens, example.gold, *np.nonzero(rivals))
        alone.add(rows.slots, smallest_step(rows, before[rivals], "inf"))
        came += int((missing_after(data, number, alone) > 0.001).sum())
        loss = FactoredMira(c="inf").learn(example, weights)
        assert missing_after(data, number, weights).max() <= 0.001
        assert loss == rivals.any(axis=0).sum() > 0
    assert came  # or else nothing had to be added


def missing_after(data, number, weights):
    example = example_of(data, number, weights)
    return missing_margins(example.scores.arc, example.gold, example.costs)


def test_the_bound_may_be_infinite_and_must_be_above_zero():
    Mira(c="inf").check()
    for learner in (Mira(c=0.0), FactoredMira(c=-1.0)):
        with pytest.raises(UsageError, match="c must be above 0"):
            learner.check()


def test_factored_mira_rests_where_margins_hold():
    data = some_data(1)
    weights = random_weights(0, 0.0)
    for _ in range(30):
        loss = FactoredMira(c=1e9).learn(example_of(data, 0, weights), weights)
    before = weights.tables.weights.copy()
    assert loss <= 1
    arc, gold = example_of(data, 0, weights).scores.arc, data.golds[0]
    words = np.arange(1, len(gold))
    assert (arc.argmax(axis=0)[1:] == gold[words]).all()
    FactoredMira(c=1e9).learn(example_of(data, 0, weights), weights)
    assert np.abs(weights.tables.weights - before).max() < 0.01


def test_losses_decide_what_margins_grow_with():
    decoder = ProjectiveDecoder(True)
    found = {}
    for loss in ("heads", "no-punctuation", "complete"):
        data = some_data(2, loss=loss)
        weights = random_weights(5)
        example = example_of(data, 1, weights)
        tree = decoder.best(add_cost(example.scores, example.gold, example.costs)).heads
        wrong = tree != example.gold
        found[loss] = Mira().learn(example, weights)
        words = len(wrong) - 1
        expected = {
            "heads": wrong.sum(),
            "no-punctuation": wrong[:words].sum(),  # the last word of a toy sentence
            "complete": float(wrong.any()),
        }
        assert found[loss] == expected[loss]
    assert found["complete"] == 1.0 < found["heads"]

"""Partial trees: values and gradients against all trees that agree, and what is learnt of them."""

from dataclasses import replace

import numpy as np
import pytest
from examples import changed, example_of, random_weights, some_data

import oracle
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, TreeError, UsageError
from headwise.learners.loglinear import LogLinear
from headwise.learners.partial import (
    agreeing,
    can_complete,
    check_partial,
    completed,
    is_partial,
    less_expected,
    says_roots,
)
from headwise.learners.perceptron import Perceptron
from headwise.parsers.graph.parser import DependencyParser
from headwise.search.decoders.choice import decoder_of
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from toytreebank import SMALL, toy_treebank


def some_heads(trees, seed: int) -> np.ndarray:
    """Some heads of one of the trees."""
    rng = np.random.default_rng(seed)
    heads = np.array(trees[rng.integers(len(trees))])
    heads[1:][rng.random(len(heads) - 1) < 0.5] = -1
    heads[rng.integers(1, len(heads))] = -1
    return heads


def agree(tree, heads) -> bool:
    return all(given in (-1, own) for own, given in zip(tree[1:], heads[1:], strict=True))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("single_root", [True, False])
def test_value_and_gradient_of_arcs_by_enumeration(seed, projective, single_root):
    n = 4
    arc = np.random.default_rng(seed).standard_normal((n + 1, n + 1))
    trees = oracle.trees(n, projective=projective, single_root=single_root)
    heads = some_heads(trees, seed)
    kept = [tree for tree in trees if agree(tree, heads)]
    every = oracle.Oracle({Part.ARC: arc}, allowed=trees)
    given = oracle.Oracle({Part.ARC: arc}, allowed=kept)
    decoder = decoder_of(projective=projective, higher=False, single_root=single_root)
    scores = Scores(arc)
    found, own = decoder.marginals(scores), decoder.marginals(agreeing(scores, heads))
    assert own.log_partition == pytest.approx(given.log_partition)
    tree = completed(decoder, scores, heads)
    assert tuple(tree[1:]) == given.ranked[0][1][1:]
    gradient = -less_expected(found, own, scores, tree).arc
    gradient[tree[1:], np.arange(1, n + 1)] += 1
    expected = given.marginals(Part.ARC) - every.marginals(Part.ARC)
    np.testing.assert_allclose(gradient[:, 1:], expected[:, 1:], atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_value_and_gradient_of_higher_parts_by_enumeration(seed):
    n, kinds = 4, Factorisation.GRAND_SIBLINGS
    free = ~np.eye(n + 1, dtype=np.bool_)
    free[:, 0] = False
    index, rng = PartIndex.over(free, kinds), np.random.default_rng(seed)
    higher = {
        part: rng.standard_normal(index.count(part)) for part in kinds.parts if part is not Part.ARC
    }
    scores = Scores(rng.standard_normal((n + 1, n + 1)), index, higher)
    trees = oracle.trees(n, projective=True, single_root=True)
    heads = some_heads(trees, seed)
    decoder = decoder_of(projective=True, higher=True, single_root=True)
    found, own = decoder.marginals(scores), decoder.marginals(agreeing(scores, heads))
    totals = np.array([scores.of_tree(tree) for tree in trees])
    kept = np.array([agree(tree, heads) for tree in trees])
    assert own.log_partition == pytest.approx(np.logaddexp.reduce(totals[kept]))
    chances = np.exp(totals) / np.exp(totals).sum()
    of_kept = np.where(kept, np.exp(totals), 0) / np.exp(totals[kept]).sum()
    tree = completed(decoder, scores, heads)
    mixed = less_expected(found, own, scores, tree)
    positions = [scores.index.of_tree(np.array(one)) for one in trees]
    for part, values in mixed.higher.items():
        expected = np.zeros(len(values))
        for where, chance in zip(positions, of_kept - chances, strict=True):
            expected[where[part]] += chance
        gradient = -values
        gradient[scores.index.of_tree(tree)[part]] += 1
        np.testing.assert_allclose(gradient, expected, atol=1e-9)


@pytest.mark.parametrize("decoder", [ProjectiveDecoder(True), NonProjectiveDecoder(True)])
def test_log_linear_steps_go_along_differences_of_the_likelihood(decoder):
    data, rng = some_data(1), np.random.default_rng(0)
    gold = data.golds[0].copy()
    gold[2:4] = -1
    weights = random_weights(3)
    example = replace(example_of(data, 0, weights, decoder), gold=gold)

    def likelihood() -> float:
        scores = example_of(data, 0, weights, decoder).scores
        given = decoder.marginals(agreeing(scores, gold)).log_partition
        return given - decoder.marginals(scores).log_partition

    table = weights.tables.weights.copy()
    learner = LogLinear(rate=1.0)
    steps = {}
    learner.climb = lambda rows, _: steps.update(
        zip(rows.slots.tolist(), rows.value.tolist(), strict=True)
    )
    assert learner.learn_partial(example, weights) == pytest.approx(-likelihood())
    for place in rng.choice(list(steps), 12, replace=False).tolist():
        ends = []
        for step in (0.02, -0.02):
            weights.tables.weights[:] = changed(table, {place: step})
            ends.append(likelihood())
        weights.tables.weights[:] = table
        assert (ends[0] - ends[1]) / 0.04 == pytest.approx(steps[place], abs=3e-3)


def test_others_learn_from_the_best_completion():
    data, weights, same = some_data(1), random_weights(1), random_weights(1)
    gold = data.golds[0].copy()
    gold[1:3] = -1
    example = replace(example_of(data, 0, weights), gold=gold)
    tree = completed(example.decoder, example.scores, gold)
    assert agree(tree, gold)
    loss = Perceptron().learn_partial(example, weights)
    assert loss == Perceptron().learn(replace(example_of(data, 0, same), gold=tree), same)
    np.testing.assert_array_equal(weights.tables.weights, same.tables.weights)


def emptied(sentences: list[Sentence], share: float = 0.5) -> list[Sentence]:
    """The sentences, in every other one of which a share of the words has no head."""
    rng = np.random.default_rng(7)
    found = []
    for number, one in enumerate(sentences):
        lost = (rng.random(len(one)) < share) & bool(number % 2)
        heads = [None if gone else head for gone, head in zip(lost, one.heads, strict=True)]
        names = ["_" if gone else name for gone, name in zip(lost, one.relations, strict=True)]
        found.append(one.with_tree(heads, names))
    return found


@pytest.mark.parametrize("learner", ["mira", "perceptron", "log-linear", "factored-mira"])
def test_a_half_emptied_treebank_is_learnt_from(learner):
    parser = DependencyParser(learner=learner, partial=True, epochs=4, tables=SMALL)
    treebank = emptied(toy_treebank(60))
    parser.fit(treebank)
    assert parser.score(toy_treebank(40, seed=9)) > 0.9
    assert parser.report_["left_out"] == sum(set(one.heads) == {None} for one in treebank)


def test_it_is_learnt_from_above_the_first_order():
    parser = DependencyParser(order=2, partial=True, epochs=4, tables=SMALL)
    parser.fit(emptied(toy_treebank(60)), toy_treebank(10, seed=8))
    assert parser.score(toy_treebank(40, seed=9)) > 0.9


def test_partial_trees_alone_teach_heads():
    treebank = [one for number, one in enumerate(emptied(toy_treebank(120), 0.3)) if number % 2]
    parser = DependencyParser(partial=True, epochs=4, tables=SMALL, labels="none").fit(treebank)
    assert parser.score(toy_treebank(40, seed=9)) > 0.9
    assert parser.single_root_


def test_without_the_setting_the_error_names_it():
    with pytest.raises(TreeError, match="has no head.*--partial"):
        DependencyParser(tables=SMALL).fit(emptied(toy_treebank(8)))


def test_whole_trees_are_learnt_from_as_before():
    treebank = toy_treebank(20)
    one, other = (
        DependencyParser(partial=partial, epochs=2, tables=SMALL).fit(treebank)
        for partial in (True, False)
    )
    np.testing.assert_array_equal(one.tables_.weights, other.tables_.weights)


def words(heads) -> Sentence:
    return Sentence.from_words(["w"] * len(heads), heads=heads, relations=["_"] * len(heads))


def test_a_cycle_is_an_error_and_what_search_cannot_find_is_left_out():
    with pytest.raises(TreeError, match="cycle"):
        check_partial(words([2, 1, None]))
    with pytest.raises(TreeError, match="no words"):
        check_partial(words([]))
    check_partial(words([2, None, None]))
    crossing = words([3, 4, None, None])
    assert not can_complete(crossing, single_root=None, projective=True)
    assert can_complete(crossing, single_root=None, projective=False)
    two_roots = words([0, 0, None])
    assert can_complete(two_roots, single_root=None, projective=True)
    assert not can_complete(two_roots, single_root=True, projective=True)
    assert not can_complete(words([None, None]), single_root=None, projective=True)
    treebank = [*toy_treebank(8), crossing, words([None] * 3)]
    parser = DependencyParser(partial=True, epochs=1, tables=SMALL).fit(treebank)
    assert parser.report_["left_out"] == 2
    with pytest.raises(InputError, match="none of 1"):
        DependencyParser(partial=True, tables=SMALL).fit([words([None] * 3)])


def test_what_heads_say_of_roots():
    assert is_partial(np.array([-1, 0, -1]))
    assert not is_partial(np.array([-1, 0, 1]))
    assert says_roots(np.array([-1, 0, 1]))
    assert says_roots(np.array([-1, 0, 0, -1]))
    assert not says_roots(np.array([-1, 0, -1]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learner": "arc-margin"}, "arc-margin learns from whole trees"),
        ({"learner": "semisupervised"}, "semisupervised learns from whole trees"),
        ({"labels": "joint"}, "joint labels"),
    ],
)
def test_what_needs_whole_trees_says_so(settings, message):
    with pytest.raises(UsageError, match=message):
        DependencyParser(partial=True, **settings).check()

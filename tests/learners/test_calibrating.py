"""Temperatures by likelihood, and how far probabilities can be trusted, against plain loops."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.evaluate.calibration import calibration
from headwise.inference.temperatures import (
    UNFITTED,
    Temperatures,
    from_log_odds,
    log_odds,
    reported,
)
from headwise.learners import calibrating
from headwise.learners.calibrating import (
    Answers,
    curve,
    fitted,
    for_reliability,
    for_temperatures,
    likeliest,
    reliability,
    temperature_of_heads,
    temperature_of_relations,
    temperature_of_tags,
    temperature_of_trees,
)
from headwise.parsers.graph.parser import DependencyParser
from headwise.search.scores import scale
from labelledtoys import labelled_treebank, noisy
from toynetworks import random_parser
from toytreebank import SMALL, toy_treebank

TRAIN, DEV = labelled_treebank(30, 1), labelled_treebank(24, 2)


@cache
def search(decoder="projective"):
    settings = {"epochs": 1, "features": "paper-000", "decoder": decoder, "tables": SMALL}
    parser = DependencyParser(**settings).fit(TRAIN[:4])
    return parser.search()


def answers(gold=None, decoder="projective") -> Answers:
    gold = noisy(DEV) if gold is None else gold  # so that it cannot be too sure
    return Answers(search(decoder), gold, gold)


def is_best(loss, temperature) -> bool:
    return all(loss(temperature) < loss(temperature * factor) for factor in (0.8, 1.25))


def test_no_sentence_is_fitted_to_and_measured():
    for count in (2, 3, 100, 999, 1000, 1001, 2001, 7000):
        fit, measured = set(for_temperatures(count)), set(for_reliability(count))
        assert not fit & measured
        assert len(fit) <= calibrating.FOR_TEMPERATURES + 1
        assert len(fit) > 500 or (count < 1001 and len(fit) == (count + 1) // 2)
        assert max(fit) > 0.9 * count or count < 20
    assert list(for_temperatures(5)) == [0, 2, 4]
    assert list(for_reliability(5)) == [1, 3]
    assert list(for_reliability(1)) == [0]


@pytest.mark.parametrize("decoder", ["projective", "non-projective"])
def test_gold_heads_are_likeliest(decoder):
    data = answers(decoder=decoder)

    def loss(temperature):
        total = 0.0
        for sentence in data.gold:
            scores = scale(data.search.scores(sentence), 1 / temperature)
            arc = data.search.decoder.marginals(scores).arc
            chances = [arc[head, word] for word, head in enumerate(sentence.heads, 1)]
            total -= np.log(np.maximum(chances, calibrating.MIN_CHANCE)).sum()
        return total

    assert is_best(loss, temperature_of_heads(data))


def test_trees_that_are_right_are_likeliest():
    data = answers()

    def loss(temperature):
        own, total = replace(data.search, temperatures=Temperatures(trees=temperature)), 0.0
        for sentence in data.gold:
            scores = own.scores(sentence)
            tree = own.decoder.best(scores).heads
            (chance,) = own.tree_probabilities(scores, [tree])
            total -= np.log(chance if tuple(tree[1:]) == sentence.heads else 1 - chance)
        return total

    assert is_best(loss, temperature_of_trees(data, temperature_of_heads(data)))


def test_gold_relations_of_right_heads_are_likeliest():
    data = answers()
    labeller = data.search.labeller

    def loss(temperature):
        total = 0.0
        for sentence in data.gold:
            encoded = data.search.encode([sentence])
            tree = data.search.decoder.best(data.search.scores(sentence)).heads
            names, chances = labeller.at(temperature).distributions(encoded, tree)
            for word, (head, relation) in enumerate(
                zip(sentence.heads, sentence.relations, strict=True), 1
            ):
                if head == tree[word]:
                    total -= np.log(max(chances[word][names.index(relation)], 1e-4))
        return total

    assert is_best(loss, temperature_of_relations(data))


def test_gold_tags_are_likeliest():
    gold = toy_treebank(20, 3)
    bare = [Sentence.from_words(one.forms) for one in gold]
    own = replace(random_parser().search(), temperatures=UNFITTED)
    data = Answers(own, gold, bare)

    def loss(temperature):
        hot = replace(own, temperatures=Temperatures(tags=temperature))
        names, chances = hot.tag_distributions(hot.encode(bare))["upos"]
        tags = [tag for one in gold for tag in ("root", *one.upos)]
        return -sum(
            np.log(max(row[names.index(tag)], calibrating.MIN_CHANCE))
            for tag, row in zip(tags, chances, strict=True)
            if tag != "root"
        )

    assert is_best(loss, temperature_of_tags(data))
    assert temperature_of_tags(Answers(own, gold, gold)) == 1.0  # all tags are given


def test_words_without_a_choice_do_not_count():
    one_word = Sentence.from_words(["a"], heads=[0])
    assert fitted(answers([one_word] * 3)) == Temperatures()


def test_trees_that_search_cannot_find_count_by_their_heads():
    two_roots = Sentence.from_words(["a", "b", "c"], heads=[0, 0, 1])
    crossing = toy_treebank(3, 5, crossing=1.0)
    assert 0.01 < temperature_of_heads(answers([two_roots, *crossing])) < 100
    assert temperature_of_heads(answers([two_roots])) != 1.0


@pytest.mark.parametrize("lowest", [0.01, 1.0, 30.0])
def test_the_smallest_loss_is_found(lowest):
    def loss(temperature):
        return (np.log(temperature) - np.log(lowest)) ** 2

    assert likeliest(loss) == pytest.approx(lowest, rel=0.05)
    assert likeliest(loss, around=3 * lowest) == pytest.approx(lowest, rel=0.05)


def test_reliability_is_that_of_a_plain_loop():
    gold = noisy(DEV)
    own = replace(search(), temperatures=Temperatures(heads=9.0, trees=4.0))
    found = reliability(own, gold, gold)
    heads, is_right, trees, is_whole = [], [], [], []
    for one in gold:
        scores = own.scores(one)
        tree, arc = own.decoder.best(scores).heads, own.marginals(scores).arc
        pairs = list(enumerate(zip(tree[1:].tolist(), one.heads, strict=True), 1))
        heads += [min(arc[head, word], 1.0) for word, (head, _) in pairs]
        is_right += [head == right for _, (head, right) in pairs]
        trees += own.tree_probabilities(scores, [tree])
        is_whole.append(all(head == right for _, (head, right) in pairs))
    assert found["heads"].error == pytest.approx(calibration(heads, is_right).error)
    assert found["trees"].error == pytest.approx(calibration(trees, is_whole).error)
    assert sum(one.count for one in found["labels"].curve) == sum(is_right)
    assert set(found) == {"heads", "trees", "labels"}


def test_sentences_are_measured_in_pieces(monkeypatch):
    gold = noisy(DEV)
    whole = reliability(search(), gold, gold)
    monkeypatch.setattr(calibrating, "AT_A_TIME", 7)
    assert reliability(search(), gold, gold) == whole


def plain_loss(chances, is_right, found):
    """What a curve makes of answers: the sum of their log-losses, with what is added."""
    before = np.array([one for one, _ in found])
    own = reported(np.concatenate([chances, before]), found)
    right = np.concatenate([is_right, np.full(len(found), 0.5)])
    wrong = np.concatenate([~is_right, np.full(len(found), 0.5)])
    return -(right * np.log(own) + wrong * np.log1p(-own)).sum()


@pytest.mark.parametrize("seed", range(8))
def test_no_rising_curve_through_the_same_points_is_likelier(seed):
    random = np.random.default_rng(seed)
    chances = random.random(700) ** random.choice([0.1, 1.0])
    is_right = random.random(700) < 0.2 + 0.6 * chances**2 * random.random()
    found = curve(chances, is_right)
    Temperatures(head_curve=found).check()
    before, after = np.array(found).T
    least = plain_loss(chances, is_right, found)
    for _ in range(100):
        odds = log_odds(after) + random.normal(0.0, 0.1, len(after))
        other = from_log_odds(np.sort(odds))
        assert plain_loss(chances, is_right, tuple(zip(before, other, strict=True))) > least - 0.01
    assert abs(reported(chances, found).mean() - is_right.mean()) < 0.01


def test_a_curve_makes_probabilities_right_on_other_answers():
    random = np.random.default_rng(3)
    chances = random.random(20_000)
    is_right = random.random(20_000) < chances**3
    found = curve(chances[::2], is_right[::2])
    assert calibration(chances[1::2], is_right[1::2]).error > 0.2
    assert calibration(reported(chances[1::2], found), is_right[1::2]).error < 0.03


def test_few_answers_make_no_curve():
    assert curve(np.linspace(0.1, 0.9, 99), np.ones(99, np.bool_)) == ()
    assert len(curve(np.linspace(0.1, 0.9, 100), np.arange(100) > 50)) == 2
    assert len(curve(np.ones(1000), np.ones(1000, np.bool_))) == 0

"""Temperatures of parsers of all kinds, fitted when all else has been learnt."""

from dataclasses import fields

import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, TreeError
from headwise.inference.temperatures import UNFITTED, Temperatures
from headwise.learners.calibrating import Answers, fitted, reliability
from headwise.parsers.graph.parser import DependencyParser
from labelledtoys import labelled_treebank, noisy
from toyensembles import mixed_ensemble
from toynetworks import random_parser
from toyneuralparts import parts_parser
from toytreebank import SMALL, toy_treebank

TRAIN, DEV = labelled_treebank(20, 1), noisy(labelled_treebank(21, 2))


def parts_of(found) -> dict:
    return {one.name: getattr(found, one.name) for one in fields(Temperatures)}


def linear(**settings):
    return DependencyParser(epochs=1, features="paper-000", tables=SMALL, **settings)


def test_every_second_sentence_is_fitted_to_and_the_others_measured():
    parser = linear().fit(TRAIN)
    assert parser.temperatures_ == UNFITTED
    search = parser.search()
    parser.calibrate(iter(DEV))
    expected = fitted(Answers(search, DEV[::2], DEV[::2]))
    assert Temperatures(**parts_of(parser.temperatures_)) == expected
    assert parser.temperatures_.given_tags is None
    found = reliability(parser.search(), DEV[1::2], DEV[1::2])
    assert parser.report_["calibration"] == {name: one.to_json() for name, one in found.items()}


def test_training_does_it_with_development_data():
    parser = linear().fit(TRAIN, DEV)
    before = parser.temperatures_, parser.report_["calibration"]
    parser.calibrate(DEV)
    assert (parser.temperatures_, parser.report_["calibration"]) == before


def test_guides_are_used():
    parser = linear().fit(TRAIN, DEV, guides=TRAIN, dev_guides=DEV)
    found = parser.temperatures_
    assert parser.calibrate(DEV, guides=DEV).temperatures_ == found


@pytest.mark.parametrize("make", [random_parser, parts_parser, mixed_ensemble])
def test_parsers_that_find_tags_are_calibrated_under_their_own(make):
    parser = make()
    before = parser.temperatures_
    gold = toy_treebank(30, 4)
    try:
        found = parser.calibrate(gold).temperatures_
        assert 1.0 not in (found.heads, found.tags, found.trees)
        assert {"heads", "trees", "tags"} <= set(parser.report_["calibration"])
        assert found.given_tags.tags == 1.0  # all are given
        assert "tags" not in parser.report_["calibration_given_tags"]
        parser.calibrate([Sentence.from_words(one.forms, heads=one.heads) for one in gold])
        assert parser.temperatures_.given_tags is None
        assert "calibration_given_tags" not in parser.report_
    finally:
        parser.temperatures_ = before
        for name in ("calibration", "calibration_given_tags"):
            parser.report_.pop(name, None)


def test_gold_trees_are_needed():
    parser = linear().fit(TRAIN)
    with pytest.raises(InputError, match="no sentence"):
        parser.calibrate([])
    with pytest.raises(TreeError):
        parser.calibrate([TRAIN[0].with_tree([None] * len(TRAIN[0]), TRAIN[0].relations)])

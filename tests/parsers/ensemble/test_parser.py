"""Ensembles as parsers: made, calibrated, asked."""

import pytest

from headwise.errors import UsageError
from headwise.parsers.base import TrainingInputs
from headwise.parsers.ensemble.member import Member
from headwise.parsers.ensemble.parser import EnsembleParser
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.registry import check_learner, learner_names
from toyensembles import linear_member, linear_parser, mixed_ensemble, other_network
from toynetworks import random_parser
from toytreebank import SMALL, toy_treebank


def test_it_answers_like_any_parser():
    parser, gold = mixed_ensemble(), toy_treebank(5, 4)
    assert parser.found_tags == ("upos", "xpos", "feats")
    assert parser.finds_relations
    scores = parser.scores(gold)
    assert 0 <= scores["las"] <= scores["uas"] <= 1
    assert len(parser.kbest(gold[0], 2)) == 2
    assert parser.marginals(gold[0]).arc[:, 1:].sum(axis=0) == pytest.approx(1.0)
    assert "2 members (neural, parser)" in parser.summary()


def test_its_trees_are_of_the_kind_that_all_members_have():
    both = EnsembleParser(members=[Member(random_parser()), Member(other_network())])
    assert not both.is_projective
    assert not both.has_single_root
    assert mixed_ensemble().is_projective
    assert mixed_ensemble().has_single_root


def test_temperatures_are_fitted():
    parser = EnsembleParser(members=[linear_member()])
    assert parser.calibrate(toy_treebank(10, 5)).temperatures_.trees != 1.0


def test_parsers_that_cannot_be_members():
    with pytest.raises(UsageError, match="one member or more"):
        EnsembleParser().search()
    train = toy_treebank(10)
    guided = DependencyParser(features="paper-000", epochs=1, tables=SMALL)
    guided.fit(train, guides=train)
    with pytest.raises(UsageError, match="guide"):
        EnsembleParser(members=[Member(guided)]).search()


def test_it_is_not_trained():
    with pytest.raises(UsageError, match="headwise ensemble"):
        mixed_ensemble().fit_from(TrainingInputs(sentences=toy_treebank(2)))
    assert "ensemble" not in learner_names()
    with pytest.raises(UsageError, match="no learner 'ensemble'"):
        check_learner("ensemble")


def test_ensembles_may_be_members():
    inner = EnsembleParser(members=[Member(linear_parser(), linear_member().tagger)])
    outer = EnsembleParser(members=[Member(inner), Member(random_parser())])
    flat = EnsembleParser(members=[inner.members[0], Member(random_parser())])
    gold = [one.forms for one in toy_treebank(5, 6)]
    assert [o.heads for o in outer.predict(gold)] == [o.heads for o in flat.predict(gold)]
    assert [o.upos for o in outer.predict(gold)] == [o.upos for o in flat.predict(gold)]

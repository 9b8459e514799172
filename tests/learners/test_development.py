"""Development data: scores by counting, temperatures by likelihood, and what is refused."""

import numpy as np
import pytest
from trainings import SPEC

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, TreeError
from headwise.learners.development import Development
from headwise.learners.settings import TrainingSettings
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.tables import WeightTables
from labelledtoys import labelled_treebank
from toytreebank import SMALL, toy_treebank


def development(sentences, single_root=True, **settings):
    chosen = TrainingSettings(tables=SMALL, **settings)
    return Development.of(sentences, None, chosen, AtomEncoder(), SPEC, single_root)


def random_tables() -> WeightTables:
    tables = WeightTables.empty(SMALL)
    tables.weights[:] = np.random.default_rng(0).normal(0, 0.2, len(tables.weights))
    return tables


@pytest.mark.parametrize("decoder", ["projective", "non-projective"])
def test_the_score_is_the_share_of_right_heads(decoder):
    sentences = toy_treebank(20, 5, crossing=0.3)
    data, tables = development(sentences, decoder=decoder), random_tables()
    parsed = data.search(tables).parse_many(sentences)
    gold, own = ([head for one in some for head in one.heads] for some in (sentences, parsed))
    right = [a == b for a, b in zip(gold, own, strict=True)]
    assert data.scores(tables) == {"dev_uas": pytest.approx(100 * np.mean(right))}
    assert 0 < data.scores(tables)["dev_uas"] < 100


def test_every_sentence_needs_a_tree():
    with pytest.raises(TreeError, match="word 1 has no head"):
        development([*toy_treebank(2), Sentence.from_words(["a"])])
    with pytest.raises(InputError, match="no sentence in the development data"):
        development([])


def test_words_without_a_gold_relation_do_not_count_for_labels():
    train, full = labelled_treebank(60, 1), labelled_treebank(10, 2)
    gaps = [one.with_tree(one.heads, ["_", *one.relations[1:]]) for one in full]
    parser = DependencyParser(epochs=3, tables=SMALL).fit(train, gaps)
    las = parser.scores(gaps)["las"]
    pairs = [
        (h == g and r == s)
        for one, own in zip(gaps, parser.predict(gaps), strict=True)
        for h, g, r, s in zip(one.heads, own.heads, one.relations, own.relations, strict=True)
        if r != "_"
    ]
    assert las == sum(pairs) / len(pairs)
    assert parser.report_["dev_las"] == pytest.approx(100 * las, abs=2)


def test_labels_are_not_scored_without_gold_ones():
    train = toy_treebank(30, 1)
    bare = [one.with_tree(one.heads, ["_"] * len(one)) for one in toy_treebank(8, 2)]
    for labels in ("second-stage", "joint"):
        parser = DependencyParser(epochs=2, tables=SMALL, labels=labels).fit(train, bare)
        assert "dev_las" not in parser.report_
        assert "labels" not in parser.report_["calibration"]
        assert parser.temperatures_.relations == 1.0
        scores = parser.scores(bare)
        assert np.isnan(scores["las"])
        assert scores["uas"] > 0

"""Parsers of orders two to four, from training to answers."""

from functools import cache

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import is_tree
from headwise.errors import HeadwiseWarning, InputError, UsageError
from headwise.inference import treesearch as search_module
from headwise.inference.answers import ParseOptions
from headwise.inference.given import given_constraints
from headwise.inference.searcher import Searcher
from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline.parsing import parse_stream
from headwise.scoring.linear.pruner import PrunerSettings
from headwise.search.parts import Part
from toytreebank import SMALL, toy_treebank

TRAIN, DEV = toy_treebank(60, 1), toy_treebank(30, 2)
PRUNER = PrunerSettings(tables=SMALL, share=0.001, max_heads=4)

COMMON = {"tables": SMALL, "pruner": PRUNER, "epochs": 3, "bits": 32}


@cache
def trained(order: int) -> DependencyParser:
    return DependencyParser(order=order, **COMMON).fit(TRAIN, DEV)


@pytest.mark.parametrize("order", [2, 3, 4])
def test_every_order_learns(order):
    parser = trained(order)
    assert parser.score(DEV) > 0.9
    assert parser.report_["pruner"]["oracle_uas"] > 99
    assert 1 <= parser.report_["pruner"]["heads_a_word"] <= 4


@pytest.mark.parametrize("order", [2, 3, 4])
def test_fused_kernels_find_what_the_decoder_finds_through_scores(order):
    search = trained(order).search()
    encoded = search.encode(DEV)
    expected = Searcher.best_encoded(search, encoded)
    assert search.best_encoded(encoded).tolist() == expected.tolist()
    parsed = [head for one in search.parse_many(DEV) for head in (-1, *one.heads)]
    assert parsed == expected.tolist()


def test_questions_above_the_first_order(tmp_path):
    parser = trained(3)
    (best, score), *others = parser.kbest(DEV[0], 4)
    assert best == parser.predict([DEV[0]])[0]
    assert all(score >= other for _, other in others)
    found = parser.marginals(DEV[0])
    assert np.allclose(found.arc.sum(axis=0)[1:], 1.0)
    assert Part.GRAND_SIBLING in found.higher
    parser.save(tmp_path / "model")
    again = DependencyParser.load(tmp_path / "model")
    assert again.predict(DEV) == parser.predict(DEV)
    assert again.kbest(DEV[0], 4) == parser.kbest(DEV[0], 4)


@pytest.mark.parametrize(
    "settings",
    [
        {"learner": "log-linear"},
        {"k": 10},
        {"learner": "perceptron"},
        {"learner": "bayes-point", "members": 2},
    ],
)
@pytest.mark.parametrize("order", [2, 3, 4])
def test_every_learner_learns_above_the_first_order(settings, order):
    parser = DependencyParser(order=order, **COMMON, **settings)
    assert parser.fit(TRAIN, DEV).score(DEV) > 0.9


def test_words_are_attached_again_where_arcs_cross(tmp_path):
    """The gold tree of these crosses arcs; without re-attachment it could not be found."""
    heads = [3, 4, 0, 3]
    crossing = [
        Sentence.from_words(["a", "b", "c", "d"], upos=["A", "B", "C", "D"], heads=heads)
    ] * 8
    own = COMMON | {"pruner": PrunerSettings(tables=SMALL, share=0.0, max_heads=4)}
    parser = DependencyParser(order=3, decoder="non-projective", **own).fit(crossing, crossing)
    assert parser.predict(crossing[:1])[0].heads == tuple(heads)
    (asked,) = parse_stream(parser.search(), crossing[:1], ParseOptions(marginals=True))
    assert asked.heads == tuple(heads)
    assert asked.comment("tree_prob") == "0"  # probabilities are of projective trees
    with pytest.raises(InputError, match="of projective trees"):
        next(parse_stream(parser.search(), crossing[:1], ParseOptions(kbest=2, constraints=True)))
    parser.save(tmp_path / "model")
    again = DependencyParser.load(tmp_path / "model")
    assert again.predict(crossing[:1])[0].heads == tuple(heads)
    assert len(parser.kbest(crossing[0], 2)) == 2


@pytest.mark.parametrize("order", [1, 3])
@pytest.mark.parametrize("crossing", ["lift-head", "lift-path", "lift-head+path"])
def test_arcs_that_were_lifted_are_put_back_by_their_relations(tmp_path, order, crossing):
    """`a` hangs on `c`, across the arc from `b` to `d`: no projective search finds that."""
    heads, relations = [3, 4, 0, 3], ["nsubj", "det", "root", "obj"]
    given = Sentence.from_words(
        ["a", "b", "c", "d"], upos=["A", "B", "C", "D"], heads=heads, relations=relations
    )
    own = COMMON | {"pruner": PrunerSettings(tables=SMALL, share=0.0, max_heads=4)}
    parser = DependencyParser(order=order, crossing=crossing, **own).fit([given] * 8, [given] * 2)
    assert parser.report_["dev_uas"] == parser.report_["dev_las"] == 100.0
    parser.save(tmp_path / "model")
    search = DependencyParser.load(tmp_path / "model").search()
    bare = given.with_tree([None] * 4, ["_"] * 4)
    asked = [
        ParseOptions(),
        ParseOptions(kbest=1),
        ParseOptions(marginals=True),
        ParseOptions(constraints=True),
    ]
    for options in asked:
        (answer,) = parse_stream(search, [bare], options)
        assert (answer.heads, answer.relations) == (tuple(heads), tuple(relations))
    assert parser.kbest(bare, 1)[0][0].heads == tuple(heads)
    assert search.parse_many([bare])[0].heads == tuple(heads)


def test_lifted_arcs_need_relations():
    with pytest.raises(UsageError, match="lift-head: relations say where arcs were lifted from"):
        DependencyParser(crossing="lift-head", labels="none").fit(TRAIN)


def test_heads_that_are_given_are_kept_even_if_they_would_be_pruned():
    sentence = DEV[0]
    given = Sentence.from_words(
        sentence.forms,
        upos=sentence.upos,
        xpos=sentence.xpos,
        heads=[0, *[None] * (len(sentence) - 1)],
    )
    search = trained(2).search()
    scores = search.scores_under(search.encode([given]).sentence(0), given_constraints(given))
    assert search.decoder.best(scores).heads[1] == 0


def test_a_very_long_sentence_is_parsed_with_a_notice(monkeypatch):
    monkeypatch.setattr(search_module, "LONG", 30)
    words = [word for one in DEV[:12] for word in one]
    long = Sentence.from_words([w.form for w in words], upos=[w.upos for w in words])
    assert len(long) > 30
    with pytest.warns(HeadwiseWarning, match=f"{len(long)} words .* at most 4 likely heads"):
        (parsed,) = trained(4).predict([long])
    assert is_tree([-1, *parsed.heads])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"decoder": "non-projective", "k": 2}, "finds one tree"),
        ({"decoder": "non-projective", "learner": "log-linear"}, "finds one tree"),
        ({"learner": "factored-mira"}, "knows arcs only"),
        ({"pruner": PrunerSettings(share=2.0)}, "share must be from 0 to 1"),
    ],
)
def test_what_does_not_go_together_is_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        DependencyParser(order=2, **settings).fit(TRAIN)

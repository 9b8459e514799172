"""Learning which arcs are plausible: the margin leaves in what was asked for."""

from dataclasses import replace

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.kernels.arcs.plausible import EVERYTHING, KINDS, gaps_of_gold
from headwise.learners import training
from headwise.learners.plausiblearcs import (
    ENOUGH,
    FOLDS,
    LARGEST,
    ONE,
    folds,
    frequent_tags,
    held_out_gaps,
    learn_plausible,
    narrowed,
    rounded,
)
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear.atoms import AtomEncoder
from toytreebank import toy_treebank

TRAIN, NEW = toy_treebank(300, 1), toy_treebank(100, 2)


def arguments(sentences):
    heads = np.array([h for one in sentences for h in (-1, *(x or 0 for x in one.heads))], np.int64)
    return AtomEncoder().encode(sentences), heads


def gaps_in(sentences, plausible):
    encoded, heads = arguments(sentences)
    gaps = gaps_of_gold(plausible, encoded.tokens, encoded.starts, heads)
    return gaps[gaps >= 0]


def test_a_share_of_right_arcs_of_a_new_text_is_plausible():
    narrow, wide = (learn_plausible(*arguments(TRAIN), share) for share in (0.9, 0.995))
    assert narrow.margin <= wide.margin < EVERYTHING
    assert (gaps_in(NEW, wide) <= wide.margin).mean() > 0.985
    assert (gaps_in(NEW, narrow) <= narrow.margin).mean() > 0.88


def test_margins_of_finished_models_are_narrower_within_limits():
    wide = learn_plausible(*arguments(TRAIN), 0.995)
    for margin, narrow in ((100, 85), (ONE, ONE), (EVERYTHING, EVERYTHING)):
        assert narrowed(wide._replace(margin=margin)).margin == narrow


@pytest.mark.parametrize(("order", "margin"), [(1, 85), (2, 100)])
def test_finished_parsers_of_the_first_order_look_at_fewer_arcs(order, margin, monkeypatch):
    def learn(*given):
        return learn_plausible(*given)._replace(margin=100)

    monkeypatch.setattr(training, "learn_plausible", learn)
    parser = DependencyParser(order=order, epochs=1, labels="none").fit(TRAIN)
    assert parser.tables_.plausible.margin == margin


def test_it_is_always_the_same():
    first, again = (learn_plausible(*arguments(TRAIN), 0.99) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(("count", "share"), [(300, 1.0), (20, 0.999), (1, 0.99), (0, 0.99)])
def test_all_arcs_are_plausible_if_asked_for_or_if_there_are_too_few_to_tell(count, share):
    assert learn_plausible(*arguments(TRAIN[:count]), share).margin == EVERYTHING


def test_sentences_without_trees_teach_nothing():
    bare = Sentence.from_words(["a", "b"], upos=["X", "Y"])
    encoded, heads = arguments([*TRAIN, *[bare] * 10])
    heads[encoded.starts[len(TRAIN)] :] = -1
    some = learn_plausible(encoded, heads, 0.99)
    assert some.margin < EVERYTHING
    assert learn_plausible(encoded, np.full_like(heads, -1), 0.99).margin == EVERYTHING


def test_a_margin_is_never_very_small():
    """However well a few sentences are told by their tags, others may be less so."""
    chains = [Sentence.from_words(["w"] * 9, upos=list("ABCDEFGHI"), heads=range(9))] * 60
    assert learn_plausible(*arguments(chains), 0.9).margin == ONE


def test_more_sentences_are_held_out_where_they_are_few():
    for count, least in ((300, 1000), (30, 100)):
        encoded, heads = arguments(TRAIN[:count])
        gaps = held_out_gaps(frequent_tags(encoded), encoded, heads)
        assert len(gaps) == (heads >= 0).sum() > least
    several = [one for _ in range(30) for one in TRAIN]
    encoded, heads = arguments(several)
    gaps = held_out_gaps(frequent_tags(encoded), encoded, heads)
    assert ENOUGH <= len(gaps) < (heads >= 0).sum() / 2


def test_sentences_of_the_same_words_are_held_out_together():
    retagged = [replace(one, xpos=tuple(f"x{tag}" for tag in one.xpos)) for one in TRAIN]
    encoded, _ = arguments([*TRAIN, *retagged])
    own, other = np.split(folds(encoded), 2)
    assert (own == other).all()
    assert set(own.tolist()) == set(range(FOLDS))


def test_the_most_frequent_tags_come_first():
    tags = [f"T{i}" for i in range(50) for _ in range(i + 1)]
    encoded, _ = arguments([Sentence.from_words(["w"] * len(tags), upos=tags)])
    found = frequent_tags(encoded)
    assert len(found) == KINDS - 1
    counts = [int((encoded.tokens.atoms[3] == tag).sum()) for tag in found]
    assert counts == list(range(50, 50 - KINDS + 1, -1))


def test_weights_are_rounded_and_bounded():
    assert rounded(np.array([0.0, 1.0, -0.5, 99.0, -99.0])).tolist() == [0, 16, -8, 127, -127]
    assert LARGEST == 127

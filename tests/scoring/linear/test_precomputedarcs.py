import pickle
from itertools import pairwise

import numpy as np
import pytest

from headwise.kernels.charts.higher_parse import list_unpruned
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.precomputedarcs import (
    NO_FEATURES,
    PrecomputedArcs,
    PrecomputedArcsSpec,
    SentencesWithArcs,
)
from headwise.scoring.linear.tables import TableSizes, WeightTables
from headwise.search.parts import Part
from toytreebank import toy_treebank

SIZES = TableSizes(wide=4, narrow=4, filters=4, parts=8)


def with_arcs(count=4):
    own = AtomEncoder().encode(toy_treebank(count))
    sizes = np.diff(own.starts)
    arcs = np.random.default_rng(1).standard_normal(int((sizes**2).sum()))
    return SentencesWithArcs(own.starts, own.tokens, arcs)


def scorer(*, factor=1.0, whole=False):
    own = FeatureSpec.at(NO_FEATURES, (Part.ARC, Part.SIBLING), "default")
    spec = PrecomputedArcsSpec(
        arcs=own.arcs, parts=own.parts, factorisation=own.factorisation, factor=factor, whole=whole
    )
    return spec.scorer(WeightTables.empty(SIZES, with_parts=True))


def test_parts_and_sentences_have_their_own_arcs():
    encoded = with_arcs()
    sizes = np.diff(encoded.starts)
    at = int((sizes[:2] ** 2).sum())
    third = encoded.arcs[at : at + sizes[2] ** 2].reshape(sizes[2], sizes[2])
    assert (encoded.sentence(2).arc == third).all()
    assert (encoded.part(1, 4).sentence(1).arc == third).all()
    assert (encoded.part(1, 4).tokens.tags == encoded.tokens.tags[sizes[0] :]).all()
    sent = pickle.loads(pickle.dumps(encoded))
    assert (sent.sentence(2).arc == third).all()
    assert any(one is encoded.arcs for one in encoded.arrays())


@pytest.mark.parametrize("whole", [True, False])
def test_arcs_score_what_is_given_whether_one_by_one_or_all_together(whole):
    encoded, own = with_arcs(), scorer(factor=3.0, whole=whole)
    sizes = np.diff(encoded.starts)
    possible = [~np.eye(size, dtype=np.bool_) & (np.arange(size) > 0) for size in sizes]
    unpruned = np.concatenate([one.ravel() for one in possible])
    heads, modifiers, starts = list_unpruned(unpruned, sizes)
    together = own.score_arcs(encoded, heads, modifiers, starts)
    for number, (a, b) in enumerate(pairwise(starts)):
        tokens = encoded.sentence(number)
        arc = own.scores_of(tokens).arc
        expected = np.rint(tokens.arc * 3.0) if whole else tokens.arc * 3.0
        assert (together[a:b] == expected[heads[a:b], modifiers[a:b]]).all()
        assert (arc[heads[a:b], modifiers[a:b]] == together[a:b]).all()


def test_trees_differ_in_their_parts_alone():
    encoded, own = with_arcs(), scorer()
    tokens = encoded.sentence(0)
    size = len(tokens.arc)
    gold = np.array([-1, *([0] + [1] * (size - 2))])
    other = np.array([-1, *range(size - 1)])
    rows = own.differences(tokens, gold, other[None])
    assert len(rows.slots)
    assert rows.slots.min() >= SIZES.parts_start
    assert not len(own.differences(tokens, gold, gold[None]).slots)


def test_a_pruner_sees_given_arcs_over_a_temperature():
    encoded = with_arcs()
    arcs = PrecomputedArcs.at(2.0)
    assert (arcs.score_plainly(encoded) == encoded.arcs / 2.0).all()
    tokens = encoded.sentence(1)
    found = arcs.scores(tokens)
    assert (found == tokens.arc / 2.0).all()
    found[:] = 0.0  # pruning changes it
    assert tokens.arc.any()
    assert pickle.loads(pickle.dumps(arcs)).temperature == 2.0

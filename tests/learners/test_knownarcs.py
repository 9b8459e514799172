"""Known arcs: what gold trees have, unless tags are too fine to tell."""

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.features.atoms import AtomEncoder
from headwise.features.tables import TableSizes, WeightTables
from headwise.kernels.arc_features import COARSE
from headwise.learners.knownarcs import (
    counts_of_kinds,
    least_count,
    note_known_arcs,
    share_of_new,
)

SIZES = TableSizes(wide=4, narrow=4, filters=12)


def chain(upos: list[str], xpos: list[str]) -> Sentence:
    """Each word hangs on the one before."""
    return Sentence.from_words(
        [f"w{i}" for i in range(len(upos))], upos=upos, xpos=xpos, heads=range(len(upos))
    )


def noted(sentences: list[Sentence]) -> tuple[WeightTables, float, float]:
    """The tables, and the shares of new kinds by fine and coarse tags."""
    encoded = AtomEncoder().encode(sentences)
    heads = np.array([head for one in sentences for head in (-1, *one.heads)], np.int64)
    tables = WeightTables.empty(SIZES)
    note_known_arcs(encoded, heads, tables)
    tokens = encoded.tokens
    fine, coarse = (
        share_of_new(counts_of_kinds(tags, encoded.starts, heads))
        for tags in (tokens.tags, tokens.atoms[COARSE])
    )
    return tables, fine, coarse


def test_kinds_that_stand_once_are_counted():
    # ROOT→A, A→B, B→A, A→B: the second and the fourth are alike.
    encoded = AtomEncoder().encode([chain(list("ABAB"), ["_"] * 4)])
    heads = np.array([-1, 0, 1, 2, 3], np.int64)
    counts = counts_of_kinds(encoded.tokens.tags, encoded.starts, heads)
    assert counts.tolist() == [0, 1, 2, 1, 2]
    assert share_of_new(counts) == pytest.approx(2 / 4)


def test_distance_and_direction_make_kinds():
    tags = np.ones(12, np.uint64)
    heads = np.array([-1, 0, 1, 2, 0, 0, 7, 0, 0, 0, 0, 0], np.int64)
    # To the right: 1 to 3 words away three times, 4 to 10 six times, more once. To the left: once.
    assert share_of_new(counts_of_kinds(tags, np.array([0, 12]), heads)) == pytest.approx(2 / 11)


def test_frequent_kinds_hold_a_share_of_all_arcs():
    counts = np.array([0, 5, 5, 5, 5, 5, 3, 3, 3, 1, 1])
    for share, least in ((1.0, 1), (0.81, 1), (0.8, 3), (0.51, 3), (0.5, 5), (0.01, 5)):
        assert least_count(counts, share) == least
    assert least_count(np.zeros(3, np.int64), 0.5) == 1


def test_rare_kinds_are_not_known_if_a_share_is_enough():
    sentences = [chain(list("AB"), list("ab"))] * 300 + [chain(list("BA"), list("ba"))] * 5
    encoded = AtomEncoder().encode(sentences)
    heads = np.array([head for one in sentences for head in (-1, *one.heads)], np.int64)
    noted_bits = []
    for share in (1.0, 0.98):
        tables = WeightTables.empty(SIZES)
        note_known_arcs(encoded, heads, tables, share)
        noted_bits.append([int(np.unpackbits(tables.filters[row]).sum()) for row in (-1, -2)])
    assert noted_bits[1][0] < noted_bits[0][0]  # by fine tags fewer,
    assert noted_bits[1][1] == noted_bits[0][1]  # by coarse ones as before


def test_fine_tags_decide_where_they_repeat():
    tables, fine, coarse = noted([chain(list("AB"), list("ab"))] * 300)
    assert fine == coarse == 0.0
    assert 0 < np.unpackbits(tables.filters[-1]).sum() < 100
    assert 0 < np.unpackbits(tables.filters[-2]).sum() < 100


def test_coarse_tags_decide_where_fine_ones_hardly_repeat():
    sentences = [chain(list("AB"), [f"a{i}", f"b{i}"]) for i in range(300)]
    tables, fine, coarse = noted(sentences)
    assert fine == 1.0
    assert coarse == 0.0
    assert (tables.filters[-1] == 255).all()
    assert 0 < np.unpackbits(tables.filters[-2]).sum() < 100


def test_in_the_tiniest_treebanks_everything_is_known():
    tables, _, coarse = noted([chain(list("ABC"), list("abc"))])
    assert coarse == 1.0
    assert (tables.filters[-2:] == 255).all()
    assert not tables.filters[:-2].any()

"""Scores of higher parts, and of unpruned arcs, against slow scorers that follow the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from headwise.corpus.sentence import Sentence
from headwise.kernels.arcs.entries import MIRRORED
from headwise.kernels.arcs.features import AFTER_ALL, BEFORE_ALL, MULTIPLIER
from headwise.scoring.linear import ATOMS, AtomEncoder, FeatureSet
from headwise.scoring.linear.partscorer import PartScorer, kernel_columns
from headwise.scoring.linear.parttemplates import HERE, PartFeatureSet
from headwise.scoring.linear.scorer import ArcScorer
from headwise.scoring.linear.tables import TableSizes, WeightTables
from headwise.scoring.linear.texttable import hash_text
from headwise.search.decoders.base import Marginals
from headwise.search.parts import Factorisation, Part

SIZES = TableSizes(wide=6, narrow=6, filters=6, parts=7)
WORD = (1 << 64) - 1
ARC_FEATURES = FeatureSet.parse(
    [
        "plain h.word m.word",
        "distance h.tag m.tag counts",
        "plain h.tag b.tag m.tag",
        "direction h.word m.tag",
        "plain h.backoff m.tag",
        "distance m.tag guide",
    ]
)
PART_FEATURES = PartFeatureSet.parse(
    [
        "sibling h.tag s.word m-1.tag",
        "sibling s.here m.tag",
        "grandchild g+1.tag h.tag m.word",
        "grand-sibling g.tag h.tag s.tag m.tag",
        "grand-sibling s.tag",
        "tri-sibling h.tag r.here s.here m.tag",
        "grand-tri-sibling g.tag h.word r.tag s.tag m.tag",
        "stop h.tag m.tag m+1.tag",
        "stop h.word m.here",
    ]
)


def tables_of(kind) -> WeightTables:
    rng = np.random.default_rng(3)
    shapes = WeightTables.shapes(SIZES, with_parts=True)
    weights = rng.integers(-100, 100, shapes[0])
    lines = weights[: SIZES.narrow_start].reshape(-1, 16)
    lines[:, 1] = lines[:, 0]
    filters = rng.integers(0, 256, shapes[1], np.uint8)
    return WeightTables(SIZES, weights.astype(kind), filters, 0.5)


def scorer(kind=np.float32, factorisation=Factorisation.GRAND_TRI_SIBLINGS) -> PartScorer:
    return PartScorer(ArcScorer(ARC_FEATURES, tables_of(kind)), PART_FEATURES, factorisation)


def side(role, seen, token, atoms):
    """What a side sees of a token; -1 is "none"."""
    x = hash_text(f"part {(role, seen)}")
    for atom, offset in seen:
        if atom == HERE:
            continue
        j = token + offset
        if token < 0 or j < 0:
            value = int(BEFORE_ALL)
        elif j >= atoms.shape[1]:
            value = int(AFTER_ALL)
        else:
            value = int(atoms[ATOMS.index(atom), j])
        x = ((x ^ value) * int(MULTIPLIER)) & WORD
        x ^= x >> 32
    return (x * int(MULTIPLIER)) & WORD if token < 0 else x


def roles(part, indices):
    """The tokens of a part by role, "none" being -1, and the lane of its weights."""
    if part is Part.STOP:
        h, direction, last = indices
        return {"h": h, "m": -1 if last == h else last}, direction
    named = dict(zip(part.indices, indices, strict=True))
    h, m = named["head"], named["modifier"]
    found = {"h": h, "m": m}
    if "grandparent" in named:
        found["g"] = -1 if h == 0 else named["grandparent"]
    for name, role in (("sibling", "s"), ("inner sibling", "r")):
        if name in named:
            found[role] = -1 if named[name] == h else named[name]
    lane = int(m > h) + 2 * int(part.grand and h > named["grandparent"])
    return found, lane


def places(part, indices, atoms):
    """The places of a part's features, by definition."""
    tokens, lane = roles(part, indices)
    for template in PART_FEATURES.templates:
        if template.part is part:
            x = hash_text(str(template))
            for role, seen in template.seen:
                x ^= side(role, seen, tokens[role], atoms)
            line = ((x * int(MULTIPLIER)) & WORD) >> (64 - SIZES.parts)
            yield SIZES.parts_start + 4 * line + lane


@st.composite
def problems(draw: st.DrawFn):
    n = draw(st.integers(1, 6))
    words = draw(st.lists(st.sampled_from(["a", "forests"]), min_size=n, max_size=n))
    tags = draw(st.lists(st.sampled_from(["VERB", "NOUN", "PUNCT"]), min_size=n, max_size=n))
    sentence = Sentence.from_words(words, upos=tags, heads=[0] * n)
    unpruned = np.array(draw(st.lists(st.booleans(), min_size=(n + 1) ** 2, max_size=(n + 1) ** 2)))
    unpruned = unpruned.reshape(n + 1, n + 1)
    unpruned[0] = True
    return AtomEncoder().encode([sentence], [sentence]).sentence(0), unpruned


@pytest.mark.parametrize("kind", [np.float32, np.int8])
@settings(max_examples=25)
@given(problem=problems())
def test_parts_score_the_sums_of_the_weights_of_their_features(kind, problem):
    tokens, unpruned = problem
    found = scorer(kind)
    scores = found.scores_of(tokens, unpruned)
    table = found.arcs.tables.weights.astype(np.float64)
    dense = found.arcs.scores(tokens)
    alive = scores.arc > -np.inf
    assert np.array_equal(scores.arc[alive], dense[alive])
    for part in found.parts:
        slow = [
            0.5 * sum(table[place] for place in places(part, indices, tokens.atoms))
            for indices in scores.index.tokens(part).tolist()
        ]
        assert scores.higher[part].tolist() == slow


def trees(n):
    heads = [-1] + [0] * n
    if n > 2:
        heads[2], heads[3] = 3, 1
    return np.array(heads)


@settings(max_examples=25)
@given(problem=problems())
def test_rows_are_the_features_that_trees_differ_in(problem):
    tokens, unpruned = problem
    n = len(unpruned) - 1
    found = scorer()
    gold, tree = trees(n), np.array([-1, *range(n)])
    rows = found.differences(tokens, gold, np.stack([tree, gold]))
    assert rows.start[1] == rows.start[2]  # gold less gold
    expected: dict[int, float] = {}
    for heads, sign in ((gold, 1.0), (tree, -1.0)):
        for part, indices in oracle.parts(tuple(heads.tolist())):
            for place in places(part, indices, tokens.atoms) if part is not Part.ARC else ():
                expected[place] = expected.get(place, 0.0) + sign
    got = {
        int(rows.slots[column]): value
        for column, value in zip(rows.column, rows.value, strict=True)
        if (rows.slots[column] & ~MIRRORED) >= SIZES.parts_start and value
    }
    assert got == {place: value for place, value in expected.items() if value}


@settings(max_examples=25)
@given(problem=problems())
def test_a_gradient_at_a_tree_is_the_difference_to_it(problem):
    """If all the probability is on one tree, expected features are the features of that tree."""
    tokens, unpruned = problem
    n = len(unpruned) - 1
    found = scorer()
    gold, tree = trees(n), np.array([-1, *range(n)])
    scores = found.scores_of(tokens, np.ones_like(unpruned))
    arc = np.zeros((n + 1, n + 1))
    arc[tree[1:], np.arange(1, n + 1)] = 1.0
    higher = {part: np.zeros_like(values) for part, values in scores.higher.items()}
    for part, positions in scores.index.of_tree(tree).items():
        if part in higher:
            higher[part][positions] = 1.0
    by_gradient = found.gradient(tokens, gold, scores, Marginals(0.0, 0.0, arc, higher))
    by_tree = found.differences(tokens, gold, tree[None])
    assert vector(by_gradient) == vector(by_tree)


def vector(rows):
    return {
        int(rows.slots[column]): value
        for column, value in zip(rows.column, rows.value, strict=True)
        if value
    }


def test_stop_columns_are_those_of_the_kernel():
    assert kernel_columns(Part.STOP, np.array([[3, 1, 5]])).tolist() == [[1, 3, 3, 3, 5]]

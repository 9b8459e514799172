"""Scores of parts by the definition of their features, in plain Python."""

import numpy as np
from hypothesis import strategies as st

from headwise.corpus.sentence import Sentence
from headwise.kernels.arcs.features import AFTER_ALL, BEFORE_ALL, MULTIPLIER
from headwise.scoring.linear import ATOMS, AtomEncoder, FeatureSet
from headwise.scoring.linear.partscorer import PartScorer
from headwise.scoring.linear.parttemplates import HERE, PartFeatureSet
from headwise.scoring.linear.scorer import ArcScorer
from headwise.scoring.linear.tables import TableSizes, WeightTables
from headwise.scoring.linear.texttable import hash_text
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


def trees(n):
    heads = [-1] + [0] * n
    if n > 2:
        heads[2], heads[3] = 3, 1
    return np.array(heads)

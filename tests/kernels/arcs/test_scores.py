"""Scores of arcs against a slow scorer that follows the definition of features."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcweights import (
    FEATURES,
    NARROW_BITS,
    TYPES,
    WIDE_BITS,
    plausible_of,
    scores_of,
    weights_of,
)
from headwise.corpus.sentence import Sentence
from headwise.kernels.arcs.entries import MIRRORED, ArcList, arc_entries
from headwise.kernels.arcs.features import AFTER_ALL, BEFORE_ALL, BETWEEN, MULTIPLIER
from headwise.kernels.arcs.pairs import LOOKS
from headwise.kernels.arcs.plausible import EVERYTHING
from headwise.kernels.arcs.unpruned import score_unpruned_many
from headwise.scoring.linear import ATOMS, AtomEncoder, FeatureSet
from headwise.scoring.linear.texthash import hash_text
from slowratings import is_plausible

WORD = (1 << 64) - 1

MARGINS = st.sampled_from([0, 50, 150, EVERYTHING])


def side(seen, end, token, atoms):
    x = hash_text(f"{end} {seen}")
    for atom, offset in seen:
        j = token + offset
        if j < 0:
            value = int(BEFORE_ALL)
        elif j >= atoms.shape[1]:
            value = int(AFTER_ALL)
        else:
            value = int(atoms[ATOMS.index(atom), j])
        x = ((x ^ value) * int(MULTIPLIER)) & WORD
        x ^= x >> 32
    return x


def looks_at_both(template):
    """Whether it looks at both ends, and at more than their tags."""
    if template.guide or not (template.head and template.modifier):
        return False
    return not template.is_tag_only or template.between is not None or template.counts


def places(templates, tokens, h, m, weights):
    """The places of templates' features on an arc, by definition."""
    plausible = is_plausible(weights.plausible, tokens, h, m)
    for template in templates:
        if plausible or not looks_at_both(template):
            yield from places_of(template, tokens, h, m)


def places_of(template, tokens, h, m):
    """The places of a template's features on a plausible arc."""
    if template.guide and tokens.guide[m] != h:
        return
    ends = [(template.head, h), (template.modifier, m)]
    backing = [i for seen, i in ends if any(atom == "backoff" for atom, _ in seen)]
    if backing and not any(tokens.backed_off[i] for i in backing):
        return
    x = hash_text(str(template)) ^ side(template.head, "h", h, tokens.atoms)
    x ^= side(template.modifier, "m", m, tokens.atoms)
    inner = range(min(h, m) + 1, max(h, m))
    keys = [0]
    if template.counts:
        counts = [min(sum(int(tokens.counted[k, b]) for b in inner), 3) for k in range(3)]
        keys = [(counts[0] * 16 + counts[1] * 4 + counts[2] + 1) * int(BETWEEN)]
    elif template.between:
        atom = ATOMS.index(template.between)
        keys = [int(tokens.atoms[atom, b]) * int(BETWEEN) for b in inner]
    direction, distance = int(m > h), abs(m - h)
    bucket = distance - 1 if distance <= 5 else 5 if distance <= 10 else 6
    for key in keys:
        mixed = ((x ^ (key & WORD)) * int(MULTIPLIER)) & WORD
        if template.conjoined == "direction":
            yield (16 << WIDE_BITS) + 2 * (mixed >> (64 - NARROW_BITS)) + direction
        else:
            line = 16 * (mixed >> (64 - WIDE_BITS))
            yield line + (0 if template.conjoined == "plain" else direction)
            yield line + 2 + 7 * direction + bucket


def keep_plain_twice(weights):
    """A plain template has one weight for both directions: as if it had been learnt so."""
    lines = weights.wide.reshape(-1, 16)
    lines[:, 1] = lines[:, 0]
    return weights


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    n = draw(st.integers(1, 14))
    words = st.lists(st.sampled_from(["a", "tree", "forest", "forests"]), min_size=n, max_size=n)
    tags = st.lists(st.sampled_from(["VERB", "PUNCT", "CCONJ", "NOUN"]), min_size=n, max_size=n)
    heads = draw(st.lists(st.integers(0, n), min_size=n, max_size=n))
    return Sentence.from_words(
        draw(words), lemmas=draw(words), upos=draw(tags), xpos=draw(tags), heads=heads
    )


@pytest.mark.parametrize("kind", TYPES)
@settings(max_examples=30)
@given(batch=st.lists(sentences(), min_size=1, max_size=3), margin=MARGINS)
def test_scores_are_the_sums_of_the_weights_of_features(kind, batch, margin):
    encoded = AtomEncoder().encode(batch, batch)
    weights = keep_plain_twice(weights_of(kind, plausible=plausible_of(encoded, margin)))
    table = np.concatenate([weights.wide, weights.narrow]).astype(np.float64)
    out = scores_of(FEATURES, encoded, weights)
    at = 0
    for number, sentence in enumerate(batch):
        size = len(sentence) + 1
        scores = out[at : at + size * size].reshape(size, size)
        at += size * size
        tokens = encoded.sentence(number)
        for h in range(size):
            for m in range(size):
                if m in (0, h):
                    assert scores[h, m] == -np.inf
                    continue
                slow = [*places(FEATURES.templates, tokens, h, m, weights)]
                assert scores[h, m] == 0.5 * table[slow].sum()


@pytest.mark.parametrize("kind", ["float", "8 bits"])
@settings(max_examples=20)
@given(sentence=sentences(), data=st.data())
def test_some_arcs_score_as_all_do(kind, sentence, data):
    tokens = AtomEncoder().encode([sentence], [sentence])
    plausible = plausible_of(tokens, data.draw(MARGINS))
    weights, templates = weights_of(kind, 0.5, plausible), FEATURES.compiled()
    size = len(sentence) + 1
    scores = scores_of(FEATURES, tokens, weights)
    every = [(h, m) for h in range(size) for m in range(1, size) if h != m]
    some = data.draw(st.lists(st.sampled_from(every), unique=True))
    heads = np.array([h for h, _ in some], np.int64)
    modifiers = np.array([m for _, m in some], np.int64)
    alive = score_unpruned_many(
        templates,
        tokens.tokens,
        tokens.starts,
        weights,
        heads,
        modifiers,
        np.array([0, len(heads)]),
    )
    assert alive.tolist() == scores.reshape(size, size)[heads, modifiers].tolist()


@settings(max_examples=20)
@given(sentences(), st.data())
def test_places_are_those_of_the_definition(sentence, data):
    encoded = AtomEncoder().encode([sentence], [sentence])
    tokens = encoded.sentence(0)
    m = data.draw(st.integers(1, len(sentence)))
    h = data.draw(st.integers(0, len(sentence)).filter(lambda token: token != m))
    weights = weights_of("float", plausible=plausible_of(encoded, data.draw(MARGINS)))
    slow = [*places(FEATURES.templates, tokens, h, m, weights)]
    arcs = ArcList(*(np.array([value]) for value in (0, h, m)), np.array([-2.0]))
    row, place, value = arc_entries(FEATURES.compiled(), tokens, weights, arcs)
    assert (place & ~MIRRORED).tolist() == slow
    assert not row.any()
    assert (value == -2.0).all()


@pytest.mark.parametrize("kind", ["float", "16 bits"])
def test_more_templates_than_looks_that_are_under_way_at_a_time(kind):
    offsets = [offset for offset in range(-9, 10) if offset]
    rows = [
        f"distance h{h}.{tag} h.word m{m:+d}.tag"
        for h in range(-8, 0)
        for m in offsets
        for tag in ("tag", "upos")
    ]
    features = FeatureSet.parse(rows)
    assert len(features.templates) > LOOKS
    sentence = Sentence.from_words(["a", "b", "c"], upos=["X", "Y", "X"], heads=[0, 1, 2])
    encoded, weights = AtomEncoder().encode([sentence]), keep_plain_twice(weights_of(kind))
    table = np.concatenate([weights.wide, weights.narrow]).astype(np.float64)
    out = scores_of(features, encoded, weights).reshape(4, 4)
    tokens = encoded.sentence(0)
    for h, m in ((0, 1), (1, 2), (3, 1), (2, 3)):
        slow = [*places(features.templates, tokens, h, m, weights)]
        assert out[h, m] == 0.5 * table[slow].sum()


def test_pairs_of_words_never_seen_together_cost_nothing():
    """With empty filters, only templates of such pairs are left out."""
    sentence = Sentence.from_words(["forests", "tree", "a"], lemmas=["x", "y", "z"])
    encoded = AtomEncoder().encode([sentence])
    weights = keep_plain_twice(weights_of("float", seen=0.0))
    out = scores_of(FEATURES, encoded, weights)
    table = np.concatenate([weights.wide, weights.narrow]).astype(np.float64)
    tokens = encoded.sentence(0)
    kept = [t for t in FEATURES.templates if t.filtered_by < 0]
    assert 0 < len(kept) < len(FEATURES.templates)
    slow = [*places(kept, tokens, 1, 2, weights)]
    assert out.reshape(4, 4)[1, 2] == 0.5 * table[slow].sum()

"""Plausible arcs against their definition, and the learning of ratings."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arcweights import plausible_of
from headwise.corpus.sentence import Sentence
from headwise.kernels.arcs.plausible import (
    KINDS,
    PAIRS,
    ROWS,
    Plausible,
    everything,
    gaps_of_gold,
    learn_ratings,
)
from headwise.scoring.linear import AtomEncoder
from slowratings import is_plausible, rating
from toytreebank import toy_treebank


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    n = draw(st.integers(1, 13))
    tags = st.lists(st.sampled_from(["VERB", "PUNCT", "NOUN", "X", "_"]), min_size=n, max_size=n)
    heads = [draw(st.integers(0, n).filter(lambda h, m=m: h != m)) for m in range(1, n + 1)]
    return Sentence.from_words(["w"] * n, upos=draw(tags), xpos=draw(tags), heads=heads)


def heads_of(batch):
    return np.array([head for one in batch for head in (-1, *one.heads)], np.int64)


@settings(max_examples=30)
@given(st.lists(sentences(), min_size=1, max_size=3), st.integers(0, 200))
def test_gaps_are_those_of_the_definition(batch, margin):
    encoded = AtomEncoder().encode(batch)
    plausible = plausible_of(encoded, margin)
    heads = heads_of(batch)
    gaps = gaps_of_gold(plausible, encoded.tokens, encoded.starts, heads)
    assert (gaps >= 0).tolist() == (heads >= 0).tolist()
    for number, sentence in enumerate(batch):
        tokens, start = encoded.sentence(number), encoded.starts[number]
        size = len(sentence) + 1
        for m, head in enumerate(sentence.heads, 1):
            best = max(rating(plausible, tokens, h, m) for h in range(size) if h != m)
            assert gaps[start + m] == best - rating(plausible, tokens, head, m)
            assert (gaps[start + m] <= margin) == is_plausible(plausible, tokens, head, m)


def test_tags_beyond_those_told_apart_are_one():
    batch = [Sentence.from_words(["w"] * 60, upos=[f"T{i}" for i in range(60)], heads=range(60))]
    encoded = AtomEncoder().encode(batch)
    plausible = plausible_of(encoded, 0)
    assert len(plausible.tags) == KINDS - 2
    gaps = gaps_of_gold(plausible, encoded.tokens, encoded.starts, heads_of(batch))
    tokens = encoded.sentence(0)
    for m in (1, 30, 60):
        best = max(rating(plausible, tokens, h, m) for h in range(61) if h != m)
        assert gaps[m] == best - rating(plausible, tokens, m - 1, m)


def test_learning_makes_right_heads_likely():
    batch = toy_treebank(60, 3)
    encoded, heads = AtomEncoder().encode(batch), heads_of(batch)
    tags = np.unique(encoded.tokens.atoms[3])
    own, squares = (
        Plausible(tags, np.zeros(PAIRS, np.float32), np.zeros(ROWS, np.float32), 0)
        for _ in range(2)
    )
    shares = []
    for _ in range(3):
        learn_ratings(own, squares, encoded.tokens, encoded.starts, heads, 0.15)
        small = own._replace(
            pairs=np.rint(16 * own.pairs).astype(np.int8),
            rows=np.rint(16 * own.rows).astype(np.int8),
        )
        gaps = gaps_of_gold(small, encoded.tokens, encoded.starts, heads)
        shares.append((gaps[gaps >= 0] == 0).mean())
    assert shares[-1] > 0.8
    assert shares[-1] >= shares[0]


def test_where_everything_is_plausible_there_are_no_gaps():
    batch = toy_treebank(3, 3)
    encoded, heads = AtomEncoder().encode(batch), heads_of(batch)
    gaps = gaps_of_gold(everything()._replace(), encoded.tokens, encoded.starts, heads)
    assert (gaps[heads >= 0] <= everything().margin).all()

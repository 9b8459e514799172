"""Scores that are remembered change nothing."""

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.kernels.arcs.memory import MOST_REMEMBERED
from headwise.scoring.linear import AtomEncoder, FeatureSet
from headwise.scoring.linear.scorer import ArcScorer
from headwise.scoring.linear.tables import TableSizes, WeightTables

SIZES = TableSizes(wide=10, narrow=10, filters=8)
FEATURES = FeatureSet.load("default")


def scorer(features: FeatureSet, bits: int = 8) -> ArcScorer:
    tables = WeightTables.empty(SIZES)
    rng = np.random.default_rng(5)
    tables.weights[:] = rng.normal(size=len(tables.weights))
    tables.filters[:] = rng.integers(0, 256, tables.filters.shape)
    return ArcScorer(features, tables.quantised(8 if bits == 8 else 16))


def some(words: int, tags: int, seed: int) -> Sentence:
    rng = np.random.default_rng(seed)
    xpos = [f"X{i}" for i in rng.permutation(np.arange(words) % tags)]
    forms = [f"w{i}" for i in rng.integers(0, 9, words)]
    return Sentence.from_words(forms, lemmas=forms, upos=["NOUN"] * words, xpos=xpos)


def check(own: ArcScorer, sentences: list[Sentence], tags: str = "both") -> None:
    encoded = AtomEncoder(tags=tags).encode(sentences)
    np.testing.assert_array_equal(own.score_many(encoded), own.score_plainly(encoded))


@pytest.mark.parametrize("bits", [8, 16])
def test_scores_do_not_depend_on_what_was_scored_before(bits):
    own = scorer(FEATURES, bits)
    for seed, tags in enumerate((3, 30, MOST_REMEMBERED + 20, 5, 100, 90)):
        check(own, [some(4, 4, seed)] * 200 + [some(max(tags, 8), tags, seed)])
        assert own.remembers_tags
        assert len(own._memories) == 1


def test_where_tags_are_many_nothing_is_remembered():
    own = scorer(FEATURES)
    assert own.remembers_tags
    check(own, [some(100, 100, 1)])
    assert own.remembers_tags
    check(
        own,
        [some(8, 8, 2)] * 5 + [Sentence.from_words(["a"] * 90, xpos=[f"Y{i}" for i in range(90)])],
    )
    assert not own.remembers_tags
    check(own, [some(8, 8, 3)])

"""Scorers of finished models: whatever was scored before, and by whomever, scores are the same."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.scoring.linear import AtomEncoder, FeatureSet
from headwise.scoring.linear.scorer import MOST_IN_TWO_BYTES, ArcScorer
from headwise.scoring.linear.tables import TableSizes, WeightTables

SIZES = TableSizes(wide=10, narrow=10, filters=8)
FEATURES = FeatureSet.load("default")
ENDS = ("word", "lemma", "upos", "xpos", "tag", "feats")


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


def test_without_tags():
    check(scorer(FEATURES), [some(8, 3, 1)], tags="none")


def test_weights_of_many_templates_do_not_overflow():
    rows = [f"{how} h.{a} m.{b}" for how in ("plain", "distance") for a in ENDS for b in ENDS]
    rows += [f"plain h{at:+d}.tag h.tag m.{b}" for at in (-3, -2, -1, 1, 2, 3) for b in ENDS]
    rows += [f"plain h.{a} m.tag m{at:+d}.tag" for at in (-3, -2, -1, 1, 2, 3) for a in ENDS]
    many = FeatureSet.parse(rows)
    assert len(many.templates) > MOST_IN_TWO_BYTES
    own = scorer(many)
    own.tables.weights[:] = 127
    check(own, [some(12, 5, 1)])


def test_threads_share_a_scorer():
    own = scorer(FEATURES)
    encoded = [AtomEncoder().encode([some(20, 15, seed)]) for seed in range(24)]
    expected = [own.score_plainly(one).tolist() for one in encoded]
    with ThreadPoolExecutor(4) as pool:
        found = [scores.tolist() for scores in pool.map(own.score_many, encoded)]
    assert found == expected
    assert 1 <= len(own._memories) <= 4


def test_sent_elsewhere_it_leaves_behind_what_can_be_made_again():
    own = scorer(FEATURES)
    before = len(pickle.dumps(own))
    sentences = [some(8, 8, 1)]
    check(own, sentences)
    assert len(pickle.dumps(own)) == before
    encoded = AtomEncoder().encode(sentences)
    again = pickle.loads(pickle.dumps(own))
    np.testing.assert_array_equal(again.score_many(encoded), own.score_many(encoded))

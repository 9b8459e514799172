"""Examples for learners, and the slow, plain version of what they do with features."""

from collections import Counter

import numpy as np

from headwise.kernels.arcs.entries import MIRRORED, ArcList, arc_entries
from headwise.learners.base import Example
from headwise.learners.data import TrainingData, training_data
from headwise.learners.settings import TrainingSettings
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.scorer import ArcScorer
from headwise.scoring.linear.tables import TableSizes
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.decoders.base import Decoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.scores import Scores
from toytreebank import toy_treebank

SIZES = TableSizes(wide=18, narrow=16, filters=8)
"""So large that hardly two features meet: what is learnt can be compared with definitions."""
PROJECTIVE = ProjectiveDecoder(True)
FEATURES = FeatureSet.parse(
    [
        "plain h.tag m.tag",
        "plain h.word m.word",
        "distance h.tag m.tag m+1.tag",
        "direction h.word m.tag",
        "plain h.tag b.tag m.tag",
    ]
)


def some_data(count: int = 20, **settings) -> TrainingData:
    crossing = settings.pop("crossing_share", 0.0)
    chosen = TrainingSettings(tables=SIZES, **settings)
    return training_data(toy_treebank(count, 3, crossing=crossing), chosen, AtomEncoder())


def random_weights(seed: int, size: float = 0.1) -> LearnedWeights:
    """Weights as they could be after a step; every pair of words counts as seen."""
    weights = LearnedWeights.empty(SIZES)
    rng = np.random.default_rng(seed)
    weights.tables.weights[:] = size * rng.standard_normal(len(weights.tables.weights), np.float32)
    wide = weights.tables.weights[: SIZES.narrow_start].reshape(-1, 16)
    wide[:, 1] = wide[:, 0]  # as if plain templates had been learnt
    weights.tables.filters[:] = 255
    return weights


def example_of(
    data: TrainingData, number: int, weights: LearnedWeights, decoder: Decoder = PROJECTIVE
) -> Example:
    scorer = ArcScorer(FEATURES, weights.tables)
    tokens = data.encoded.sentence(number)
    scores = Scores(scorer.scores(tokens))
    return Example(
        scorer, tokens, data.golds[number], data.costs[number], data.tree_cost, scores, decoder
    )


def arc_counts(example: Example, head: int, modifier: int) -> Counter[int]:
    """The features of an arc, by their places."""
    arc = ArcList(*(np.array([value]) for value in (0, head, modifier)), np.ones(1))
    _, places, _ = arc_entries(
        example.scorer.templates, example.tokens, example.scorer.tables.for_kernels, arc
    )
    return Counter(places.tolist())


def tree_counts(example: Example, heads: np.ndarray) -> Counter[int]:
    total: Counter[int] = Counter()
    for m in range(1, len(heads)):
        total.update(arc_counts(example, int(heads[m]), m))
    return total


def difference(example: Example, heads: np.ndarray) -> dict[int, float]:
    """The features of the gold tree less those of another."""
    found = tree_counts(example, example.gold)
    found.subtract(tree_counts(example, heads))
    return {place: float(count) for place, count in found.items() if count}


def changed(table: np.ndarray, change: dict[int, float]) -> np.ndarray:
    """The table after a change by features; a mirrored weight is kept twice."""
    new = table.astype(np.float64)
    for place, value in change.items():
        at = place & ~int(MIRRORED)
        new[at] += value
        if place & int(MIRRORED):
            new[at + 1] += value
    return new

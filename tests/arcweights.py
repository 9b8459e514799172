"""A set of templates of all kinds, small tables of random weights for it, and its scores."""

import numpy as np

from headwise.kernels.arcs.features import COARSE
from headwise.kernels.arcs.finished import score_finished
from headwise.kernels.arcs.memory import new_memory
from headwise.kernels.arcs.plausible import KINDS, PAIRS, ROWS, Plausible, everything
from headwise.kernels.arcs.scores import score_many
from headwise.kernels.arcs.tables import Weights
from headwise.scoring.linear import FeatureSet
from headwise.scoring.linear.tables import FILTERS

FEATURES = FeatureSet.parse(
    [
        "plain h.word h.tag",
        "plain h.backoff m.tag",
        "distance h.tag m.upos",
        "distance h.upos m.tag m+1.tag",
        "plain h.tag m-2.tag m.backoff",
        "direction h.word m.tag",
        "direction h.tag m.lemma",
        "distance h-1.tag h.tag m.tag m+1.tag",
        "plain h.word m.word",
        "plain h.backoff m.backoff m.tag",
        "plain h.backoff m.tag m+1.tag",
        "direction h.lemma m.backoff",
        "direction h.word m.word m.tag",
        "direction h.lemma m.lemma",
        "direction h.tag",
        "direction m.word m+1.word",
        "plain h.word h+1.word",
        "distance m.tag m-1.tag",
        "plain guide",
        "distance h.tag m.word guide",
        "distance h.tag m.tag counts",
        "plain h.tag b.tag m.tag",
        "distance h.upos b.upos m.upos",
    ]
)
WIDE_BITS, NARROW_BITS, FILTER_BITS = 7, 6, 8


TYPES = {
    "float": (np.float32, np.float32, np.float32),
    "8 bits": (np.int8, np.int32, np.int16),
    "16 bits": (np.int16, np.int32, np.int32),
}
"""The types of weights, of sums, and of sums of few."""


def plausible_of(encoded, margin: int) -> Plausible:
    """Random ratings; all tags of the sentences but the rarest are told apart."""
    rng = np.random.default_rng(2)
    tags = np.unique(encoded.tokens.atoms[COARSE])[: KINDS - 1]
    pairs = rng.integers(-60, 61, PAIRS, np.int8)
    return Plausible(tags[:-1], pairs, rng.integers(-60, 61, ROWS, np.int8), margin)


def weights_of(kind: str, seen: float = 1.0, plausible: Plausible | None = None) -> Weights:
    rng = np.random.default_rng(1)
    wide = rng.integers(-127, 128, 16 << WIDE_BITS)
    narrow = rng.integers(-127, 128, 2 << NARROW_BITS)
    filters = np.packbits(rng.random((FILTERS, 1 << FILTER_BITS)) < seen, axis=1)
    types = TYPES[kind]
    if kind == "16 bits":
        wide, narrow = 258 * wide, 258 * narrow
    if kind != "float":  # those of directions have been added to the others
        wide.reshape(-1, 16)[:, :2] = 0
    return Weights(
        wide.astype(types[0]),
        narrow.astype(types[0]),
        filters,
        *(np.uint64(64 - bits) for bits in (WIDE_BITS, NARROW_BITS, FILTER_BITS)),
        plausible or everything(),
        np.empty(0, types[1]),
        np.empty(0, types[2]),
        0.5,
    )


def scores_of(features, encoded, weights, tags=16, blocks=20):
    """The scores of all arcs of all sentences, by the kernel for such weights."""
    scores = np.empty(int((np.diff(encoded.starts) ** 2).sum()))
    given = (features.compiled(), encoded.tokens, encoded.starts, weights)
    if weights.wide.dtype == np.float32:
        score_many(*given, scores)
    else:
        memory = new_memory(given[0], weights, len(encoded.tokens.atoms), tags, blocks)
        score_finished(*given, memory, scores)
    return scores

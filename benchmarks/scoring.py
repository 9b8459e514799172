"""Time of scoring and first-order search: `python benchmarks/scoring.py [FILE [BITS [SET]]]`.

Weights are random and one word pair in seven counts as seen: as many looks into memory as in a
trained parser. FILE is any CoNLL-U file, the sample if there is none; the table has 2^BITS lines.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from headwise.corpus.formats import read_sentences
from headwise.corpus.sample import read_sample
from headwise.decoders.projective import best_trees
from headwise.features import AtomEncoder, FeatureSet
from headwise.kernels.arc_scores import Weights, score_many

NARROW_BITS, FILTER_BITS = 18, 22


def random_weights(bits: int, integers: bool) -> Weights:
    rng = np.random.default_rng(0)
    kinds = (np.int8, np.int16, np.int32) if integers else (np.float32,) * 3
    wide, narrow = (
        np.clip(rng.normal(size=size) * 20, -127, 127).astype(kinds[0])
        for size in (16 << bits, 2 << NARROW_BITS)
    )
    filters = np.packbits(rng.random((3, 1 << FILTER_BITS)) < 1 / 7, axis=1)
    shifts = (np.uint64(64 - size) for size in (bits, NARROW_BITS, FILTER_BITS))
    return Weights(
        wide, narrow, filters, *shifts, np.empty(0, kinds[1]), np.empty(0, kinds[2]), 0.01
    )


def fastest(work: Callable[[], object], rounds: int = 7) -> float:
    work()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main(path: str | None = None, bits: str = "18", features: str = "paper-000") -> None:
    sentences = list(read_sentences(path) if path else list(read_sample()) * 300)
    words = sum(map(len, sentences))
    encoder = AtomEncoder()
    encoded = encoder.encode(sentences)
    templates = FeatureSet.load(features).compiled()
    lengths = np.diff(encoded.starts) - 1
    scores = np.empty(int(((lengths + 1) ** 2).sum()))
    print(f"{words:,} words, {len(scores):,} arcs, {len(templates.seed)} templates, 2^{bits} lines")
    times = {"encoding": fastest(lambda: encoder.encode(sentences))}
    for name, integers in (("scoring, float32", False), ("scoring, int8", True)):
        weights = random_weights(int(bits), integers)
        times[name] = fastest(
            lambda weights=weights: score_many(
                templates, encoded.tokens, encoded.starts, weights, scores
            )
        )
    times["search"] = fastest(lambda: best_trees(scores, lengths))
    for name, seconds in times.items():
        print(
            f"{name:18}{seconds / words * 1e6:8.2f} µs a word{words / seconds:14,.0f} words/s"
            f"{seconds / len(scores) * 1e9:8.0f} ns an arc"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])

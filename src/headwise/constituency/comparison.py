"""Comparison of two constituency parsers: differences and significance tests."""

from dataclasses import dataclass

import numpy as np

from headwise.constituency.parseval import MEASURES, TreeCounts
from headwise.evaluate.breakdown import number
from headwise.evaluate.significance import paired_bootstrap, randomisation_test


@dataclass(frozen=True, slots=True)
class TreeDifference:
    """One measure of both systems and the tests of its difference, B minus A."""

    measure: str
    a: float
    b: float
    interval: tuple[float, float]  # of the difference, 95 %, by the paired bootstrap
    bootstrap_p: float
    randomisation_p: float

    def to_json(self) -> dict[str, object]:
        """The difference as JSON data."""
        return {
            "a": number(self.a),
            "b": number(self.b),
            "difference": number(self.b - self.a),
            "interval": [number(end) for end in self.interval],
            "bootstrap_p": number(self.bootstrap_p),
            "randomisation_p": number(self.randomisation_p),
        }


def compare_trees(
    a: TreeCounts, b: TreeCounts, *, rounds: int = 10_000, seed: int = 0
) -> list[TreeDifference]:
    """The differences between two systems' scores against the same gold trees, in all measures."""
    of_a, of_b = a.ratios(), b.ratios()
    bootstrap = paired_bootstrap(of_a, of_b, rounds=rounds, seed=seed)
    randomised = randomisation_test(of_a, of_b, rounds=rounds, seed=seed)
    scale = np.array([1.0 if name == "crossing" else 100.0 for name in MEASURES])
    columns = (
        scale * of_a.ratios(),
        scale * of_b.ratios(),
        scale * bootstrap.low,
        scale * bootstrap.high,
        bootstrap.p,
        randomised,
    )
    rows = zip(MEASURES, *(column.tolist() for column in columns), strict=True)
    return [TreeDifference(name, x, y, (low, high), p, q) for name, x, y, low, high, p, q in rows]

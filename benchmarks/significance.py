"""Benchmark of significance tests: `python benchmarks/significance.py [SENTENCES] [ROUNDS]`.

The counts are simulated: two systems of about 90 and 91 % on sentences of 1 to 40 words, sixteen
measures (as in `headwise compare`), by default 2,000 sentences and 10,000 rounds.
"""

import argparse

import numpy as np

from headwise.evaluate.intervals import measure_intervals
from headwise.evaluate.ratios import RatioCounts
from headwise.evaluate.significance import mcnemar, paired_bootstrap, randomisation_test
from measuring import fastest

MEASURES = 16
RUNS = 3


def made_up(random: np.random.Generator, words: np.ndarray, accuracy: float) -> RatioCounts:
    bottom = np.repeat(words[:, None], MEASURES, axis=1)
    return RatioCounts(random.binomial(bottom, accuracy), bottom)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("sentences", type=int, nargs="?", default=2_000)
    options.add_argument("rounds", type=int, nargs="?", default=10_000)
    chosen = options.parse_args()
    measure(chosen.sentences, chosen.rounds)


def measure(sentences: int, rounds: int) -> None:
    random = np.random.default_rng(0)
    words = random.integers(1, 41, sentences)
    a, b = made_up(random, words, 0.90), made_up(random, words, 0.91)
    print(f"{sentences:,} sentences, {rounds:,} rounds, {MEASURES} measures")
    for name, work in (
        ("McNemar, 900 discordant", lambda: mcnemar(400, 500)),
        ("McNemar, 9,000 discordant", lambda: mcnemar(4_000, 5_000)),
        ("paired bootstrap", lambda: paired_bootstrap(a, b, rounds=rounds)),
        ("randomisation test", lambda: randomisation_test(a, b, rounds=rounds)),
        (
            "intervals, 1,000 rounds",
            lambda: measure_intervals(a, confidence=0.95, rounds=1_000, seed=0),
        ),
    ):
        print(f"{name:28} {fastest(work, RUNS):9.4f} s")


if __name__ == "__main__":
    main()

"""Lists of words to rerank: their letters are features, and those with a z are right."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Words:
    """Candidates are words here, and their letters features."""

    trees: tuple[str, ...]
    scores: np.ndarray


def lists(count=40, seed=0):
    """Words with a z are right, whatever the score says."""
    rng = np.random.default_rng(seed)
    found, gold = [], []
    for _ in range(count):
        words = ["".join(rng.choice(list("abcde"), 4)) for _ in range(5)]
        right = int(rng.integers(0, 5))
        words[right] += "z"
        found.append(Words(tuple(words), rng.normal(size=5)))
        gold.append(words[right])
    return found, gold


def loss(word, gold):
    return float(word != gold)


FEATURES = {"letters": list, "ends": lambda word: [f"end {word[-1]}"]}

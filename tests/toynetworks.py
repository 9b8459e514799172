"""Neural parsers with random weights: as good as trained ones to test all but accuracy."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest

from headwise.inference.temperatures import ModelTemperatures
from headwise.learners.neural.batches import NumberedSentences
from headwise.learners.neural.initialising import new_parameters
from headwise.learners.neural.quantising import quantised
from headwise.learners.neural.settings import NetworkSizes
from headwise.parsers.neural import parser as neuralparser
from headwise.parsers.neural.parser import NeuralParser
from headwise.scoring.neural import vectors
from headwise.scoring.neural.vocabulary import Vocabulary
from headwise.scoring.neural.wordfeatures import WordFeatures
from toytreebank import toy_treebank

TINY = NetworkSizes(words=12, hashed=6, characters=8, tags=5, layers=2, units=14, arcs=11,
                    relations=7, tagging=9)  # fmt: skip


@cache
def toy_vectors() -> vectors.WordVectors:
    random = np.random.default_rng(3)
    matrix = random.standard_normal((4, 10)).astype(np.float32)
    return vectors.quantised(("tree", "forest", "the", "sees"), matrix)


def toy_vocabulary(*, characters: bool = True) -> Vocabulary:
    return Vocabulary.of(toy_treebank(60), toy_vectors().words, characters=characters)


def random_parameters(seed: int = 0, sizes: NetworkSizes = TINY) -> dict[str, np.ndarray]:
    """Weights of which none is zero, so that every path through the network counts."""
    random = np.random.default_rng(seed)
    vocabulary = toy_vocabulary(characters=sizes.characters > 0)
    initial = new_parameters(sizes, vocabulary, toy_vectors().dimensions, seed)
    return {
        name: (value + 0.3 * random.standard_normal(value.shape)).astype(np.float32)
        for name, value in initial.items()
    }


def toy_numbers(count: int = 12, seed: int = 5, *, characters: bool = True) -> NumberedSentences:
    vocabulary = toy_vocabulary(characters=characters)
    return NumberedSentences.of(toy_treebank(count, seed), vocabulary, WordFeatures(vocabulary))


def pretend_accelerator(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have JAX's CPU count as an accelerator."""
    jax = pytest.importorskip("jax", reason="accelerators need JAX (the extra neural)")
    monkeypatch.setattr(neuralparser, "accelerator", lambda _: jax.devices("cpu")[0])


@contextmanager
def optimised() -> Iterator[None]:
    """Have JAX compile as it does outside of tests: what is not optimised contracts nothing."""
    import jax

    name = "jax_disable_most_optimizations"
    before = jax.config.values[name]
    jax.config.update(name, False)
    try:
        yield
    finally:
        jax.config.update(name, before)


@cache
def random_parser(*, projective: bool = True, single_root: bool = True) -> NeuralParser:
    parser = NeuralParser(sizes=TINY)
    parser.vocabulary_ = toy_vocabulary()
    parser.arrays_, parser.steps_ = quantised(random_parameters(), toy_vectors(), toy_numbers())
    parser.projective_, parser.single_root_ = projective, single_root
    parser.temperatures_ = ModelTemperatures(heads=2.0, relations=1.5, tags=1.2, trees=1.7)
    parser.report_ = {"epoch": 1, "epochs": 1, "history": [], "weights": 1, "vectors": 4,
                      "sentences": 60, "words": 400, "left_out": 0}  # fmt: skip
    return parser

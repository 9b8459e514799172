"""The weights that training begins with, drawn by NumPy: the same with every version of JAX."""

import numpy as np
from numpy.typing import NDArray

from headwise.learners.neural.settings import NetworkSizes
from headwise.scoring.neural.characters import DIMENSIONS, FIRST_CHARACTER, WINDOW
from headwise.scoring.neural.network import CHARACTER_LAYER, FROM_ROOT
from headwise.scoring.neural.vocabulary import FIRST_WORD, Vocabulary
from headwise.scoring.neural.wordfeatures import HASHED, SLOTS

GUESSED = 1000
"""Words that neighbours are guessed among, the most frequent ones: all others count as unknown."""

GUESSING = 64
"""Hidden units that neighbours are guessed by, in each direction."""


def new_parameters(
    sizes: NetworkSizes, vocabulary: Vocabulary, vector_size: int, seed: int
) -> dict[str, NDArray[np.float32]]:
    """Initial weights by name; `vector_size` is the length of pretrained vectors."""
    random = np.random.default_rng(seed)

    def normal(*shape: int, deviation: float) -> NDArray[np.float32]:
        return (deviation * random.standard_normal(shape)).astype(np.float32)

    def dense(inputs: int, outputs: int) -> NDArray[np.float32]:
        return normal(inputs, outputs, deviation=(2.0 / (inputs + outputs)) ** 0.5)

    units, labels = sizes.units, max(len(vocabulary.relations), 1)
    found = {
        "words": normal(FIRST_WORD + len(vocabulary.words), sizes.words, deviation=0.1),
        "hashed": normal(len(HASHED), SLOTS, sizes.hashed, deviation=0.1),
    }
    inputs = sizes.words + len(HASHED) * sizes.hashed + vector_size
    if vocabulary.characters:
        count = FIRST_CHARACTER + len(vocabulary.characters)
        found["characters"] = normal(count, DIMENSIONS, deviation=0.1)
        found[CHARACTER_LAYER] = dense(WINDOW * DIMENSIONS, sizes.characters)
        found[f"{CHARACTER_LAYER}.bias"] = np.zeros(sizes.characters, np.float32)
        inputs += sizes.characters
    tags = sizes.tags * len(vocabulary.columns)
    for name in vocabulary.columns:
        found[f"tags.{name}"] = normal(len(vocabulary.tags(name)), sizes.tags, deviation=0.1)
    for layer in range(sizes.layers):
        both = [dense(inputs, 4 * units) for _ in range(2)]
        found[f"encoder.{layer}.input"] = np.stack(both)
        square = [[orthogonal(random, units) for _ in range(4)] for _ in range(2)]
        found[f"encoder.{layer}.recurrent"] = np.stack([np.hstack(one) for one in square])
        bias = np.zeros((2, 4 * units), np.float32)
        bias[:, units : 2 * units] = 1.0  # forget gates begin open
        found[f"encoder.{layer}.bias"] = bias
        inputs = 2 * units + tags  # all that comes after the first layer reads tags, too
    for part, size in (("arcs", sizes.arcs), ("relations", sizes.relations)):
        for name in ("heads", "modifiers"):
            found[f"{part}.{name}"] = dense(inputs, size)
            found[f"{part}.{name}.bias"] = np.zeros(size, np.float32)
    found["arcs.product"] = np.zeros((sizes.arcs, sizes.arcs), np.float32)
    found["arcs.product.bias"] = np.zeros(sizes.arcs, np.float32)
    found["arcs.distance"] = np.zeros(FROM_ROOT + 1, np.float32)
    size = sizes.relations
    found["relations.product"] = np.zeros((size, labels, size), np.float32)
    found["relations.from-heads"] = np.zeros((size, labels), np.float32)
    found["relations.from-modifiers"] = np.zeros((size, labels), np.float32)
    found["relations.bias"] = np.zeros(labels, np.float32)
    found["tagging"] = dense(2 * units, sizes.tagging)
    found["tagging.bias"] = np.zeros(sizes.tagging, np.float32)
    for name in vocabulary.columns:
        count = len(vocabulary.tags(name))
        found[f"tagging.{name}"] = dense(sizes.tagging, count)
        found[f"tagging.{name}.bias"] = np.zeros(count, np.float32)
    guessed = min(FIRST_WORD + len(vocabulary.words), GUESSED)
    found["neighbours"] = np.stack([dense(units, GUESSING) for _ in range(2)])
    found["neighbours.bias"] = np.zeros((2, GUESSING), np.float32)
    found["neighbours.words"] = np.zeros((2, GUESSING, guessed), np.float32)
    found["neighbours.words.bias"] = np.zeros((2, guessed), np.float32)
    return found


def orthogonal(random: np.random.Generator, size: int) -> NDArray[np.float32]:
    """A random orthogonal matrix: states neither grow nor vanish at first."""
    q, r = np.linalg.qr(random.standard_normal((size, size)))
    return (q * np.sign(np.diag(r))).astype(np.float32)

"""The settings of a network and of its training."""

import math
from dataclasses import dataclass
from typing import Literal

from headwise.errors import UsageError
from headwise.storage.settings import (
    MAX_EPOCHS,
    check_counts,
    check_not_negative,
    check_positive,
    check_types,
)

MAX_UNITS = 512
"""Of a layer: sums of products of 8-bit numbers over twice as many inputs are exact in float32."""


MAX_ARC_DIMENSIONS = 256
"""Modifiers are whole numbers of up to 511: products with heads over this many terms are exact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSizes:
    """How large a network is.

    words: dimensions of the embedding of a word.
    hashed: dimensions of the embedding of each affix, of the shape and of the form.
    characters: outputs of a convolution over the characters of a word; 0 is none.
    tags: dimensions of the embedding of each column of tags that is given.
    layers: layers of the encoder.
    units: units of an encoder layer, in each direction.
    arcs: dimensions of heads and modifiers for the scores of arcs.
    relations: the same for relations.
    tagging: hidden units of the taggers.
    """

    words: int = 100
    hashed: int = 32
    characters: int = 0
    tags: int = 32
    layers: int = 3
    units: int = 160
    arcs: int = 200
    relations: int = 64
    tagging: int = 128

    def check(self) -> None:
        """Raise if a size has no meaning."""
        check_counts(self, dict.fromkeys(("words", "units", "tagging"), (1, MAX_UNITS)))
        check_counts(self, {"arcs": (1, MAX_ARC_DIMENSIONS)})
        check_counts(self, {"hashed": (1, 64), "tags": (1, 64), "layers": (1, 8)})
        check_counts(self, {"relations": (1, 128), "characters": (0, 256)})


@dataclass(frozen=True, slots=True, kw_only=True)
class DropoutRates:
    """What is hidden from the network in training, as probabilities.

    words: the word and its form, so that affixes, shape and vector must do.
    features: each other feature of a word.
    layers: units between layers.
    tags: all tags of a sentence, so that the network learns to do without.
    tag_units: units of the embeddings of tags.
    """

    words: float = 0.3
    features: float = 0.15
    layers: float = 0.33
    tags: float = 0.3
    tag_units: float = 0.0

    def check(self) -> None:
        """Raise if a rate is not a probability."""
        check_not_negative(self, "words", "features", "layers", "tags", "tag_units")
        for name in ("words", "features", "layers", "tag_units"):
            if not getattr(self, name) < 1:
                raise UsageError(f"{name} must be below 1, not {getattr(self, name)}")
        if not self.tags <= 1:
            raise UsageError(f"tags must be 1 or less, not {self.tags}")


MANY_WORDS = 1_000_000
"""From which on fewer epochs do: treebanks together with text that other models have parsed."""

LossName = Literal["local", "crf", "hinge"]


@dataclass(kw_only=True)
class NeuralSettings:
    """How a network is trained.

    loss: what is minimised for arcs: `local` is a softmax over the heads of each word, `crf` is
        the negative log-likelihood of trees, `hinge` the margin of cost-augmented search.
    decoder: `projective` or `non-projective` search; `auto` decides by the share of crossing arcs.
    epochs: number of training epochs; by default more for smaller treebanks.
    seed: random seed for initial weights, dropout and shuffling.
    batch_words: words of a batch; by default more for larger treebanks.
    learning_rate: highest learning rate of Adam.
    weight_decay: of each step, as a share of the learning rate.
    smoothing: share of the probability that training gives to all other heads and relations.
    neighbours: what it counts in training to guess the words before and after each word from what
        the first layer has read up to there; 0 is nothing.
    averaging: share of the old average of weights that each step keeps; averages are what is saved.
    min_count: how often a word must occur to have an embedding of its own.
    max_vectors: number of pretrained vectors that are kept, the first ones of their file.
    single_root: whether trees have exactly one root; by default as in the training data.
    partial: whether words without a head are left open, instead of being an error: `local` skips
        them, `crf` sums over all trees that agree with the given heads, `hinge` takes the best one.
    device: `cpu`, `cuda`, or `auto`: an accelerator if JAX finds one.
    """

    loss: LossName = "local"
    decoder: Literal["auto", "projective", "non-projective"] = "auto"
    epochs: int | None = None
    seed: int = 0
    batch_words: int | None = None
    learning_rate: float = 5e-3
    weight_decay: float = 0.0
    smoothing: float = 0.05
    neighbours: float = 0.3
    averaging: float = 0.998
    min_count: int = 2
    max_vectors: int = 100_000
    single_root: bool | None = None
    partial: bool = False
    sizes: NetworkSizes = NetworkSizes()
    dropout: DropoutRates = DropoutRates()
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def check(self) -> None:
        check_types(self)
        self.sizes.check()
        self.dropout.check()
        check_counts(
            self,
            {
                "epochs": (1, MAX_EPOCHS),
                "seed": (0, (1 << 31) - 1),
                "batch_words": (100, 100_000),
                "min_count": (1, 1_000_000),
                "max_vectors": (0, 10_000_000),
            },
        )
        check_positive(self, "learning_rate")
        check_not_negative(self, "weight_decay", "smoothing", "averaging", "neighbours")
        for name in ("smoothing", "averaging"):
            if not getattr(self, name) < 1:
                raise UsageError(f"{name} must be below 1, not {getattr(self, name)}")

    def epochs_for(self, words: int) -> int:
        """The number of epochs for a treebank: small ones are seen more often."""
        if self.epochs is not None:
            return self.epochs
        minimum = 60 if words < MANY_WORDS else 20
        return round(min(max(60 * math.sqrt(200_000 / max(words, 1)), minimum), 120))

    def batch_for(self, words: int) -> int:
        """The words of a batch: at least 60 steps make an epoch, if a batch is large enough."""
        return self.batch_words or min(max(words // 60, 500), 2500)

"""A trained network at work: matrix products of whole numbers in NumPy, gates in a kernel.

Weights and activations are whole numbers of at most 127 in magnitude (`EXACT` in one place), kept
as float32: sums of products over up to 1,040 terms stay below 2²⁴, so that they are exact in any
order. What is not a whole number is computed element by element, in operations that IEEE 754
defines. So answers are the same to the bit whatever the batch, the number of threads, the BLAS and
the machine. `learners.neural.network` has the formulas.

With `levels` = 0 the same code computes with floats; tests compare that with the training library.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.neural.relations import add_products
from headwise.scoring.neural.encoder import TOKENS_AT_A_TIME, Encoder
from headwise.scoring.neural.layers import LEVELS, Floats, HiddenLayer, Layer, directions, whole
from headwise.scoring.neural.vocabulary import TAG_COLUMNS
from headwise.scoring.neural.wordfeatures import Indices

HIDDEN = ("arcs.heads", "arcs.modifiers", "relations.heads", "relations.modifiers", "tagging")
"""The names of hidden layers."""

LINEAR = ("arcs.product", "relations.from-heads", "relations.from-modifiers")
"""Those of layers that read hidden ones."""

CHARACTER_LAYER = "characters.window"
"""The name of one more, of networks that read characters."""

EXACT = 511
"""The largest whole number of turned modifiers: they are multiplied with heads, and no further."""

LONGEST_DISTANCE = 20
"""Arcs that are longer are scored like this."""

FROM_ROOT = 2 * LONGEST_DISTANCE + 1
"""The index of arcs from the root in the table of distances."""


class Encoding(ABC):
    """Sentences after the encoder, each beginning with its root, wherever the numbers are."""

    starts: NDArray[np.int64]

    @abstractmethod
    def on_cpu(self) -> "EncodedTokens":
        """What the network knows of their tokens."""

    def part(self, first: int, last: int) -> "EncodedTokens":
        """Some of the sentences."""
        return self.on_cpu().part(first, last)


@dataclass(frozen=True, eq=False)
class EncodedTokens(Encoding):
    """What the network knows of the tokens of some sentences."""

    starts: NDArray[np.int64]
    states: Floats  # [token, 2 H and embeddings of tags]
    heads: Floats  # of arcs, [token, dimension]
    modifiers: Floats  # turned
    relation_heads: Floats
    relation_modifiers: Floats
    tagging: Floats  # hidden layer of the taggers

    def on_cpu(self) -> "EncodedTokens":
        return self

    def part(self, first: int, last: int) -> "EncodedTokens":
        here = slice(int(self.starts[first]), int(self.starts[last]))
        of_tokens = (getattr(self, one.name)[here] for one in fields(self)[1:])  # after starts
        return EncodedTokens(self.starts[first : last + 1] - self.starts[first], *of_tokens)


@dataclass(frozen=True, eq=False)
class Network:
    """All layers of a network, made of named `arrays` and the `steps` of hidden layers.

    layers: those that read what the encoder gives, by name.
    relation_product: [dimension of modifier, dimension of head × relation].
    """

    arrays: Mapping[str, NDArray[Any]]
    steps: Mapping[str, float]
    encoder: Encoder
    layers: Mapping[str, Layer | HiddenLayer]
    relation_product: Floats

    @property
    def on_accelerator(self) -> bool:
        """Whether another device than the CPU computes it."""
        return False

    @classmethod
    def of(
        cls, arrays: Mapping[str, NDArray[Any]], steps: Mapping[str, float], levels: int = LEVELS
    ) -> "Network":
        """The network of named arrays; `steps` are those of hidden layers and of `arcs`."""

        def layer(name: str) -> Layer:
            return Layer(arrays[name], arrays[f"{name}.scale"], arrays[f"{name}.bias"])

        def hidden(name: str) -> HiddenLayer:
            return HiddenLayer(layer(name), steps[name])

        tables = {name: arrays[name] for name in ("words", "vectors", "hashed")}
        columns = [name for name in TAG_COLUMNS if f"tagging.{name}" in arrays]
        reads_characters = CHARACTER_LAYER in arrays
        if reads_characters:
            tables["characters"] = arrays["characters"]
        tables |= {f"tags.{name}": arrays[f"tags.{name}"] for name in columns}
        layers = sum(f"encoder.{number}.input" in arrays for number in range(len(arrays)))
        encoder = Encoder(
            tables=tables,
            layers=tuple(directions(arrays, number) for number in range(layers)),
            tagging=hidden("tagging"),
            taggers={name: layer(f"tagging.{name}") for name in columns},
            characters=hidden(CHARACTER_LAYER) if reads_characters else None,
            levels=levels,
        )
        found: dict[str, Layer | HiddenLayer] = {name: hidden(name) for name in HIDDEN}
        return cls(
            arrays=arrays,
            steps=steps,
            encoder=encoder,
            layers=found | {name: layer(name) for name in LINEAR},
            relation_product=np.ascontiguousarray(arrays["relations.product"], np.float32),
        )

    @property
    def taggers(self) -> Mapping[str, Layer]:
        """The layers that score tags, by column."""
        return self.encoder.taggers

    def encode(self, starts: NDArray[np.int64], features: Indices, tags: Indices) -> Encoding:
        """Run the encoder over sentences; `tags` are those that are given, -1 where none is."""
        layers, size = self.layers, self.arrays["arcs.heads"].shape[0]
        states, tagging = self.encoder.states(starts, features, tags, size)
        turned = layers["arcs.product"](layers["arcs.modifiers"](states))
        if self.encoder.levels:
            turned = whole(turned, self.steps["arcs"], EXACT)
        return EncodedTokens(
            starts,
            states,
            layers["arcs.heads"](states),
            turned,
            layers["relations.heads"](states),
            layers["relations.modifiers"](states),
            tagging,
        )

    def arc_scores(self, tokens: Encoding) -> NDArray[np.float64]:
        """The scores [head, modifier] of all sentences, flat, one after the other."""
        tokens = tokens.on_cpu()
        sizes = np.diff(tokens.starts)
        ends = np.cumsum(sizes**2)
        found = np.empty(int(ends[-1]) if len(ends) else 0)
        for start, size, end in zip(
            tokens.starts.tolist(), sizes.tolist(), ends.tolist(), strict=False
        ):
            here = slice(start, start + size)
            scores = tokens.heads[here] @ tokens.modifiers[here].T
            scores *= np.float32(self.steps["arcs"])
            self.add_distances(scores)
            found[end - size * size : end] = scores.ravel()
        return found

    def add_distances(self, scores: Floats) -> None:
        """Add the part of scores that depends on the distance between head and modifier."""
        size, table = len(scores), self.arrays["arcs.distance"]
        if size <= len(self._distances):
            scores += self._distances[:size, :size]
        else:  # long sentences: nothing as large as the scores is made
            scores[0] += table[FROM_ROOT]
            scores[1:] += between_words(table, size)[1:]

    @cached_property
    def _distances(self) -> Floats:
        return distance_scores(self.arrays["arcs.distance"], 128)

    def relation_scores(
        self, tokens: Encoding, heads: NDArray[np.int64]
    ) -> Iterator[tuple[slice, Floats]]:
        """Scores of relations to heads (rows of all tokens), some tokens at a time."""
        tokens, scale = tokens.on_cpu(), self.arrays["relations.product.scale"]
        from_heads = self.layers["relations.from-heads"]
        from_modifiers = self.layers["relations.from-modifiers"]
        sums = np.empty(len(scale), np.float32)
        for start in range(0, len(heads), TOKENS_AT_A_TIME // 2):
            here = slice(start, start + TOKENS_AT_A_TIME // 2)
            modifiers = tokens.relation_modifiers[here]
            chosen = np.ascontiguousarray(heads[here])
            turned = (modifiers @ self.relation_product).reshape(len(modifiers), -1, len(scale))
            scores = from_modifiers(modifiers)
            scores += from_heads(tokens.relation_heads[chosen])
            add_products(turned, scale, tokens.relation_heads, chosen, sums, scores)
            yield here, scores

    def best_relations(
        self, tokens: Encoding, heads: NDArray[np.int64], forbidden: Floats
    ) -> NDArray[np.int64]:
        """The indices of the best relations of all tokens to heads (rows of all tokens).

        forbidden: what is added to scores, [is the head the root, relation].
        """
        of_root = np.isin(heads, tokens.starts[:-1]).astype(np.int64)
        found = np.empty(len(heads), np.int64)
        for here, scores in self.relation_scores(tokens, heads):
            scores += forbidden[of_root[here]]
            found[here] = scores.argmax(axis=1)
        return found

    def tag_scores(self, tokens: Encoding) -> Iterator[tuple[slice, dict[str, Floats]]]:
        """Scores of tags by column, some tokens at a time."""
        tagging = tokens.on_cpu().tagging
        for start in range(0, len(tagging), TOKENS_AT_A_TIME):
            here = slice(start, start + TOKENS_AT_A_TIME)
            hidden = tagging[here]
            yield here, {name: tagger(hidden) for name, tagger in self.taggers.items()}

    def best_tags(self, tokens: Encoding) -> dict[str, NDArray[np.int64]]:
        """The indices of the best tags of all tokens by column."""
        found = {name: np.empty(int(tokens.starts[-1]), np.int64) for name in self.taggers}
        for here, scores in self.tag_scores(tokens):
            for name, own in scores.items():
                found[name][here] = own.argmax(axis=1)
        return found


def distance_scores(table: Floats, size: int) -> Floats:
    """The scores of distances [head, modifier] in a sentence of `size` tokens."""
    found = between_words(table, size).copy()
    found[0] = table[FROM_ROOT]
    return found


def between_words(table: Floats, size: int) -> Floats:
    """The scores of distances [head, modifier] of words: a view, whose rows share their numbers."""
    distances = np.clip(np.arange(1 - size, size), -LONGEST_DISTANCE, LONGEST_DISTANCE)
    by_distance: Floats = table[distances + LONGEST_DISTANCE]
    return np.lib.stride_tricks.sliding_window_view(by_distance, size)[::-1]

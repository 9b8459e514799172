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
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.neural.lstm import lstm_step
from headwise.kernels.neural.relations import add_products
from headwise.kernels.neural.shares import tag_shares
from headwise.scoring.neural.characters import NOTHING, windows
from headwise.scoring.neural.vocabulary import TAG_COLUMNS
from headwise.scoring.neural.wordfeatures import (
    FIRST_CHARACTER_COLUMN,
    FIRST_HASHED,
    HASHED,
    SLOTS,
    VECTOR,
    WORD,
    Indices,
)

Floats = NDArray[np.float32]

HIDDEN = ("arcs.heads", "arcs.modifiers", "relations.heads", "relations.modifiers", "tagging")
"""The names of hidden layers."""

CHARACTER_LAYER = "characters.window"
"""The name of one more, of networks that read characters."""

LEVELS = 127
"""The largest whole number of weights and activations."""

MAX_INPUTS = 1040
"""Inputs of a layer: sums of this many products of whole numbers are exact in float32."""

EXACT = 511
"""The largest whole number of turned modifiers: they are multiplied with heads, and no further."""

SENTENCES_AT_A_TIME = 128
TOKENS_AT_A_TIME = 4096
"""Of a chunk that goes through the encoder together: more would not stay in the cache."""

WORDS_AT_A_TIME = 256
"""Whose characters are read together: there are many values of each."""

LONGEST_DISTANCE = 20
"""Arcs that are longer are scored like this."""

FROM_ROOT = 2 * LONGEST_DISTANCE + 1
"""The index of arcs from the root in the table of distances."""


@dataclass(frozen=True, eq=False)
class Layer:
    """x → x · weights · scale + bias; a scale and a bias for each output."""

    weights: NDArray[Any]
    scale: Floats
    bias: Floats

    @cached_property
    def floats(self) -> Floats:
        """The weights as BLAS wants them."""
        return np.ascontiguousarray(self.weights, np.float32)

    def __call__(self, x: Floats) -> Floats:
        found = x @ self.floats
        found *= self.scale
        found += self.bias
        return found


@dataclass(frozen=True, eq=False)
class HiddenLayer:
    """A layer whose outputs, cut at 0, are whole numbers of steps again."""

    layer: Layer
    step: float

    def __call__(self, x: Floats) -> Floats:
        """The outputs as whole numbers; as they are if the step is 0."""
        found = np.maximum(self.layer(x), 0.0)
        return found if self.step == 0 else whole(found, self.step, LEVELS)


@dataclass(frozen=True, eq=False)
class Recurrent:
    """One direction of a layer of the encoder; its inputs are made before."""

    inputs: Layer
    weights: NDArray[Any]
    scale: Floats

    @cached_property
    def floats(self) -> Floats:
        """The weights as BLAS wants them."""
        return np.ascontiguousarray(self.weights, np.float32)


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
        return EncodedTokens(
            self.starts[first : last + 1] - self.starts[first],
            self.states[here],
            self.heads[here],
            self.modifiers[here],
            self.relation_heads[here],
            self.relation_modifiers[here],
            self.tagging[here],
        )


@dataclass(frozen=True, eq=False)
class Network:
    """All layers of a network.

    tables: embeddings: `words`, `vectors`, `hashed`, `characters` if they are read, and `tags.…` of
        columns that may be given.
    encoder: layers of two directions.
    arc_step: what products of whole numbers of heads and modifiers are multiplied by.
    relation_product: [dimension of modifier, dimension of head × relation], times
        `relation_scale` of the relation.
    levels: the largest whole number of states; 0 if the network computes with floats.
    """

    tables: Mapping[str, NDArray[Any]]
    encoder: tuple[tuple[Recurrent, Recurrent], ...]
    arc_heads: HiddenLayer
    arc_modifiers: HiddenLayer
    arc_product: Layer
    arc_step: float
    distance: Floats
    relation_heads: HiddenLayer
    relation_modifiers: HiddenLayer
    relation_product: Floats
    relation_scale: Floats
    from_heads: Layer
    from_modifiers: Layer
    tagging: HiddenLayer
    taggers: Mapping[str, Layer]
    characters: HiddenLayer | None = None
    levels: int = LEVELS

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
        encoder = [directions(arrays, number) for number in range(count_layers(arrays))]
        return cls(
            tables=tables,
            encoder=tuple(encoder),
            arc_heads=hidden("arcs.heads"),
            arc_modifiers=hidden("arcs.modifiers"),
            arc_product=layer("arcs.product"),
            arc_step=steps["arcs"],
            distance=arrays["arcs.distance"],
            relation_heads=hidden("relations.heads"),
            relation_modifiers=hidden("relations.modifiers"),
            relation_product=np.ascontiguousarray(arrays["relations.product"], np.float32),
            relation_scale=arrays["relations.product.scale"],
            from_heads=layer("relations.from-heads"),
            from_modifiers=layer("relations.from-modifiers"),
            tagging=hidden("tagging"),
            taggers={name: layer(f"tagging.{name}") for name in columns},
            characters=hidden(CHARACTER_LAYER) if reads_characters else None,
            levels=levels,
        )

    def encode(self, starts: NDArray[np.int64], features: Indices, tags: Indices) -> Encoding:
        """Run the encoder over sentences; `tags` are those that are given, -1 where none is."""
        states = np.empty((len(features), self.arc_heads.layer.weights.shape[0]), np.float32)
        tagging = np.empty((len(features), self.tagging.layer.weights.shape[1]), np.float32)
        for chunk in chunks(starts):
            self.encode_chunk(starts, chunk, features, tags, states, tagging)
        heads = self.arc_heads(states)
        turned = self.arc_product(self.arc_modifiers(states))
        if self.levels:
            turned = whole(turned, self.arc_step, EXACT)
        return EncodedTokens(
            starts,
            states,
            heads,
            turned,
            self.relation_heads(states),
            self.relation_modifiers(states),
            tagging,
        )

    def encode_chunk(
        self,
        starts: NDArray[np.int64],
        chunk: NDArray[np.int64],
        features: Indices,
        tags: Indices,
        states: Floats,
        tagging: Floats,
    ) -> None:
        """Run the encoder over some sentences, the longest first.

        OUT: their states, and the hidden layer of their taggers. All that comes after the first
        layer reads tags beside its states.
        """
        places = np.concatenate([np.arange(starts[s], starts[s + 1]) for s in chunk.tolist()])
        sizes = np.diff(starts)[chunk]
        own_starts = np.cumsum([0, *sizes[:-1]])
        gates, index = self.distinct_inputs(features[places])
        outputs = np.empty((len(places), states.shape[1]), np.float32)
        both_ways = 2 * self.encoder[0][0].weights.shape[0]
        for number, both in enumerate(self.encoder):
            if number:
                gates, index = [one.inputs(outputs) for one in both], np.arange(len(places))
            for direction, recurrent in enumerate(both):
                own = gates[direction]
                self.run(recurrent, direction, own, index, own_starts, sizes, outputs)
            if number == 0:
                hidden = self.tagging(outputs[:, :both_ways])
                outputs[:, both_ways:] = self.embedded_tags(hidden, tags[places])
                tagging[places] = hidden
        states[places] = outputs

    def run(
        self,
        recurrent: Recurrent,
        direction: int,
        gates: Floats,
        index: NDArray[np.int64],
        starts: NDArray[np.int64],
        sizes: NDArray[np.int64],
        outputs: Floats,
    ) -> None:
        """Run one direction over sentences, the longest first. OUT: outputs, [token, 2 H]."""
        units = recurrent.weights.shape[0]
        cells = np.zeros((len(sizes), units), np.float32)
        current = np.zeros((len(sizes), units), np.float32)
        products = np.empty((len(sizes), 4 * units), np.float32)
        levels = np.float32(self.levels)
        going = np.searchsorted(-sizes, -np.arange(sizes[0]), side="left")
        for step, count in enumerate(going.tolist()):
            here = starts[:count] + (step if direction == 0 else sizes[:count] - 1 - step)
            np.matmul(current[:count], recurrent.floats, out=products[:count])
            lstm_step(
                gates,
                index[here],
                products,
                recurrent.scale,
                levels,
                cells,
                current,
                here,
                direction * units,
                outputs,
            )

    def distinct_inputs(self, features: Indices) -> tuple[list[Floats], NDArray[np.int64]]:
        """Inputs of the gates of all different words, by direction; and which one each token is.

        They depend on the word alone, and most words come more than once.
        """
        rows = np.ascontiguousarray(features)
        keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
        _, first, index = np.unique(keys, return_index=True, return_inverse=True)
        embedded = self.embedded(features[first])
        return [one.inputs(embedded) for one in self.encoder[0]], index.ravel()

    def embedded(self, features: Indices) -> Floats:
        """Embeddings of words side by side: word, vector, hashed features, characters."""
        parts = [self.tables["words"][features[:, WORD]]]
        if self.tables["vectors"].shape[1]:
            parts.append(self.tables["vectors"][features[:, VECTOR]])
        slots = features[:, FIRST_HASHED:FIRST_CHARACTER_COLUMN] + SLOTS * np.arange(len(HASHED))
        parts.append(self.tables["hashed"][slots].reshape(len(features), -1))
        if self.characters is not None:
            parts.append(self.read_characters(self.characters, features))
        return np.concatenate(parts, axis=1, dtype=np.float32)

    def read_characters(self, convolution: HiddenLayer, features: Indices) -> Floats:
        """The largest values of the convolution over characters: [word, dimension]."""
        characters = features[:, FIRST_CHARACTER_COLUMN:]
        found = np.empty((len(features), len(convolution.layer.scale)), np.float32)
        for start in range(0, len(features), WORDS_AT_A_TIME):
            own = characters[start : start + WORDS_AT_A_TIME]
            values = convolution(windows(self.tables["characters"][own].astype(np.float32)))
            values *= (own != NOTHING)[:, :, np.newaxis]
            found[start : start + WORDS_AT_A_TIME] = values.max(axis=1)
        return found

    def embedded_tags(self, hidden: Floats, given: Indices) -> Floats:
        """Embeddings of tags side by side: of those that are given, else expected ones."""
        parts = [np.empty((len(hidden), 0), np.float32)]
        for name, tagger in self.taggers.items():
            table = self.tag_tables[name]
            shares = tagger(hidden)
            tag_shares(shares, np.float32(self.levels))
            expected = shares @ table
            if self.levels:
                expected = whole(expected, float(self.levels), LEVELS)
            own = given[:, TAG_COLUMNS.index(name)]
            is_given = own >= 0
            expected[is_given] = table[own[is_given]]
            parts.append(expected)
        return np.concatenate(parts, axis=1)

    @cached_property
    def tag_tables(self) -> dict[str, Floats]:
        """The embeddings of tags as BLAS wants them."""
        return {
            name: np.ascontiguousarray(self.tables[f"tags.{name}"], np.float32)
            for name in self.taggers
        }

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
            scores *= np.float32(self.arc_step)
            self.add_distances(scores)
            found[end - size * size : end] = scores.ravel()
        return found

    def add_distances(self, scores: Floats) -> None:
        """Add the part of scores that depends on the distance between head and modifier."""
        size = len(scores)
        if size <= len(self._distances):
            scores += self._distances[:size, :size]
        else:  # long sentences: nothing as large as the scores is made
            scores[0] += self.distance[FROM_ROOT]
            scores[1:] += between_words(self.distance, size)[1:]

    @cached_property
    def _distances(self) -> Floats:
        return distance_scores(self.distance, 128)

    def relation_scores(
        self, tokens: Encoding, heads: NDArray[np.int64]
    ) -> Iterator[tuple[slice, Floats]]:
        """Scores of relations to heads (rows of all tokens), some tokens at a time."""
        tokens, labels = tokens.on_cpu(), len(self.relation_scale)
        sums = np.empty(labels, np.float32)
        for start in range(0, len(heads), TOKENS_AT_A_TIME // 2):
            here = slice(start, start + TOKENS_AT_A_TIME // 2)
            modifiers = tokens.relation_modifiers[here]
            chosen = np.ascontiguousarray(heads[here])
            turned = (modifiers @ self.relation_product).reshape(len(modifiers), -1, labels)
            scores = self.from_modifiers(modifiers)
            scores += self.from_heads(tokens.relation_heads[chosen])
            add_products(turned, self.relation_scale, tokens.relation_heads, chosen, sums, scores)
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


def count_layers(arrays: Mapping[str, NDArray[Any]]) -> int:
    """The layers of the encoder that named arrays have."""
    return sum(f"encoder.{number}.input" in arrays for number in range(len(arrays)))


def directions(arrays: Mapping[str, NDArray[Any]], number: int) -> tuple[Recurrent, Recurrent]:
    """Both directions of a layer."""
    weights, scale, bias = (arrays[f"encoder.{number}.{one}"] for one in INPUT)
    recurrent, own_scale = (arrays[f"encoder.{number}.{one}"] for one in RECURRENT)
    forwards, backwards = (
        Recurrent(Layer(weights[d], scale[d], bias[d]), recurrent[d], own_scale[d])
        for d in range(2)
    )
    return forwards, backwards


INPUT = ("input", "input.scale", "input.bias")
RECURRENT = ("recurrent", "recurrent.scale")


def whole(x: Floats, step: float, maximum: int) -> Floats:
    """Numbers as whole numbers of steps, at most `maximum` in magnitude."""
    x *= np.float32(1.0 / step)
    np.rint(x, out=x)
    return np.clip(x, -maximum, maximum, out=x)


def chunks(starts: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Sentences in chunks of similar length, the longest first."""
    sizes = np.diff(starts)
    order = np.argsort(-sizes, kind="stable")
    first = 0
    while first < len(order):
        fitting = max(1, TOKENS_AT_A_TIME // int(sizes[order[first]]))
        last = first + min(fitting, SENTENCES_AT_A_TIME)
        yield order[first:last]
        first = last


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

"""The encoder of a network: words in, states of tokens out, and tags between its layers.

All that comes after the first layer reads tags beside its states: those that are given, or what the
taggers expect of its states.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.neural.lstm import lstm_step
from headwise.kernels.neural.shares import tag_shares
from headwise.scoring.neural.characters import NOTHING, windows
from headwise.scoring.neural.layers import LEVELS, Floats, HiddenLayer, Layer, Recurrent, whole
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

SENTENCES_AT_A_TIME = 128
TOKENS_AT_A_TIME = 4096
"""Of a chunk that goes through the encoder together: more would not stay in the cache."""

WORDS_AT_A_TIME = 256
"""Whose characters are read together: there are many values of each."""


@dataclass(frozen=True, eq=False)
class Encoder:
    """Layers of two directions, and what they read.

    tables: embeddings: `words`, `vectors`, `hashed`, `characters` if they are read, and `tags.…` of
        columns that may be given.
    tagging: the hidden layer of the taggers, which read states of the first layer.
    levels: the largest whole number of states; 0 if the network computes with floats.
    """

    tables: Mapping[str, NDArray[Any]]
    layers: tuple[tuple[Recurrent, Recurrent], ...]
    tagging: HiddenLayer
    taggers: Mapping[str, Layer]
    characters: HiddenLayer | None = None
    levels: int = LEVELS

    def states(
        self, starts: NDArray[np.int64], features: Indices, tags: Indices, size: int
    ) -> tuple[Floats, Floats]:
        """The states of all tokens, `size` numbers each, and the hidden layer of their taggers."""
        states = np.empty((len(features), size), np.float32)
        tagging = np.empty((len(features), self.tagging.layer.weights.shape[1]), np.float32)
        for chunk in chunks(starts):
            self.encode_chunk(starts, chunk, features, tags, states, tagging)
        return states, tagging

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

        OUT: their states, and the hidden layer of their taggers.
        """
        places = tokens_of(starts, chunk)
        sizes = np.diff(starts)[chunk]
        own_starts = np.cumsum([0, *sizes[:-1]])
        gates, index = self.distinct_inputs(features[places])
        outputs = np.empty((len(places), states.shape[1]), np.float32)
        both_ways = 2 * self.layers[0][0].weights.shape[0]
        for number, both in enumerate(self.layers):
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
        return [one.inputs(embedded) for one in self.layers[0]], index.ravel()

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


def tokens_of(starts: NDArray[np.int64], chunk: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tokens of some sentences, in the order of these."""
    return np.concatenate([np.arange(starts[s], starts[s + 1]) for s in chunk.tolist()])

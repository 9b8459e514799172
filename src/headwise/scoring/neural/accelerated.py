"""The network in whole numbers on an accelerator, by JAX: the same answers as `network` gives.

Sums of products of whole numbers are exact in any order, if float32 is float32 (`HIGHEST`). What is
not a whole number is computed element by element, by the operations of the kernels in their order.
One thing could change it: compilers for accelerators turn a·b + c into one operation that rounds
once. `rounded` keeps products apart from sums.

Sentences are packed into rows of a few lengths, several in a row, so that few shapes are compiled.
The first two dimensions of arrays are the position in a row and the row.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import Any, NamedTuple, Never

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.kernels.neural import lstm, shares
from headwise.scoring.neural.characters import NOTHING
from headwise.scoring.neural.network import (
    EXACT,
    FROM_ROOT,
    LEVELS,
    LONGEST_DISTANCE,
    EncodedTokens,
    Floats,
    HiddenLayer,
    Layer,
    Network,
)
from headwise.scoring.neural.vocabulary import ABSENT, TAG_COLUMNS
from headwise.scoring.neural.wordfeatures import (
    FIRST_CHARACTER_COLUMN,
    FIRST_HASHED,
    HASHED,
    SLOTS,
    VECTOR,
    WORD,
    Indices,
)

LENGTHS = (128, 512, 2048)
"""Tokens of a row: the shortest that holds the sentence is taken."""

MOST_TOKENS = 65_536
"""Of the rows that are computed together."""

MOST_ARCS = 2**24
"""Of the rows that are computed together: long ones are few."""

Array = jax.Array
Weights = Mapping[str, Any]


class Rows(NamedTuple):
    """Where sentences are in rows that are computed together.

    sentences: their numbers; `rows` and `offsets` say where each starts.
    tokens: the numbers of all their tokens; `places` says where each is, counting row by row
        within the first position, then within the second, and so on.
    """

    shape: tuple[int, int]
    sentences: NDArray[np.int64]
    rows: NDArray[np.int64]
    offsets: NDArray[np.int64]
    tokens: NDArray[np.int64]
    places: NDArray[np.int64]

    def filled(self, values: NDArray[Any], empty: int = 0) -> NDArray[Any]:
        """Values of tokens in their places."""
        found = np.full((self.shape[0] * self.shape[1], *values.shape[1:]), empty, values.dtype)
        found[self.places] = values[self.tokens]
        return found.reshape(*self.shape, *values.shape[1:])


class Outputs(NamedTuple):
    """What the network says of the tokens of rows; whole numbers, and `tags` the best ones.

    arcs: [row, head, modifier]; between sentences of a row they mean nothing.
    """

    arcs: Array
    tags: dict[str, Array]
    states: Array
    heads: Array
    modifiers: Array
    relation_heads: Array
    relation_modifiers: Array
    tagging: Array


class TokensThere(EncodedTokens):
    """Encoded tokens on the accelerator, which come from there when they are asked for."""

    pieces: list[tuple[Rows, Outputs]]

    def __init__(self, starts: NDArray[np.int64], pieces: list[tuple[Rows, Outputs]]) -> None:
        """Sentences, and the rows that they are in."""
        object.__setattr__(self, "starts", starts)
        object.__setattr__(self, "pieces", pieces)

    def __getattr__(self, name: str) -> Floats:
        """What the network knows of all tokens."""
        if name not in Outputs._fields:
            raise AttributeError(name)
        found: Floats = self.fetched(lambda outputs: getattr(outputs, name), np.float32)
        object.__setattr__(self, name, found)
        return found

    def fetched(self, choose: Callable[[Outputs], Array], kind: Any) -> NDArray[Any]:
        """Some output of all tokens."""
        pieces = [(rows, choose(outputs)) for rows, outputs in self.pieces]
        return gathered(int(self.starts[-1]), pieces, kind)


def gathered(count: int, pieces: list[tuple[Rows, Array]], kind: Any) -> NDArray[Any]:
    """What has been computed for rows, of all tokens one after the other."""
    found = np.empty((count, *pieces[0][1].shape[2:]), kind)
    for rows, values in pieces:
        own = np.asarray(values)
        found[rows.tokens] = own.reshape(-1, *own.shape[2:])[rows.places]
    return found


@dataclass(frozen=True, eq=False, kw_only=True)
class AcceleratedNetwork(Network):
    """A network that encodes, and chooses tags and relations, on a device of JAX."""

    device: Any
    most_tokens: int = MOST_TOKENS

    @classmethod
    def at(cls, network: Network, device: Any, most_tokens: int = MOST_TOKENS) -> Network:
        """A network on a device."""
        own = {one.name: getattr(network, one.name) for one in fields(Network)}
        return cls(**own, device=device, most_tokens=most_tokens)

    @property
    def on_accelerator(self) -> bool:
        """Whether another device than the CPU computes it."""
        return True

    def __reduce__(self) -> Never:
        """Other processes would need the device too."""
        raise UsageError(
            "a model on an accelerator works in one process: use threads (jobs=…), not processes"
        )

    @cached_property
    def weights(self) -> Weights:
        """All arrays, on the device."""
        with jax.default_device(self.device):
            return weights_of(self)

    def encode(self, starts: NDArray[np.int64], features: Indices, tags: Indices) -> EncodedTokens:
        """Begin to run the encoder over sentences; what it finds is waited for where it is used."""
        pieces = []
        if not len(features):
            return super().encode(starts, features, tags)
        ends = np.zeros((len(features), 2), np.bool_)
        ends[starts[:-1], 0] = ends[starts[1:] - 1, 1] = True
        for rows in packed(starts, self.most_tokens):
            given = rows.filled(features), rows.filled(tags, ABSENT), rows.filled(ends)
            pieces.append((rows, encoded(self.weights, *self.there(*given))))
        return TokensThere(starts, pieces)

    def there(self, *arrays: NDArray[Any]) -> list[Array]:
        """Arrays on the device."""
        found: list[Array] = jax.device_put(list(arrays), self.device)
        return found

    def arc_scores(self, tokens: EncodedTokens) -> NDArray[np.float64]:
        """The scores [head, modifier] of all sentences, flat, one after the other."""
        if not isinstance(tokens, TokensThere):
            return super().arc_scores(tokens)
        sizes = np.diff(tokens.starts)
        ends = np.cumsum(sizes**2)
        found = np.empty(int(ends[-1]))
        for rows, outputs in tokens.pieces:
            arcs = np.asarray(outputs.arcs)
            own = (ends[rows.sentences], sizes[rows.sentences], rows.rows, rows.offsets)
            for end, size, row, start in zip(*(one.tolist() for one in own), strict=True):
                here = found[end - size * size : end].reshape(size, size)
                here[:] = arcs[row, start : start + size, start : start + size]
        return found

    def best_tags(self, tokens: EncodedTokens) -> dict[str, NDArray[np.int64]]:
        """The indices of the best tags of all tokens by column."""
        if not isinstance(tokens, TokensThere):
            return super().best_tags(tokens)
        return {
            name: tokens.fetched(lambda outputs: outputs.tags[name], np.int64)  # noqa: B023
            for name in self.taggers
        }

    def best_relations(
        self, tokens: EncodedTokens, heads: NDArray[np.int64], forbidden: Floats
    ) -> NDArray[np.int64]:
        """The indices of the best relations of all tokens to heads (rows of all tokens)."""
        if not isinstance(tokens, TokensThere):
            return super().best_relations(tokens, heads, forbidden)
        of_root = np.isin(heads, tokens.starts[:-1]).astype(np.int32)
        position = np.empty(len(heads), np.int32)
        for rows, _ in tokens.pieces:
            position[rows.tokens] = rows.places // rows.shape[1]
        found = []
        for rows, outputs in tokens.pieces:
            chosen = self.there(rows.filled(position[heads]), rows.filled(of_root), forbidden)
            own = (outputs.relation_heads, outputs.relation_modifiers)
            found.append((rows, best_relations(self.weights, *own, *chosen)))
        return gathered(len(heads), found, np.int64)


def packed(starts: NDArray[np.int64], most_tokens: int = MOST_TOKENS) -> Iterator[Rows]:
    """Sentences in rows: the next one begins a row if it is too long for the last."""
    sizes = np.diff(starts)
    least = 0
    for length in LENGTHS:
        own = np.flatnonzero((sizes > least) & (sizes <= length))
        least = length
        numbers, offsets = next_fit(sizes[own].tolist(), length)
        count = max(1, min(most_tokens // length, MOST_ARCS // length**2))
        bounds = np.searchsorted(numbers, np.arange(0, numbers.max(initial=-1) + 1 + count, count))
        for first, last in zip(bounds.tolist(), bounds[1:].tolist(), strict=False):
            sentences, rows, begins = own[first:last], numbers[first:last], offsets[first:last]
            rows = rows % count
            lengths = sizes[sentences]
            within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            tokens = np.repeat(starts[sentences], lengths) + within
            places = (np.repeat(begins, lengths) + within) * count + np.repeat(rows, lengths)
            yield Rows((length, count), sentences, rows, begins, tokens, places)


def next_fit(sizes: list[int], length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row of each sentence, and where it starts there."""
    row = place = 0
    rows, offsets = [], []
    for size in sizes:
        if place + size > length:
            row, place = row + 1, 0
        rows.append(row)
        offsets.append(place)
        place += size
    return np.array(rows, np.int64), np.array(offsets, np.int64)


def weights_of(network: Network) -> Weights:
    """All arrays of a network that the functions below read, on the default device."""

    def layer(one: Layer) -> dict[str, Any]:
        return {"weights": one.weights, "scale": one.scale, "bias": one.bias}

    def hidden(one: HiddenLayer) -> dict[str, Any]:
        return {**layer(one.layer), "factor": np.float32(1.0 / one.step)}

    encoder = [
        {
            "inputs": [layer(one.inputs) for one in both],
            "recurrent": np.stack([one.weights for one in both]),
            "scale": np.stack([one.scale for one in both])[:, np.newaxis],
        }
        for both in network.encoder
    ]
    dimensions = len(network.relation_product)
    product = network.relation_product.reshape(dimensions, -1, len(network.relation_scale))
    found = {
        "largest": np.finfo(np.float32).max,
        "tables": dict(network.tables),
        "encoder": encoder,
        "arcs": {
            "heads": hidden(network.arc_heads),
            "modifiers": hidden(network.arc_modifiers),
            "product": layer(network.arc_product),
            "factor": np.float32(1.0 / network.arc_step),
            "step": np.float32(network.arc_step),
            "distance": network.distance,
        },
        "relations": {
            "heads": hidden(network.relation_heads),
            "modifiers": hidden(network.relation_modifiers),
            "product": product.transpose(1, 0, 2),  # [dimension of head, of modifier, relation]
            "scale": network.relation_scale,
            "from heads": layer(network.from_heads),
            "from modifiers": layer(network.from_modifiers),
        },
        "tagging": hidden(network.tagging),
        "taggers": {name: layer(one) for name, one in network.taggers.items()},
    }
    if network.characters is not None:
        found["characters"] = hidden(network.characters)
    weights: Weights = jax.tree.map(jnp.asarray, found)
    return weights


def rounded(weights: Weights, product: Array) -> Array:
    """A product that is rounded before anything is added to it.

    The compiler does not know that the limit, an argument, is the largest of all numbers.
    """
    return jnp.minimum(product, weights["largest"])


def exact(x: Array, matrix: Array) -> Array:
    """A product of matrices of whole numbers."""
    factors = x.astype(jnp.float32), matrix.astype(jnp.float32)
    return jnp.matmul(*factors, precision=jax.lax.Precision.HIGHEST)


def linear(weights: Weights, layer: Weights, x: Array) -> Array:
    """x · weights · scale + bias."""
    product = exact(x, layer["weights"]) * layer["scale"]
    found: Array = rounded(weights, product) + layer["bias"]
    return found


def whole(x: Array, factor: Array, most: int) -> Array:
    """Numbers as whole numbers of steps, at most `most` in magnitude."""
    return jnp.clip(jnp.rint(x * factor), -most, most)


def hidden(weights: Weights, layer: Weights, x: Array) -> Array:
    """A hidden layer in whole numbers."""
    return whole(jnp.maximum(linear(weights, layer, x), 0.0), layer["factor"], LEVELS)


@jax.jit
def encoded(weights: Weights, features: Array, tags: Array, ends: Array) -> Outputs:
    """Rows of tokens; `ends` says which are the first and which the last of their sentences."""
    x = bilstm(weights, weights["encoder"][0], embedded(weights, features), ends)
    tagging = hidden(weights, weights["tagging"], x)
    scores = {name: linear(weights, one, tagging) for name, one in weights["taggers"].items()}
    tagged = embedded_tags(weights, scores, tags)
    x = jnp.concatenate([x, tagged], axis=-1)
    for layer in weights["encoder"][1:]:
        x = jnp.concatenate([bilstm(weights, layer, x, ends), tagged], axis=-1)
    arcs, relations = weights["arcs"], weights["relations"]
    heads = hidden(weights, arcs["heads"], x)
    turned = linear(weights, arcs["product"], hidden(weights, arcs["modifiers"], x))
    turned = whole(turned, arcs["factor"], EXACT)
    return Outputs(
        arcs=arc_scores(weights, heads, turned, ends[..., 0]),
        tags={name: jnp.argmax(own, axis=-1).astype(jnp.int16) for name, own in scores.items()},
        states=x.astype(jnp.int8),
        heads=heads.astype(jnp.int8),
        modifiers=turned.astype(jnp.int16),
        relation_heads=hidden(weights, relations["heads"], x).astype(jnp.int8),
        relation_modifiers=hidden(weights, relations["modifiers"], x).astype(jnp.int8),
        tagging=tagging.astype(jnp.int8),
    )


def embedded(weights: Weights, features: Array) -> Array:
    """Embeddings of words side by side: word, vector, hashed features, characters."""
    tables = weights["tables"]
    slots = features[..., FIRST_HASHED:FIRST_CHARACTER_COLUMN] + SLOTS * jnp.arange(len(HASHED))
    parts = [
        tables["words"][features[..., WORD]],
        tables["vectors"][features[..., VECTOR]],
        tables["hashed"][slots].reshape(*features.shape[:2], -1),
    ]
    if "characters" in weights:
        read = partial(read_characters, weights)
        parts.append(jax.lax.map(read, features[..., FIRST_CHARACTER_COLUMN:]).astype(jnp.int8))
    return jnp.concatenate(parts, axis=-1)


def read_characters(weights: Weights, characters: Array) -> Array:
    """The largest values of the convolution over characters: [word, dimension]."""
    own = jnp.pad(weights["tables"]["characters"][characters], [(0, 0), (1, 1), (0, 0)])
    windows = jnp.concatenate([own[:, :-2], own[:, 1:-1], own[:, 2:]], axis=-1)
    values = hidden(weights, weights["characters"], windows)
    return jnp.max(values * (characters != NOTHING)[..., None], axis=1)


def embedded_tags(weights: Weights, scores: Mapping[str, Array], given: Array) -> Array:
    """Embeddings of tags side by side: of those that are given, else expected ones."""
    parts = [jnp.zeros((*given.shape[:2], 0), jnp.float32)]
    for column, name in enumerate(TAG_COLUMNS):
        if name in scores:
            table, own = weights["tables"][f"tags.{name}"], given[..., column, None]
            expected = exact(tag_shares(weights, scores[name]), table)
            expected = whole(expected, jnp.float32(1.0 / LEVELS), LEVELS)
            parts.append(jnp.where(own >= 0, table[own[..., 0]], expected))
    return jnp.concatenate(parts, axis=-1)


def tag_shares(weights: Weights, scores: Array) -> Array:
    """`kernels.neural.shares` of scores: the sum is one of floats, which has an order."""
    best = jnp.max(scores, axis=-1, keepdims=True)
    power = shares.ONE + shares.POWER * jnp.maximum(scores - best, shares.LEAST)
    for _ in range(shares.SQUARINGS):
        power = rounded(weights, power * power)
    total, _ = jax.lax.scan(
        lambda total, one: (total + one, None), jnp.zeros_like(best[..., 0]),
        jnp.moveaxis(power, -1, 0), unroll=8,
    )  # fmt: skip
    levels = np.float32(LEVELS)
    return jnp.floor(power * levels / total[..., None] + shares.HALF)


def bilstm(weights: Weights, layer: Weights, x: Array, ends: Array) -> Array:
    """A layer in both directions, which starts anew with every sentence: [position, row, 2 H].

    The second direction runs over rows turned around, so that one loop does both.
    """
    forwards, backwards = (linear(weights, one, x) for one in layer["inputs"])
    inputs = jnp.stack([forwards, backwards[::-1]], axis=1)
    going_on = jnp.stack([~ends[..., 0], ~ends[::-1, :, 1]], axis=1)[..., None]
    recurrent, scale = layer["recurrent"].astype(jnp.float32), layer["scale"]

    def step(state: tuple[Array, Array], now: tuple[Array, Array]) -> Any:
        gates, on = now
        h, c = (jnp.where(on, one, 0.0) for one in state)
        gates = gates + rounded(weights, exact(h, recurrent) * scale)
        i, f, o, z = jnp.split(gates, 4, axis=-1)
        kept, new = (sigmoid(weights, f) * c, sigmoid(weights, i) * tanh(weights, z))
        c = rounded(weights, kept) + rounded(weights, new)
        h = sigmoid(weights, o) * tanh(weights, c)
        h = jnp.floor(rounded(weights, h * np.float32(LEVELS)) + lstm.HALF)
        return (h, c), h.astype(jnp.int8)

    zero = jnp.zeros((2, x.shape[1], recurrent.shape[1]), jnp.float32)
    _, states = jax.lax.scan(step, (zero, zero), (inputs, going_on))
    return jnp.concatenate([states[:, 0], states[::-1, 1]], axis=-1)


def tanh(weights: Weights, x: Array) -> Array:
    """The hyperbolic tangent as `kernels.neural.lstm` has it."""
    x = jnp.clip(x, -lstm.WIDEST, lstm.WIDEST)
    y = rounded(weights, x * x)

    def times(a: Array | np.float32) -> Array:
        return rounded(weights, y * a)

    over = x * (lstm.A0 + times(lstm.A1 + times(lstm.A2 + y)))
    under = lstm.A0 + times(lstm.B1 + times(lstm.B2 + times(lstm.B3)))
    found: Array = over / under
    return found


def sigmoid(weights: Weights, x: Array) -> Array:
    """The logistic function as `kernels.neural.lstm` has it."""
    return lstm.HALF + lstm.HALF * tanh(weights, lstm.HALF * x)


def arc_scores(weights: Weights, heads: Array, modifiers: Array, first: Array) -> Array:
    """Scores of arcs of rows, [row, head, modifier]."""
    arcs = weights["arcs"]
    products = exact(heads.transpose(1, 0, 2), modifiers.transpose(1, 2, 0))
    places = jnp.arange(len(heads))
    distance = jnp.clip(places[None, :] - places[:, None], -LONGEST_DISTANCE, LONGEST_DISTANCE)
    kind = jnp.where(first.T[:, :, None], FROM_ROOT, distance[None] + LONGEST_DISTANCE)
    found: Array = rounded(weights, products * arcs["step"]) + arcs["distance"][kind]
    return found


@jax.jit
def best_relations(
    weights: Weights, heads: Array, modifiers: Array, chosen: Array, of_root: Array,
    forbidden: Array,
) -> Array:  # fmt: skip
    """The best relations of tokens of rows to heads, `chosen` by their position.

    forbidden: what is added to scores, [is the head the root, relation].
    """
    relations = weights["relations"]
    own = jnp.take_along_axis(heads, chosen[..., None], axis=0)

    def add(sums: Array, dimension: tuple[Array, Array]) -> tuple[Array, None]:
        factor, product = dimension
        return sums + rounded(weights, factor[..., None] * exact(modifiers, product)), None

    factors = jnp.moveaxis(own, -1, 0).astype(jnp.float32)
    zero = jnp.zeros((*chosen.shape, forbidden.shape[1]), jnp.float32)
    sums, _ = jax.lax.scan(add, zero, (factors, relations["product"]))
    scores = linear(weights, relations["from modifiers"], modifiers)
    scores += linear(weights, relations["from heads"], own)
    scores += rounded(weights, relations["scale"] * sums)
    return jnp.argmax(scores + forbidden[of_root], axis=-1).astype(jnp.int16)

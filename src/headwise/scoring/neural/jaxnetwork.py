"""The formulas of `network` in JAX: the same operations in the same order, and so the same numbers.

The first two dimensions of arrays are the position in a row and the row (`packing`). `weights` are
those of `weights_of`; all functions but this one are compiled for the device.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from headwise.kernels.neural import lstm, shares
from headwise.scoring.neural.characters import NOTHING
from headwise.scoring.neural.jaxarithmetic import Array, Weights, divided, exact, rounded
from headwise.scoring.neural.layers import LEVELS
from headwise.scoring.neural.network import (
    CHARACTER_LAYER,
    EXACT,
    FROM_ROOT,
    LONGEST_DISTANCE,
    Network,
)
from headwise.scoring.neural.vocabulary import TAG_COLUMNS
from headwise.scoring.neural.wordfeatures import (
    FIRST_CHARACTER_COLUMN,
    FIRST_HASHED,
    HASHED,
    SLOTS,
    VECTOR,
    WORD,
)


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


def weights_of(network: Network) -> Weights:
    """The arrays of a network under their names on the default device, and numbers of steps."""
    product = network.arrays["relations.product"]
    product = product.reshape(len(product), -1, len(network.arrays["relations.product.scale"]))
    found = {
        **network.arrays,
        "relations.product": product.transpose(
            1, 0, 2
        ),  # [dimension of head, of modifier, relation]
        "arcs.step": np.float32(network.steps["arcs"]),
        "largest": np.finfo(np.float32).max,
    }
    found |= {f"{name}.factor": np.float32(1.0 / step) for name, step in network.steps.items()}
    weights: Weights = jax.tree.map(jnp.asarray, found)
    return weights


def linear(weights: Weights, name: str, x: Array, direction: int | None = None) -> Array:
    """x · weights · scale + bias, of a layer, or of one direction of a layer."""
    layer = [weights[f"{name}{part}"] for part in ("", ".scale", ".bias")]
    matrix, scale, bias = layer if direction is None else [one[direction] for one in layer]
    found: Array = rounded(weights, exact(x, matrix) * scale) + bias
    return found


def whole(x: Array, factor: Array, maximum: int) -> Array:
    """Numbers as whole numbers of steps, at most `maximum` in magnitude."""
    return jnp.clip(jnp.rint(x * factor), -maximum, maximum)


def hidden(weights: Weights, name: str, x: Array) -> Array:
    """A hidden layer in whole numbers."""
    return whole(jnp.maximum(linear(weights, name, x), 0.0), weights[f"{name}.factor"], LEVELS)


@jax.jit
def encoded(weights: Weights, features: Array, tags: Array, ends: Array) -> Outputs:
    """Rows of tokens; `ends` says which are the first and which the last of their sentences."""
    x = bilstm(weights, 0, embedded(weights, features), ends)
    tagging = hidden(weights, "tagging", x)
    columns = [name for name in TAG_COLUMNS if f"tagging.{name}" in weights]
    scores = {name: linear(weights, f"tagging.{name}", tagging) for name in columns}
    tagged = embedded_tags(weights, scores, tags)
    x = jnp.concatenate([x, tagged], axis=-1)
    layer = 1
    while f"encoder.{layer}.input" in weights:
        x = jnp.concatenate([bilstm(weights, layer, x, ends), tagged], axis=-1)
        layer += 1
    heads = hidden(weights, "arcs.heads", x)
    turned = linear(weights, "arcs.product", hidden(weights, "arcs.modifiers", x))
    turned = whole(turned, weights["arcs.factor"], EXACT)
    return Outputs(
        arcs=arc_scores(weights, heads, turned, ends[..., 0]),
        tags={name: jnp.argmax(own, axis=-1).astype(jnp.int16) for name, own in scores.items()},
        states=x.astype(jnp.int8),
        heads=heads.astype(jnp.int8),
        modifiers=turned.astype(jnp.int16),
        relation_heads=hidden(weights, "relations.heads", x).astype(jnp.int8),
        relation_modifiers=hidden(weights, "relations.modifiers", x).astype(jnp.int8),
        tagging=tagging.astype(jnp.int8),
    )


def embedded(weights: Weights, features: Array) -> Array:
    """Embeddings of words side by side: word, vector, hashed features, characters."""
    slots = features[..., FIRST_HASHED:FIRST_CHARACTER_COLUMN] + SLOTS * jnp.arange(len(HASHED))
    parts = [
        weights["words"][features[..., WORD]],
        weights["vectors"][features[..., VECTOR]],
        weights["hashed"][slots].reshape(*features.shape[:2], -1),
    ]
    if "characters" in weights:
        read = partial(read_characters, weights)
        parts.append(jax.lax.map(read, features[..., FIRST_CHARACTER_COLUMN:]).astype(jnp.int8))
    return jnp.concatenate(parts, axis=-1)


def read_characters(weights: Weights, characters: Array) -> Array:
    """The largest values of the convolution over characters: [word, dimension]."""
    own = jnp.pad(weights["characters"][characters], [(0, 0), (1, 1), (0, 0)])
    windows = jnp.concatenate([own[:, :-2], own[:, 1:-1], own[:, 2:]], axis=-1)
    values = hidden(weights, CHARACTER_LAYER, windows)
    return jnp.max(values * (characters != NOTHING)[..., None], axis=1)


def embedded_tags(weights: Weights, scores: Mapping[str, Array], given: Array) -> Array:
    """Embeddings of tags side by side: of those that are given, else expected ones."""
    parts = [jnp.zeros((*given.shape[:2], 0), jnp.float32)]
    for column, name in enumerate(TAG_COLUMNS):
        if name in scores:
            table, own = weights[f"tags.{name}"], given[..., column, None]
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
    return jnp.floor(divided(power * levels, total[..., None]) + shares.HALF)


def bilstm(weights: Weights, layer: int, x: Array, ends: Array) -> Array:
    """A layer in both directions, which starts anew with every sentence: [position, row, 2 H].

    The second direction runs over rows turned around, so that one loop does both.
    """
    forwards, backwards = (linear(weights, f"encoder.{layer}.input", x, one) for one in range(2))
    inputs = jnp.stack([forwards, backwards[::-1]], axis=1)
    going_on = jnp.stack([~ends[..., 0], ~ends[::-1, :, 1]], axis=1)[..., None]
    recurrent = weights[f"encoder.{layer}.recurrent"].astype(jnp.float32)
    scale = weights[f"encoder.{layer}.recurrent.scale"][:, None]

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
    return divided(over, under)


def sigmoid(weights: Weights, x: Array) -> Array:
    """The logistic function as `kernels.neural.lstm` has it."""
    return lstm.HALF + lstm.HALF * tanh(weights, lstm.HALF * x)


def arc_scores(weights: Weights, heads: Array, modifiers: Array, first: Array) -> Array:
    """Scores of arcs of rows, [row, head, modifier]."""
    products = exact(heads.transpose(1, 0, 2), modifiers.transpose(1, 2, 0))
    places = jnp.arange(len(heads))
    distance = jnp.clip(places[None, :] - places[:, None], -LONGEST_DISTANCE, LONGEST_DISTANCE)
    kind = jnp.where(first.T[:, :, None], FROM_ROOT, distance[None] + LONGEST_DISTANCE)
    found: Array = rounded(weights, products * weights["arcs.step"])
    found += weights["arcs.distance"][kind]
    return found


@jax.jit
def best_relations(
    weights: Weights, heads: Array, modifiers: Array, chosen: Array, of_root: Array,
    forbidden: Array,
) -> Array:  # fmt: skip
    """The best relations of tokens of rows to heads, `chosen` by their position.

    forbidden: what is added to scores, [is the head the root, relation].
    """
    own = jnp.take_along_axis(heads, chosen[..., None], axis=0)

    def add(sums: Array, dimension: tuple[Array, Array]) -> tuple[Array, None]:
        factor, product = dimension
        return sums + rounded(weights, factor[..., None] * exact(modifiers, product)), None

    factors = jnp.moveaxis(own, -1, 0).astype(jnp.float32)
    zero = jnp.zeros((*chosen.shape, forbidden.shape[1]), jnp.float32)
    sums, _ = jax.lax.scan(add, zero, (factors, weights["relations.product"]))
    scores = linear(weights, "relations.from-modifiers", modifiers)
    scores += linear(weights, "relations.from-heads", own)
    scores += rounded(weights, weights["relations.product.scale"] * sums)
    return jnp.argmax(scores + forbidden[of_root], axis=-1).astype(jnp.int16)

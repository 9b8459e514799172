"""The network in JAX, for training: embeddings, BiLSTM encoder, biaffine arcs and relations, tags.

    x_t   = [embedding of the word; of its affixes, shape and form; vector; characters]
    g_t   = W x_t + R h_{t-1} + b                    gates i, f, o and candidate z, per direction
    c_t   = σ(f) c_{t-1} + σ(i) tanh(z)
    h_t   = σ(o) tanh(c_t)                           the next layer reads both directions
    arc   = a_h · (U a_m + u) + distance(h, m)       a_h, a_m: hidden layers of heads, modifiers
    label = r_m · V_l r_h + F r_h + M r_m + b        r_h, r_m: the same for relations

(Hochreiter & Schmidhuber 1997; Dozat & Manning 2017.) `scoring.neural.network` computes the same
in whole numbers; a test compares the two.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from numpy.typing import NDArray

from headwise.learners.neural.batches import Rows
from headwise.learners.neural.settings import DropoutRates
from headwise.scoring.neural.characters import NOTHING
from headwise.scoring.neural.network import CHARACTER_LAYER, FROM_ROOT, LONGEST_DISTANCE
from headwise.scoring.neural.vocabulary import ABSENT, TAG_COLUMNS
from headwise.scoring.neural.wordfeatures import (
    FIRST_CHARACTER_COLUMN,
    FIRST_HASHED,
    HASHED,
    VECTOR,
    WORD,
)

Array = jax.Array | NDArray[Any]
Parameters = Mapping[str, jax.Array]

FORBIDDEN = -1e9
"""The score of an arc that cannot be: finite, so that gradients are."""


MAX_MASKS = 16
"""Sentences of a row that have other units dropped than their neighbours."""


class Outputs(NamedTuple):
    """What the network says of rows of tokens.

    arcs: [row, head, modifier].
    heads, modifiers: hidden layers for relations, [row, position, dimension].
    tags: by column, [row, position, tag].
    first: states of the first layer, [row, position, 2 H].
    """

    arcs: jax.Array
    heads: jax.Array
    modifiers: jax.Array
    tags: dict[str, jax.Array]
    first: jax.Array


class Masks:
    """Draws what is dropped; without a key nothing is."""

    def __init__(self, key: jax.Array | None, sentence: Array) -> None:
        self.key, self.count, self.sentence = key, 0, sentence

    def keep(self, rate: float, shape: tuple[int, ...]) -> jax.Array | None:
        """Whether each of some things is kept; None if all are."""
        if self.key is None:
            return None
        self.count += 1
        return jax.random.bernoulli(jax.random.fold_in(self.key, self.count), 1 - rate, shape)

    def units(self, x: jax.Array, rate: float) -> jax.Array:
        """A layer with some units dropped, the same ones in the whole of a sentence."""
        kept = self.keep(rate, (x.shape[0], MAX_MASKS, x.shape[2]))
        if kept is None:
            return x
        own = jnp.take_along_axis(kept, self.sentence[:, :, None] % MAX_MASKS, axis=1)
        return x * own / (1 - rate)


def forward(
    parameters: Parameters,
    vectors: jax.Array,
    rows: Rows,
    tags: Array,
    dropout: DropoutRates,
    key: jax.Array | None = None,
) -> Outputs:
    """What the network says of rows; `tags` are those that it is given, `ABSENT` where none."""
    masks = Masks(key, rows.sentence)
    x = embedded(parameters, vectors, rows.features, dropout, masks)
    first = bilstm(parameters, 0, masks.units(x, dropout.layers), rows)
    x = masks.units(first, dropout.layers)

    def hidden(name: str) -> jax.Array:
        out = jax.nn.relu(x @ parameters[name] + parameters[f"{name}.bias"])
        return masks.units(out, dropout.layers)

    tagging = hidden("tagging")
    named = {
        name: tagging @ parameters[f"tagging.{name}"] + parameters[f"tagging.{name}.bias"]
        for name in TAG_COLUMNS
        if f"tagging.{name}" in parameters
    }
    tagged = masks.units(embedded_tags(parameters, named, tags), dropout.tag_units)
    x = jnp.concatenate([x, tagged], axis=-1)
    layer = 1
    while f"encoder.{layer}.input" in parameters:
        x = masks.units(bilstm(parameters, layer, x, rows), dropout.layers)
        x = jnp.concatenate([x, tagged], axis=-1)
        layer += 1
    arcs = arc_scores(parameters, hidden("arcs.heads"), hidden("arcs.modifiers"), rows)
    return Outputs(arcs, hidden("relations.heads"), hidden("relations.modifiers"), named, first)


def embedded(
    parameters: Parameters,
    vectors: jax.Array,
    features: Array,
    dropout: DropoutRates,
    masks: Masks,
) -> jax.Array:
    """The input of the encoder: embeddings side by side."""
    rates = {WORD: dropout.words, FIRST_HASHED: dropout.words}  # the first hashed one is the form
    columns = []
    for column in range(FIRST_CHARACTER_COLUMN):
        kept = masks.keep(rates.get(column, dropout.features), features.shape[:2])
        index = features[:, :, column]
        columns.append(index if kept is None else jnp.where(kept, index, 0))
    parts = [parameters["words"][columns[WORD]]]
    if vectors.shape[1]:
        parts.append(vectors[columns[VECTOR]])
    parts += [parameters["hashed"][n][columns[FIRST_HASHED + n]] for n in range(len(HASHED))]
    if "characters" in parameters:
        read = read_characters(parameters, features[:, :, FIRST_CHARACTER_COLUMN:])
        kept = masks.keep(dropout.features, features.shape[:2])
        parts.append(read if kept is None else read * kept[:, :, None])
    return jnp.concatenate(parts, axis=-1)


def read_characters(parameters: Parameters, characters: Array) -> jax.Array:
    """The largest values of the convolution over characters: [row, position, dimension]."""
    embedded = parameters["characters"][characters]
    padded = jnp.pad(embedded, [(0, 0), (0, 0), (1, 1), (0, 0)])
    three = [padded[:, :, :-2], embedded, padded[:, :, 2:]]
    found = jnp.concatenate(three, axis=-1) @ parameters[CHARACTER_LAYER]
    found = jax.nn.relu(found + parameters[f"{CHARACTER_LAYER}.bias"])
    return jnp.max(found * (jnp.asarray(characters) != NOTHING)[..., None], axis=2)


def embedded_tags(
    parameters: Parameters, scores: Mapping[str, jax.Array], tags: Array
) -> jax.Array:
    """Embeddings of tags side by side: of those that are given, else expected ones."""
    parts = []
    for number, name in enumerate(TAG_COLUMNS):
        if name in scores:
            table, given = parameters[f"tags.{name}"], tags[:, :, number]
            expected = jax.nn.softmax(scores[name], axis=-1) @ table
            parts.append(jnp.where((given != ABSENT)[..., None], table[given], expected))
    return jnp.concatenate(parts, axis=-1) if parts else jnp.zeros((*tags.shape[:2], 0))


def bilstm(parameters: Parameters, layer: int, x: jax.Array, rows: Rows) -> jax.Array:
    """A layer in both directions, which starts anew with every sentence: [row, position, 2 H].

    The second direction runs over rows turned around, so that one loop does both.
    """
    recurrent = parameters[f"encoder.{layer}.recurrent"]
    both = jnp.stack([x, x[:, ::-1]], axis=0)
    inputs = jnp.einsum("drti,dio->tdro", both, parameters[f"encoder.{layer}.input"])
    inputs += parameters[f"encoder.{layer}.bias"][None, :, None, :]
    starts = jnp.stack([rows.first, rows.last[:, ::-1]], axis=0)
    going_on = (1.0 - starts.astype(jnp.float32)).transpose(2, 0, 1)[..., None]

    def step(
        state: tuple[jax.Array, jax.Array], now: tuple[jax.Array, jax.Array]
    ) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
        gates, on = now
        h, c = state[0] * on, state[1] * on
        gates = gates + jnp.einsum("drh,dho->dro", h, recurrent)
        i, f, o, z = jnp.split(gates, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(z)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((*inputs.shape[1:3], recurrent.shape[1]))
    _, states = jax.lax.scan(step, (zero, zero), (inputs, going_on))
    forwards, backwards = states[:, 0], states[::-1, 1]
    return jnp.concatenate([forwards, backwards], axis=-1).transpose(1, 0, 2)


def arc_scores(
    parameters: Parameters, heads: jax.Array, modifiers: jax.Array, rows: Rows
) -> jax.Array:
    """Scores of arcs within sentences; all others are forbidden."""
    turned = modifiers @ parameters["arcs.product"] + parameters["arcs.product.bias"]
    scores = jnp.einsum("rhd,rmd->rhm", heads, turned)
    length = rows.sentence.shape[1]
    distance = jnp.arange(length)[None, :] - jnp.arange(length)[:, None]
    distance = jnp.clip(distance, -LONGEST_DISTANCE, LONGEST_DISTANCE) + LONGEST_DISTANCE
    kind = jnp.where(rows.first[:, :, None], FROM_ROOT, distance[None])
    scores += parameters["arcs.distance"][kind]
    same = rows.sentence[:, :, None] == rows.sentence[:, None, :]
    allowed = same & (rows.sentence[:, None, :] > 0) & ~rows.first[:, None, :]
    allowed &= ~jnp.eye(length, dtype=bool)[None]
    return jnp.where(allowed, scores, FORBIDDEN)


def relation_scores(parameters: Parameters, outputs: Outputs, heads: Array) -> jax.Array:
    """Scores of the relations of all tokens to given heads: [row, position, relation]."""
    chosen = jnp.take_along_axis(outputs.heads, jnp.maximum(heads, 0)[:, :, None], axis=1)
    turned = jnp.einsum("rmi,ilj->rmlj", outputs.modifiers, parameters["relations.product"])
    return (
        jnp.einsum("rmlj,rmj->rml", turned, chosen)
        + chosen @ parameters["relations.from-heads"]
        + outputs.modifiers @ parameters["relations.from-modifiers"]
        + parameters["relations.bias"]
    )


def neighbour_scores(parameters: Parameters, outputs: Outputs) -> list[jax.Array]:
    """Scores of the words after and before each token, by what the first layer has read up to it.

    One array for each direction, [row, position, word]; they are for training alone.
    """
    hidden, words = "neighbours", "neighbours.words"
    found = []
    for way, states in enumerate(jnp.split(outputs.first, 2, axis=-1)):
        x = jnp.tanh(states @ parameters[hidden][way] + parameters[f"{hidden}.bias"][way])
        found.append(x @ parameters[words][way] + parameters[f"{words}.bias"][way])
    return found


def given_tags(rows: Rows, dropout: DropoutRates, key: jax.Array) -> jax.Array:
    """The tags that the network is given in training.

    All tags of some sentences are hidden, and some of the tags of the others.
    """
    everything, single = jax.random.split(key)
    chances = jax.random.uniform(everything, (rows.tags.shape[0], rows.tags.shape[1]))
    number = jnp.minimum(rows.sentence, rows.tags.shape[1] - 1)
    shown = jnp.take_along_axis(chances, number, axis=1) >= dropout.tags
    kept = jax.random.bernoulli(single, 1 - dropout.features, rows.tags.shape)
    return jnp.where(shown[:, :, None] & kept, rows.tags, ABSENT)

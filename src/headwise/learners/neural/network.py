"""The network in JAX, for training: embeddings, BiLSTM encoder, biaffine arcs and relations, tags.

    x_t   = [embedding of the word; of its affixes, shape and form; vector; tags that are given]
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
import numpy as np
from numpy.typing import NDArray

from headwise.learners.neural.batches import ABSENT, Rows
from headwise.learners.neural.settings import DropoutRates, NetworkSizes
from headwise.scoring.neural.vocabulary import FIRST_WORD, TAG_COLUMNS, Vocabulary
from headwise.scoring.neural.wordfeatures import FIRST_HASHED, HASHED, SLOTS, VECTOR, WORD

Array = jax.Array | NDArray[Any]
Parameters = Mapping[str, jax.Array]

LONGEST_DISTANCE = 20
"""Arcs that are longer are scored like this."""

FROM_ROOT = 2 * LONGEST_DISTANCE + 1
"""The index of arcs from the root in the table of distances."""

FORBIDDEN = -1e9
"""The score of an arc that cannot be: finite, so that gradients are."""


MOST_MASKS = 16
"""Sentences of a row that have other units dropped than their neighbours."""


class Outputs(NamedTuple):
    """What the network says of rows of tokens.

    arcs: [row, head, modifier].
    heads, modifiers: hidden layers for relations, [row, position, dimension].
    tags: by column, [row, position, tag].
    """

    arcs: jax.Array
    heads: jax.Array
    modifiers: jax.Array
    tags: dict[str, jax.Array]


def new_parameters(
    sizes: NetworkSizes, vocabulary: Vocabulary, vector_size: int, seed: int
) -> dict[str, NDArray[np.float32]]:
    """Initial weights, drawn by NumPy: the same with every version of JAX."""
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
    for name in vocabulary.columns:
        found[f"tags.{name}"] = normal(1 + len(vocabulary.tags(name)), sizes.tags, deviation=0.1)
        inputs += sizes.tags
    for layer in range(sizes.layers):
        both = [dense(inputs, 4 * units) for _ in range(2)]
        found[f"encoder.{layer}.input"] = np.stack(both)
        square = [[orthogonal(random, units) for _ in range(4)] for _ in range(2)]
        found[f"encoder.{layer}.recurrent"] = np.stack([np.hstack(one) for one in square])
        bias = np.zeros((2, 4 * units), np.float32)
        bias[:, units : 2 * units] = 1.0  # forget gates begin open
        found[f"encoder.{layer}.bias"] = bias
        inputs = 2 * units
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
    found["tagging"] = dense(inputs, sizes.tagging)
    found["tagging.bias"] = np.zeros(sizes.tagging, np.float32)
    for name in vocabulary.columns:
        count = len(vocabulary.tags(name))
        found[f"tagging.{name}"] = dense(sizes.tagging, count)
        found[f"tagging.{name}.bias"] = np.zeros(count, np.float32)
    return found


def orthogonal(random: np.random.Generator, size: int) -> NDArray[np.float32]:
    """A random orthogonal matrix: states neither grow nor vanish at first."""
    q, r = np.linalg.qr(random.standard_normal((size, size)))
    return (q * np.sign(np.diag(r))).astype(np.float32)


class Masks:
    """Draws what is dropped; without a key nothing is."""

    def __init__(self, key: jax.Array | None, sentence: Array) -> None:
        """Begin to draw from a key; `sentence` are the numbers of sentences in their rows."""
        self.key, self.count, self.sentence = key, 0, sentence

    def keep(self, rate: float, shape: tuple[int, ...]) -> jax.Array | None:
        """Whether each of some things is kept; None if all are."""
        if self.key is None or rate <= 0:
            return None
        self.count += 1
        return jax.random.bernoulli(jax.random.fold_in(self.key, self.count), 1 - rate, shape)

    def units(self, x: jax.Array, rate: float) -> jax.Array:
        """A layer with some units dropped, the same ones in the whole of a sentence."""
        kept = self.keep(rate, (x.shape[0], MOST_MASKS, x.shape[2]))
        if kept is None:
            return x
        own = jnp.take_along_axis(kept, self.sentence[:, :, None] % MOST_MASKS, axis=1)
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
    x = embedded(parameters, vectors, rows.features, tags, dropout, masks)
    layer = 0
    while f"encoder.{layer}.input" in parameters:
        x = masks.units(x, dropout.layers)
        x = bilstm(parameters, layer, x, rows)
        layer += 1
    x = masks.units(x, dropout.layers)

    def hidden(name: str) -> jax.Array:
        out = jax.nn.relu(x @ parameters[name] + parameters[f"{name}.bias"])
        return masks.units(out, dropout.layers)

    tagging = hidden("tagging")
    named = {
        name: tagging @ parameters[f"tagging.{name}"] + parameters[f"tagging.{name}.bias"]
        for name in TAG_COLUMNS
        if f"tagging.{name}" in parameters
    }
    arcs = arc_scores(parameters, hidden("arcs.heads"), hidden("arcs.modifiers"), rows)
    return Outputs(arcs, hidden("relations.heads"), hidden("relations.modifiers"), named)


def embedded(
    parameters: Parameters,
    vectors: jax.Array,
    features: Array,
    tags: Array,
    dropout: DropoutRates,
    masks: Masks,
) -> jax.Array:
    """The input of the encoder: embeddings side by side."""
    rates = {WORD: dropout.words, FIRST_HASHED: dropout.words}  # the first hashed one is the form
    columns = []
    for column in range(features.shape[-1]):
        kept = masks.keep(rates.get(column, dropout.features), features.shape[:2])
        index = features[:, :, column]
        columns.append(index if kept is None else jnp.where(kept, index, 0))
    parts = [parameters["words"][columns[WORD]]]
    if vectors.shape[1]:
        parts.append(vectors[columns[VECTOR]])
    parts += [parameters["hashed"][n][columns[FIRST_HASHED + n]] for n in range(len(HASHED))]
    for number, name in enumerate(TAG_COLUMNS):
        if f"tags.{name}" in parameters:
            parts.append(parameters[f"tags.{name}"][tags[:, :, number] + 1])
    return jnp.concatenate(parts, axis=-1)


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

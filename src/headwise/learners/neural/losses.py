"""What training minimises.

A loss over trees is a function of the scores of one sentence that gives its value and its gradient:
the arcs of what search finds, less those of the gold tree. Search is that of `search.decoders`, so
that the network is trained on exactly what it is asked for later. `LOSSES` is the table of them.
"""

from collections.abc import Callable, Iterator
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from headwise.learners.neural.batches import Rows
from headwise.learners.neural.network import (
    FORBIDDEN,
    Array,
    Outputs,
    Parameters,
    forward,
    given_tags,
    neighbour_scores,
    relation_scores,
)
from headwise.learners.neural.settings import DropoutRates
from headwise.learners.partial import agreeing, completed, is_partial
from headwise.scoring.neural.vocabulary import ABSENT, TAG_COLUMNS, UNKNOWN
from headwise.scoring.neural.wordfeatures import WORD
from headwise.search.decoders.base import Decoder, HeadsArray
from headwise.search.scores import Scores, add_cost

Floats = NDArray[np.float64]
TreeLoss = Callable[[Decoder, Scores, HeadsArray], tuple[float, Floats]]
"""The loss of a sentence and its gradient, [head, modifier]."""


def crf_loss(decoder: Decoder, scores: Scores, gold: HeadsArray) -> tuple[float, Floats]:
    """The negative log-likelihood of the gold tree: log Z less its score.

    Of a gold tree of which some heads are not known, the likelihood of all completions is summed.
    """
    found = decoder.marginals(scores)
    if is_partial(gold):
        given = decoder.marginals(agreeing(scores, gold))
        return found.log_partition - given.log_partition, found.arc - given.arc
    return found.log_partition - scores.of_tree(gold), found.arc - arcs_of(gold)


def hinge_loss(decoder: Decoder, scores: Scores, gold: HeadsArray) -> tuple[float, Floats]:
    """By how much the worst offender exceeds the gold tree, a wrong head costing 1.

    Heads that are not known cost nothing, and are those of the best completion.
    """
    tree = completed(decoder, scores, gold)
    heads, score = decoder.best(add_cost(scores, tree, (gold >= 0).astype(np.float64)))
    return score - scores.of_tree(tree), arcs_of(heads) - arcs_of(tree)


def arcs_of(heads: HeadsArray) -> Floats:
    """The arcs of a tree: 1 for each, [head, modifier]."""
    arcs = np.zeros((len(heads), len(heads)))
    arcs[heads[1:], np.arange(1, len(heads))] = 1.0
    return arcs


LOSSES: dict[str, TreeLoss] = {"crf": crf_loss, "hinge": hinge_loss}
"""THE table of losses over trees; the local one knows no trees."""


def local_loss(arcs: jax.Array, rows: Rows, smoothing: float) -> jax.Array:
    """The negative log-likelihood of each word's head among all tokens of its sentence."""
    likely = jax.nn.log_softmax(arcs, axis=1)
    gold = jnp.take_along_axis(likely, jnp.maximum(rows.heads, 0)[:, None, :], axis=1)[:, 0]
    possible = arcs > FORBIDDEN / 2
    others = jnp.sum(likely, axis=1, where=possible) / jnp.maximum(possible.sum(axis=1), 1)
    return -jnp.sum((1 - smoothing) * gold + smoothing * others, where=rows.heads != ABSENT)


def sentences_in(rows: Rows) -> Iterator[tuple[int, slice]]:
    """Where sentences stand: their rows, and their positions there."""
    for row, first in np.argwhere(rows.first).tolist():
        last = first + int(np.argmax(rows.last[row, first:]))
        yield row, slice(first, last + 1)


def tree_losses(
    loss: TreeLoss, decoder: Decoder, arcs: NDArray[np.float32], rows: Rows
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The loss of all sentences of rows, and its gradient."""
    rows = Rows(*(np.asarray(one) for one in rows))  # type: ignore[arg-type]
    total, gradient = 0.0, np.zeros(arcs.shape, np.float32)
    for row, here in sentences_in(rows):
        scores = Scores(np.asarray(arcs[row, here, here], np.float64))
        gold = np.array(rows.heads[row, here], np.int64)
        gold = np.where(gold == ABSENT, -1, gold - here.start)
        value, gradient[row, here, here] = loss(decoder, scores, gold)
        total += value
    return np.array(total, np.float32), gradient


@partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def structured(loss: TreeLoss, decoder: Decoder, arcs: jax.Array, rows: Rows) -> jax.Array:
    """A loss over trees, computed outside JAX."""
    return _structured_forward(loss, decoder, arcs, rows)[0]


def _structured_forward(
    loss: TreeLoss, decoder: Decoder, arcs: jax.Array, rows: Rows
) -> tuple[jax.Array, tuple[jax.Array, None]]:
    shapes = jnp.zeros(()), jnp.zeros_like(arcs)
    found = partial(tree_losses, loss, decoder)
    value, gradient = jax.pure_callback(found, shapes, arcs, rows, vmap_method="sequential")
    return value, (gradient, None)


def _structured_backward(
    loss: TreeLoss, decoder: Decoder, kept: tuple[jax.Array, None], slope: jax.Array
) -> tuple[jax.Array, None]:
    del loss, decoder
    return kept[0] * slope, None


structured.defvjp(_structured_forward, _structured_backward)


def total_loss(
    parameters: Parameters,
    vectors: jax.Array,
    rows: Rows,
    key: jax.Array,
    dropout: DropoutRates,
    loss: TreeLoss | None,
    decoder: Decoder,
    smoothing: float = 0.0,
    neighbours: float = 0.0,
) -> tuple[jax.Array, Outputs]:
    """The mean loss per word: of arcs, of relations to gold heads, of tags, and of neighbours.

    Taggers read the first layer, which sees no tags: they learn from those that are given, too.
    Tags are not smoothed: all that follows reads their probabilities.
    """
    hiding, dropping = jax.random.split(key)
    shown = given_tags(rows, dropout, hiding)
    outputs = forward(parameters, vectors, rows, shown, dropout, dropping)
    if loss is None:
        total = local_loss(outputs.arcs, rows, smoothing)
    else:
        total = structured(loss, decoder, outputs.arcs, rows)
    labels = relation_scores(parameters, outputs, rows.heads)
    total += cross_entropy(labels, rows.relations, smoothing)
    for number, name in enumerate(TAG_COLUMNS):
        if name in outputs.tags:
            total += cross_entropy(outputs.tags[name], rows.tags[:, :, number])
    if neighbours:
        total += neighbours * neighbour_loss(parameters, outputs, rows)
    words = jnp.sum((rows.sentence > 0) & ~rows.first)
    return total / jnp.maximum(words, 1), outputs


def neighbour_loss(parameters: Parameters, outputs: Outputs, rows: Rows) -> jax.Array:
    """The negative log-likelihood of the words after and before each token (Rei 2017).

    It teaches the first layer, which taggers read, what may stand beside what.
    """
    after, before = neighbour_scores(parameters, outputs)
    words = jnp.asarray(rows.features[:, :, WORD])
    is_word = (rows.sentence > 0) & ~rows.first
    words = jnp.where(words < after.shape[-1], words, UNKNOWN)
    following = jnp.where(is_word[:, 1:], words[:, 1:], ABSENT)
    previous = jnp.where(is_word[:, :-1] & is_word[:, 1:], words[:, :-1], ABSENT)
    return cross_entropy(after[:, :-1], following) + cross_entropy(before[:, 1:], previous)


def cross_entropy(scores: jax.Array, gold: Array, smoothing: float = 0.0) -> jax.Array:
    """The negative log-likelihood of gold values, where there are any."""
    likely = jax.nn.log_softmax(scores, axis=-1)
    found = jnp.take_along_axis(likely, jnp.maximum(gold, 0)[..., None], axis=-1)[..., 0]
    found = (1 - smoothing) * found + smoothing * likely.mean(axis=-1)
    return -jnp.sum(found, where=gold != ABSENT)

"""Development data: how good a network is that is being trained, or is finished."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from headwise.inference.neuralsearch import EncodedText, NeuralSearch, forbidden_relations
from headwise.learners.neural.batches import NumberedSentences, Rows, batches_of, filled
from headwise.learners.neural.losses import sentences_in
from headwise.learners.neural.network import Outputs, Parameters, forward, relation_scores
from headwise.learners.neural.settings import DropoutRates
from headwise.scoring.neural.vocabulary import ABSENT, TAG_COLUMNS, Vocabulary
from headwise.search.decoders.choice import arc_decoder_of

NOTHING_DROPPED = DropoutRates()
"""Rates do not count where there is no key to draw by."""

TOKENS_AT_A_TIME = 8_000
"""Of sentences that are encoded together: what is known of a token takes several kB."""


@jax.jit
def outputs_of(parameters: Parameters, vectors: jax.Array, rows: Rows, tags: jax.Array) -> Outputs:
    """What a network says of rows, nothing being dropped."""
    return forward(parameters, vectors, rows, tags, NOTHING_DROPPED)


@jax.jit
def best_relations(
    parameters: Parameters, outputs: Outputs, heads: jax.Array, forbidden: jax.Array
) -> jax.Array:
    """The best relations of all tokens to given heads; `forbidden` is added to their scores."""
    return jnp.argmax(relation_scores(parameters, outputs, heads) + forbidden, axis=-1)


@dataclass(eq=False)
class NeuralDevelopment:
    """Sentences that are not learnt from.

    forbidden: what is added to scores of relations, [is the head the root, relation].
    """

    data: NumberedSentences
    vectors: jax.Array
    forbidden: NDArray[np.float32]
    tokens: int
    projective: bool
    single_root: bool

    @classmethod
    def of(
        cls,
        data: NumberedSentences,
        vectors: NDArray[np.float32],
        vocabulary: Vocabulary,
        tokens: int,
        projective: bool,
        single_root: bool,
    ) -> "NeuralDevelopment":
        """Sentences in batches of about this many `tokens`."""
        forbidden = forbidden_relations(vocabulary)
        return cls(data, jnp.asarray(vectors), forbidden, tokens, projective, single_root)

    @cached_property
    def batches(self) -> Sequence[Rows]:
        """The sentences in rows."""
        batches = batches_of(self.data.sizes, range(len(self.data)), self.tokens)
        return [filled(self.data, batch) for batch in batches]

    def compile(self, parameters: Parameters) -> None:
        """Compile all that `scores` needs."""
        for rows in {rows.heads.shape: rows for rows in self.batches}.values():
            self.found(parameters, rows)

    def found(
        self, parameters: Parameters, rows: Rows
    ) -> tuple[Outputs, NDArray[np.int32], NDArray[np.int32]]:
        """What the network says of rows, the best heads, and the best relations to these."""
        nothing = np.full_like(rows.tags, ABSENT)
        outputs = outputs_of(parameters, self.vectors, rows, nothing)
        heads = heads_in(np.asarray(outputs.arcs), rows, self.projective, self.single_root)
        of_root = np.take_along_axis(rows.first, np.maximum(heads, 0), axis=1)
        forbidden = self.forbidden[of_root.astype(np.int32)]
        return outputs, heads, np.asarray(best_relations(parameters, outputs, heads, forbidden))

    def scores(self, parameters: Parameters) -> dict[str, float]:
        """Per cent of words with the right head, relation and tags."""
        right = dict.fromkeys(("dev_uas", "dev_las", *(f"dev_{name}" for name in TAG_COLUMNS)), 0)
        words = labelled = 0
        for rows in self.batches:
            outputs, heads, relations = self.found(parameters, rows)
            is_word = (rows.sentence > 0) & ~rows.first
            same = is_word & (heads == rows.heads)
            words += int(is_word.sum())
            labelled += int((rows.relations != ABSENT).sum())
            right["dev_uas"] += int(same.sum())
            right["dev_las"] += int((same & (relations == rows.relations)).sum())
            for number, name in enumerate(TAG_COLUMNS):
                if name in outputs.tags:
                    found = np.asarray(jnp.argmax(outputs.tags[name], axis=-1))
                    right[f"dev_{name}"] += int(
                        (is_word & (found == rows.tags[:, :, number])).sum()
                    )
        scores = {name: 100 * count / max(words, 1) for name, count in right.items()}
        scores["dev_las"] = labelled_score(right["dev_las"], labelled, scores["dev_uas"])
        return scores


def labelled_score(right: int, labelled: int, uas: float) -> float:
    """LAS in per cent, over the words that have a relation; UAS if none has."""
    return 100 * right / labelled if labelled else uas


def heads_in(
    arcs: NDArray[np.float32], rows: Rows, projective: bool, single_root: bool
) -> NDArray[np.int32]:
    """The best trees of all sentences of rows, as positions in the rows."""
    places = list(sentences_in(rows))
    scores = [arcs[row, here, here].astype(np.float64).ravel() for row, here in places]
    sizes = np.array([here.stop - here.start for _, here in places])
    decoder = arc_decoder_of(projective=projective, single_root=single_root)
    found, _ = decoder.best_trees(np.concatenate(scores), sizes)
    heads = np.full(rows.heads.shape, ABSENT, np.int32)
    starts = np.cumsum([0, *sizes])
    for (row, here), start, end in zip(places, starts, starts[1:], strict=False):
        heads[row, here.start + 1 : here.stop] = found[start + 1 : end] + here.start
    return heads


def encoded_without_tags(
    search: NeuralSearch, data: NumberedSentences, first: int, last: int
) -> EncodedText:
    """Some sentences after the encoder, no tags being given."""
    start, end = data.starts[[first, last]].tolist()
    absent = np.full_like(data.tags[start:end], ABSENT)
    starts = data.starts[first : last + 1] - start
    tokens = search.network.encode(starts, data.features[start:end], absent)
    return EncodedText(tokens, absent, np.zeros(end - start, np.bool_))


def pieces(starts: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Sentences from first to last, a few thousand tokens at a time."""
    first = 0
    while first < len(starts) - 1:
        most = int(starts[first]) + TOKENS_AT_A_TIME
        last = max(int(np.searchsorted(starts, most, side="right")) - 1, first + 1)
        yield first, last
        first = last


def dev_scores(search: NeuralSearch, data: NumberedSentences) -> dict[str, float]:
    """Per cent of words with the right head and relation under the network's own tags."""
    heads = labels = 0
    for first, last in pieces(data.starts):
        here = slice(*data.starts[[first, last]].tolist())
        encoded = encoded_without_tags(search, data, first, last)
        found = search.best_encoded(encoded)
        right = (data.heads[here] != ABSENT) & (found == data.heads[here])
        heads += int(right.sum())
        if search.labeller is not None:
            right &= search.labeller.label_many(encoded, found) == data.relations[here]
        labels += int(right.sum())
    words = max(int((data.heads != ABSENT).sum()), 1)
    labelled = int((data.relations != ABSENT).sum())
    uas = 100 * heads / words
    return {"dev_uas": uas, "dev_las": labelled_score(labels, labelled, uas)}

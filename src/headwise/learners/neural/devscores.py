"""How good a finished network is under its own tags."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from headwise.inference.neuralsearch import EncodedText, NeuralSearch
from headwise.learners.neural.batches import NumberedSentences
from headwise.learners.neural.development import labelled_score
from headwise.scoring.neural.vocabulary import ABSENT

TOKENS_AT_A_TIME = 8_000
"""Of sentences that are encoded together: what is known of a token takes several kB."""


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

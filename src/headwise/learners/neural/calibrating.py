"""Temperatures of a finished network, and how far its probabilities can be trusted."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.evaluate.calibration import calibration
from headwise.inference.neuralsearch import EncodedText, NeuralSearch, log_softmax
from headwise.inference.treesearch import MIN_CHANCE, likeliest, temperature_of_heads
from headwise.learners.neural.batches import NumberedSentences
from headwise.learners.neural.development import labelled_score
from headwise.scoring.neural.vocabulary import ABSENT

FOR_TEMPERATURE = 500
"""Number of sentences that temperatures are fitted to."""


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
        limit = int(starts[first]) + TOKENS_AT_A_TIME
        last = max(int(np.searchsorted(starts, limit, side="right")) - 1, first + 1)
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


def calibrated(
    search: NeuralSearch, data: NumberedSentences
) -> tuple[tuple[float, float, float], dict[str, Any]]:
    """Temperatures of heads, relations and tags, and the reliability of each."""
    encoded = encoded_without_tags(search, data, 0, min(FOR_TEMPERATURE, len(data)))
    golds = [
        data.heads[a:b].astype(np.int64) for a, b in zip(data.starts, data.starts[1:], strict=False)
    ]
    golds = golds[: len(encoded)]
    problems = [
        (search.scores_of(encoded.sentence(number)), gold) for number, gold in enumerate(golds)
    ]
    temperature = temperature_of_heads(search.decoder, problems)
    curves = head_curves(search, problems, temperature)
    heads = np.concatenate(golds)
    labels, tags = data.relations[: len(heads)], data.tags[: len(heads), 0]
    of_labels = of_tags = 1.0
    if search.labeller is not None:
        of_labels, curve = fitted(search.labeller.scores(encoded, heads), labels)
        curves |= {"labels": curve} if curve else {}
    if "upos" in search.network.taggers:
        scores = [one["upos"] for _, one in search.network.tag_scores(encoded.tokens)]
        of_tags, curve = fitted(np.concatenate(scores), tags)
        curves |= {"tags": curve} if curve else {}
    return (temperature, of_labels, of_tags), curves


def fitted(
    scores: NDArray[np.float32], gold: NDArray[np.int32]
) -> tuple[float, dict[str, object] | None]:
    """The temperature at which gold values are likeliest, and the reliability of the best ones."""
    known = gold != ABSENT
    if not known.any():
        return 1.0, None
    scores, gold = scores[known], gold[known]

    def loss(temperature: float) -> float:
        own = log_softmax(scores, temperature)[np.arange(len(gold)), gold]
        return -float(np.maximum(own, np.log(MIN_CHANCE)).sum())

    temperature = likeliest(loss)
    best = scores.argmax(axis=1)
    chances = np.exp(log_softmax(scores, temperature).max(axis=1))
    return temperature, calibration(np.clip(chances, 0, 1), best == gold).to_json()


def head_curves(
    search: NeuralSearch, problems: list[tuple[Any, NDArray[np.int64]]], temperature: float
) -> dict[str, Any]:
    """Reliability of the probabilities of heads and of whole trees."""
    from dataclasses import replace

    own = replace(search, temperature=temperature)
    heads: list[float] = []
    right: list[bool] = []
    trees, whole = [], []
    for scores, gold in problems:
        tree, marginals = own.decoder.best(scores).heads, own.marginals(scores)
        words = np.arange(1, len(tree))
        heads += np.clip(marginals.arc[tree[1:], words], 0.0, 1.0).tolist()
        right += (tree[1:] == gold[1:]).tolist()
        trees.append(own.tree_probability(scores, marginals, tree))
        whole.append(bool((tree[1:] == gold[1:]).all()))
    return {
        "heads": calibration(heads, right).to_json(),
        "trees": calibration(trees, whole).to_json(),
    }

"""Training as a generator of steps; whoever consumes them logs, scores, saves or stops."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from headwise.errors import UsageError
from headwise.learners.base import Example, Learner
from headwise.learners.callbacks import Report
from headwise.learners.data import TrainingData
from headwise.learners.partial import is_partial
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.labelledscorer import LabelledArcScorer
from headwise.scoring.linear.scorer import Scorer
from headwise.search.decoders.base import Decoder

BLOCK = 32
"""Sentences between two reports. Training stops only there."""


@dataclass(eq=False)
class TrainingState:
    """How far training has come. What it does from here on depends on nothing else."""

    weights: LearnedWeights
    learner: Learner
    decoder: Decoder
    epoch: int = 0
    position: int = 0
    loss: float = 0.0


def training_steps(
    data: TrainingData, scorer: Scorer, state: TrainingState, *, epochs: int, seed: int
) -> Iterator[Report]:
    """Learn from all sentences, epoch after epoch, each time in another order.

    Those without trees come after those with.

    A report comes after every block of sentences. The state is changed in place.
    """
    while state.epoch < epochs:
        order = epoch_order(data, [seed, state.epoch])
        words = sum(words_of(data, number) for number in order[: state.position])
        while state.position < len(order):
            for number in order[state.position : state.position + BLOCK]:
                state.loss += learn_from(data, number, scorer, state)
                state.position += 1
                words += words_of(data, number)
            if state.position < len(order):
                yield Report(state.epoch + 1, state.position, words, state.loss, False)
        report = Report(state.epoch + 1, state.position, words, state.loss, True)
        state.epoch, state.position, state.loss = state.epoch + 1, 0, 0.0
        yield report


def epoch_order(data: TrainingData, seed: list[int]) -> list[int]:
    """The order of an epoch: all sentences with trees, then those without, counted on from them."""
    rng = np.random.default_rng(seed)
    order: list[int] = rng.permutation(len(data)).tolist()
    if data.unlabelled is not None:
        order += (len(data) + rng.permutation(len(data.unlabelled))).tolist()
    return order


def words_of(data: TrainingData, number: int) -> int:
    """The number of words of a sentence, with or without a tree."""
    if number < len(data):
        return data.encoded.words_of(number)
    assert data.unlabelled is not None
    return data.unlabelled.words_of(number - len(data))


def learn_from(data: TrainingData, number: int, scorer: Scorer, state: TrainingState) -> float:
    """One step: learn from one sentence; its loss."""
    if number < len(data):
        loss = learn_from_tree(data, number, scorer, state)
    else:
        assert data.unlabelled is not None
        own = number - len(data)
        tokens = data.unlabelled.sentence(own)
        loss = state.learner.learn_unlabelled(scorer, tokens, own, state.weights)
    state.weights.end_step()
    return loss


def learn_from_tree(data: TrainingData, number: int, scorer: Scorer, state: TrainingState) -> float:
    """Learn from a sentence with a tree."""
    tokens = data.encoded.sentence(number)
    scored = scorer.arcs if isinstance(scorer, LabelledArcScorer) else scorer
    example = Example(
        scorer,
        tokens,
        data.golds[number],
        data.costs[number],
        data.tree_cost,
        scored.scores_of(tokens, data.unpruned[number] if data.unpruned else None),
        state.decoder,
        data.labels[number] if data.labels else None,
        number,
    )
    learn = state.learner.learn_partial if is_partial(example.gold) else state.learner.learn
    loss = learn(example, state.weights)
    if not isinstance(loss, (int, float, np.number)):
        name = type(state.learner).__name__
        raise UsageError(f"{name}.learn must return the loss of the sentence, not {loss!r}")
    return float(loss)

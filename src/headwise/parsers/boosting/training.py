"""A whole training: rounds, with development data, a log, and checkpoints.

A checkpoint holds all that is known after a round, and training goes on from it bit by bit.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.errors import SourceLocation, UsageError
from headwise.learners.callbacks import Plan, Report, TrainingCallback
from headwise.learners.checkpoint import (
    best_score,
    check_identity,
    checkpoint_exists,
    fingerprint,
    like,
    read_state,
    tolerating_full_disk,
    unpacked_like,
    write_state,
)
from headwise.parsers.boosting.hypotheses import LinearHypothesis, Weights
from headwise.parsers.boosting.rounds import Boosting, BoostingState, best_heads
from headwise.parsers.unlabelled import right_words
from headwise.processes.pools import in_threads
from headwise.storage.modelfile import reporting_damage
from headwise.storage.sparse import pack_sparse


def save_rounds(path: Path, state: BoostingState) -> None:
    """Write all that boosting has come to, whole or not at all."""
    arrays = {"examples": state.examples}
    for number, hypothesis in enumerate(state.hypotheses):
        assert isinstance(hypothesis, LinearHypothesis)
        arrays |= pack_sparse(f"round/{number}", hypothesis.weights)
    write_state(path, state, arrays)


def restored_rounds(
    path: Path, start: BoostingState, unseen: Weights, features: int
) -> BoostingState:
    """The state that was saved, if it is of the same identity as a new one."""
    blank = np.zeros((features + 1, len(unseen)), np.float32)
    state, model = read_state(path, BoostingState)
    check_identity(path, state.identity, start.identity)
    with reporting_damage("checkpoint", SourceLocation(str(path))):
        state.examples = like(start.examples, "examples", model.array("examples"))
        state.hypotheses = [
            LinearHypothesis(unpacked_like(blank, f"round/{number}", model.arrays), unseen)
            for number in range(len(state.votes))
        ]
    return state


BYTES_OF_A_PAIR = 500
"""About how much memory a pair of words takes."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundTraining:
    """Boosting that is watched, compared with development data, and saved after each round."""

    boosting: Boosting
    dev: Sequence[Sentence] | None
    left_out: int
    checkpoint: Path | None
    callback: TrainingCallback

    def run(self, *, resume: bool = False) -> tuple[BoostingState, int]:
        """Train to the end; the state then, and the round that is best on dev, or the last."""
        state = self.boosting.start(self.identity())
        if resume and self.checkpoint is not None and checkpoint_exists(self.checkpoint):
            features = len(self.boosting.examples.keys)
            state = restored_rounds(self.checkpoint, state, self.boosting.unseen, features)
            check_rounds(self.checkpoint, len(state.hypotheses), self.rounds)
        count, words = len(self.boosting.encoded), self.boosting.encoded.words
        memory = BYTES_OF_A_PAIR * len(self.boosting.examples.labels)
        plan = Plan(count, words, self.left_out, self.rounds, state.history, memory)
        self.callback.begin(plan)
        tick = time.monotonic()
        for record in self.boosting.rounds(state, lambda share: self.tell(state, share)):
            seconds = time.monotonic() - tick
            speed = {"seconds": seconds, "words_per_second": round(words / seconds)}
            self.end_round(state, record | speed)
            tick = time.monotonic()
        return state, self.best_round(state)

    @property
    def rounds(self) -> int:
        """How many rounds there shall be."""
        return self.boosting.settings.rounds

    def tell(self, state: BoostingState, share: float) -> None:
        """Say how much of a round is done."""
        number, encoded = len(state.hypotheses) + 1, self.boosting.encoded
        done, words = int(share * len(encoded)), int(share * encoded.words)
        self.callback.progress(Report(number, done, words, 0.0, share >= 1))

    def end_round(self, state: BoostingState, record: dict[str, Any]) -> None:
        """Note what a round came to, and save all that there is."""
        if len(state.history) == len(state.hypotheses):
            return  # it was no better than chance, and left nothing
        if self.dev is not None:
            record |= self.dev_scores(state)
        state.history += (record,)
        self.callback.epoch(record)
        if self.checkpoint is not None:
            with tolerating_full_disk(f"round {len(state.history)}"):
                save_rounds(self.checkpoint, state)

    def dev_scores(self, state: BoostingState) -> dict[str, float]:
        """The per cent of words of dev with the right head, and linked rightly either way."""
        assert self.dev is not None
        search = self.boosting.search(self.boosting.kept(state, len(state.hypotheses)))
        encoded = search.encode(self.dev)
        trees = in_threads(
            lambda number: best_heads(search, encoded, number),
            range(len(self.dev)),
            self.boosting.jobs,
        )
        found = [
            one.with_tree(heads[1:].tolist()) for one, heads in zip(self.dev, trees, strict=True)
        ]
        right, linked = right_words(self.dev, found)
        words = sum(map(len, self.dev))
        return {"dev_uas": 100 * right / words, "dev_undirected": 100 * linked / words}

    def best_round(self, state: BoostingState) -> int:
        """The round that is best on dev, the first of equals; without dev the last."""
        if self.dev is None:
            return len(state.hypotheses)
        best = best_score(state.history, "dev_uas")
        return 1 + [record["dev_uas"] for record in state.history].index(best)

    def identity(self) -> dict[str, Any]:
        """What a checkpoint must share with the training that goes on from it."""
        examples = self.boosting.examples
        dev = [] if self.dev is None else [np.array(one.heads, np.int64) for one in self.dev]
        return {
            "settings": self.boosting.settings.identity(),
            "sentences": fingerprint([examples.labels, examples.keys, examples.static, *dev]),
        }


def check_rounds(checkpoint: Path, done: int, rounds: int) -> None:
    """Raise if a checkpoint is further than a training shall go."""
    if done > rounds:
        raise UsageError(
            f"{checkpoint} has {done} rounds already: ask for at least as many, or begin anew with "
            "--force instead of --resume"
        )

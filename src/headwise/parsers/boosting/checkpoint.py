"""Checkpoints of boosting: all that is known after a round, from which it goes on bit by bit."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwise.errors import SourceLocation
from headwise.learners.checkpoint import CARD, KIND, check_identity, like
from headwise.parsers.boosting.hypotheses import LinearHypothesis, Weights
from headwise.parsers.boosting.rounds import BoostingState
from headwise.storage.modelfile import ModelFile, holding_together, load_model, save_model
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import stored_settings


@dataclass(frozen=True, slots=True)
class StoredRounds:
    """What a checkpoint says of boosting, besides its arrays."""

    identity: dict[str, Any]
    votes: tuple[float, ...]
    history: tuple[dict[str, Any], ...]
    ended: bool


def save_rounds(path: Path, state: BoostingState, identity: Mapping[str, Any]) -> None:
    """Write all that boosting has come to, whole or not at all."""
    arrays = {"examples": state.examples}
    for number, hypothesis in enumerate(state.hypotheses):
        assert isinstance(hypothesis, LinearHypothesis)
        arrays |= pack_sparse(f"round/{number}", hypothesis.weights)
    settings = {
        "identity": dict(identity),
        "votes": state.votes,
        "history": state.history,
        "ended": state.ended,
    }
    save_model(path, ModelFile(KIND, settings, arrays, CARD), force=True)


def restore_rounds(
    path: Path, state: BoostingState, identity: Mapping[str, Any], unseen: Weights
) -> None:
    """Bring a new state to where an old one of the same identity was."""
    model, location = load_model(path, KIND), SourceLocation(str(path))
    saved = stored_settings(StoredRounds, model.settings, "checkpoint", location)
    check_identity(path, saved.identity, identity)
    with holding_together("checkpoint", location):
        state.examples = like(state.examples, "examples", model.array("examples"))
        state.hypotheses = [
            LinearHypothesis(unpack_sparse(f"round/{number}", model.arrays), unseen)
            for number in range(len(saved.votes))
        ]
    state.votes, state.history, state.ended = list(saved.votes), list(saved.history), saved.ended

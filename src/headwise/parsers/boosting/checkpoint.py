"""Checkpoints of boosting: all that is known after a round, from which it goes on bit by bit."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headwise.learners.checkpoint import CARD, KIND, check_identity
from headwise.parsers.boosting.hypotheses import LinearHypothesis, Weights
from headwise.parsers.boosting.rounds import BoostingState
from headwise.storage.modelfile import ModelFile, load_model, save_model
from headwise.storage.sparse import pack_sparse, unpack_sparse


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
    model = load_model(path, KIND)
    saved = model.settings
    check_identity(path, saved["identity"], identity)
    state.examples = model.array("examples")
    state.votes, state.history, state.ended = saved["votes"], saved["history"], saved["ended"]
    state.hypotheses = [
        LinearHypothesis(unpack_sparse(f"round/{number}", model.arrays), unseen)
        for number in range(len(state.votes))
    ]

"""Whether a call may go on with a training that was cut short, told before anything is trained.

Checkpoints know what they were made of, but only the parser's own: sentences under the tags that it
saw. What the whole call was of is noted beside them, so that another call is refused at once.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from headwise.corpus.output import write_text
from headwise.corpus.sentence import Sentence
from headwise.errors import ModelError, SourceLocation
from headwise.learners.checkpoint import (
    call_path,
    can_resume,
    check_identity,
    checkpoint_exists,
    checksum,
)
from headwise.parsers.base import Parser, TrainingInputs
from headwise.pipeline.training.parsedtext import TaughtText
from headwise.pipeline.training.recipe import Recipe
from headwise.storage.jsonfile import read_json_file
from headwise.storage.modelfile import describe_model, file_checksum

ALL_SETTINGS = "all settings"
"""Where a note has those settings, too, that may change when training goes on."""


def call_identity(
    parser: Parser,
    recipe: Recipe,
    inputs: TrainingInputs,
    taught: TaughtText | None = None,
) -> dict[str, Any]:
    """What must be the same in the call that resumes: settings, stages, and the data itself."""
    data = {
        "training sentences": inputs.sentences,
        "development sentences": inputs.dev,
        "guide": inputs.guides,
        "guide of dev": inputs.dev_guides,
        "unlabelled sentences": inputs.unlabelled,
    }
    others: dict[str, Any] = {}
    if inputs.vectors is not None:
        others["vectors"] = file_checksum(inputs.vectors)
    if taught is not None:
        others["text"] = taught.identity()
    return {
        "parser": {"kind": parser.kind},
        "settings": parser.identity(guided=inputs.guides is not None),
        "pipeline": {
            "stages": list(recipe.stages),
            "taken from models": {name: str(path) for name, path in recipe.reuse.items()},
            "train tags": recipe.tags,
            "folds": recipe.folds,
        },
        "data": {
            name: described(sentences) if isinstance(sentences, Sequence) else "none"
            for name, sentences in data.items()
        }
        | others,
    }


def described(sentences: Sequence[Sentence]) -> str:
    """How many sentences and words there are, and a checksum of all that can be learnt from."""
    rows = (
        "\t".join(map(str, column))
        for one in sentences
        for column in (
            one.forms, one.lemmas, one.upos, one.xpos, one.feats, one.heads, one.relations
        )
    )  # fmt: skip
    words = sum(map(len, sentences))
    return f"{len(sentences):,} sentences, {words:,} words (checksum {checksum(rows)})"


def check_can_go_on(checkpoint: Path, parser: Parser, identity: Mapping[str, Any]) -> None:
    """Raise if a checkpoint is of another call than this one, or further than this one goes."""
    if call_path(checkpoint).exists():
        saved = read_call(checkpoint)
        check_identity(checkpoint, saved, {"parser": identity["parser"]})  # or all settings differ
        check_identity(checkpoint, saved, identity)
    if not checkpoint_exists(checkpoint):
        return
    parser.check_progress(checkpoint, describe_model(checkpoint).settings)


def check_finished(
    model: Path, saved: Mapping[str, Any], parser: Parser, identity: Mapping[str, Any]
) -> None:
    """Raise if a finished model is of another call, in any setting: none may change any more."""
    check_identity(
        model,
        {**saved, "settings": saved.get(ALL_SETTINGS)},
        {**identity, "settings": parser.complete()},
    )


def read_call(checkpoint: Path) -> dict[str, Any]:
    """What is noted of the call that a checkpoint is of."""
    path = call_path(checkpoint)
    saved = read_json_file(path)
    if not isinstance(saved, dict):
        raise ModelError("does not say what the training is of", SourceLocation(str(path)))
    return saved


@contextmanager
def noted_call(
    checkpoint: Path, parser: Parser, identity: Mapping[str, Any], model: Path | None = None
) -> Iterator[None]:
    """Train within this: what the call is of is noted as long as there are checkpoints of it.

    If it is to be known of a finished `model` as well, the note stays with that.
    """
    try:
        noted = {**identity, ALL_SETTINGS: parser.complete()}
        write_text(call_path(checkpoint), iter([json.dumps(noted, indent=1)]))
        yield
    finally:
        if not can_resume(checkpoint) and not (model is not None and model.is_dir()):
            call_path(checkpoint).unlink(missing_ok=True)

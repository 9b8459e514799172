"""Whether a call may go on with a training that was cut short, told before anything is trained.

Checkpoints know what they were made of, but only the parser's own: sentences under the tags that it
saw. What the whole call was of is noted beside them, so that another call is refused at once.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from headwise.corpus.output import write_text
from headwise.corpus.sentence import Sentence
from headwise.errors import ModelError, SourceLocation
from headwise.learners.checkpoint import call_path, can_resume, check_identity, is_there
from headwise.learners.settings import TrainingSettings
from headwise.learners.training import MAY_CHANGE, check_epochs
from headwise.parameters import parameters_of
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.parsers.boosting.training import check_rounds
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.lexical.settings import LexicalSettings
from headwise.parsers.linkmargin.parser import MAY_CHANGE as MAY_CHANGE_LINKS
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.trainkinds import AnySettings
from headwise.storage.modelfile import describe_model
from headwise.storage.settings import to_mapping

KINDS: dict[type, tuple[str, tuple[str, ...]]] = {
    TrainingSettings: ("arcs and parts", MAY_CHANGE),
    LinkMarginSettings: ("link-margin", MAY_CHANGE_LINKS),
    BoostingSettings: ("boosting", ("rounds",)),
    LexicalSettings: ("lexical", ()),
}
"""What parsers of some settings are called, and which settings may change on resuming."""


def call_identity(
    settings: AnySettings, recipe: Recipe, files: Mapping[str, Sequence[Sentence] | None]
) -> dict[str, Any]:
    """What must be the same in the call that goes on: settings, stages, and the data itself."""
    kind, may_change = KINDS[type(settings)]
    if isinstance(settings, TrainingSettings) and settings.learner == "bayes-point":
        may_change = tuple(name for name in may_change if name != "epochs")
    values = to_mapping(settings)
    own = {name: value for name, value in values.items() if name not in may_change}
    if isinstance(settings, TrainingSettings):
        own["templates"] = templates_of(settings, guided=files.get("guide") is not None)
    return {
        "parser": {"kind": kind},
        "settings": own,
        "pipeline": {
            "stages": list(recipe.stages),
            "taken from models": {name: str(path) for name, path in recipe.given.items()},
            "train tags": recipe.tags,
            "folds": recipe.folds,
        },
        "data": {
            name: "none" if sentences is None else described(sentences)
            for name, sentences in files.items()
        },
    }


def templates_of(settings: TrainingSettings, *, guided: bool) -> str:
    """The feature templates, whatever file they come from."""
    rows = DependencyParser(**parameters_of(settings)).looks(guided=guided).rows()
    return f"{len(rows)} templates (checksum {checksum(rows)})"


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


def checksum(rows: Iterable[str]) -> str:
    """A short hash of some lines."""
    digest = hashlib.blake2b(digest_size=6)
    for row in rows:
        digest.update(row.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def check_can_go_on(checkpoint: Path, settings: AnySettings, identity: Mapping[str, Any]) -> None:
    """Raise if a checkpoint is of another call than this one, or further than this one goes."""
    if call_path(checkpoint).exists():
        saved = read_call(checkpoint)
        check_identity(checkpoint, saved, {"parser": identity["parser"]})  # or all settings differ
        check_identity(checkpoint, saved, identity)
    if not is_there(checkpoint):
        return
    done = describe_model(checkpoint).settings
    if isinstance(settings, TrainingSettings) and "epoch" in done:
        check_epochs(checkpoint, done["epoch"], done["position"], settings.epochs)
    if isinstance(settings, BoostingSettings) and "votes" in done:
        check_rounds(checkpoint, len(done["votes"]), settings.rounds)


def read_call(checkpoint: Path) -> dict[str, Any]:
    """What is noted of the call that a checkpoint is of."""
    path = call_path(checkpoint)
    try:
        saved = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot be read: {error}", SourceLocation(str(path))) from error
    if not isinstance(saved, dict):
        raise ModelError("does not say what the training is of", SourceLocation(str(path)))
    return saved


@contextmanager
def noted_call(checkpoint: Path, identity: Mapping[str, Any]) -> Iterator[None]:
    """Train within this: what the call is of is noted as long as there are checkpoints of it."""
    try:
        write_text(call_path(checkpoint), iter([json.dumps(identity, indent=1)]))
        yield
    finally:
        if not can_resume(checkpoint):
            call_path(checkpoint).unlink(missing_ok=True)

"""The models that a server offers, by name, and what is known of each without loading it.

They are described as they were when the server began: its workers keep a model, even if its folder
goes or gets another one.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwise.errors import UsageError
from headwise.pipeline.models import DEFAULT, embedded_names, model_path
from headwise.serve.requesterrors import RequestError
from headwise.storage.modelconfig import ModelInfo
from headwise.storage.modelfile import VERSION_DIGITS, describe_model, read_card

STAGES = ("tokeniser", "tagger", "lemmas", "parser")


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that a server offers."""

    folder: Path
    info: ModelInfo
    card: str


def served_models(models: Sequence[str]) -> dict[str, ServedModel]:
    """Models by name, the default first; those of the package if none is given."""
    if not models:
        names = embedded_names()
        models = sorted(names, key=lambda name: name != DEFAULT) or [DEFAULT]
    found: dict[str, ServedModel] = {}
    for one in models:
        folder = model_path(one).resolve()
        if folder.name in found:
            raise UsageError(f"two models are called {folder.name}: rename the folder of one")
        found[folder.name] = ServedModel(folder, describe_model(folder), read_card(folder))
    return found


def chosen_model(names: Collection[str], name: str | None) -> str:
    """The name of the model that a request asks for, or the default."""
    if name is None:
        return next(iter(names))
    if name not in names:
        raise no_such_model(names)
    return name


def no_such_model(names: Collection[str]) -> RequestError:
    """Nobody offers the model that a request asks for."""
    known = ", ".join(names)
    return RequestError(404, "no_such_model", f"there is no model of this name; there are {known}")


def model_row(name: str, info: ModelInfo) -> dict[str, Any]:
    """What a list of models says of one."""
    return {
        "name": name,
        "version": info.weights_sha256[:VERSION_DIGITS],
        "kind": info.kind,
        "stages": list(stages_of(info)),
        "language": info.about.get("language"),
        "licence": info.about.get("licence"),
    }


def model_page(name: str, model: ServedModel) -> dict[str, Any]:
    """All that is known of a model: its card, its scores and its reliability curves."""
    info = model.info
    parser = stages_of(info).get("parser", {})
    report = parser.get("report") or {}
    return {
        **model_row(name, info),
        "about": dict(info.about),
        "card": model.card,
        "scores": (info.settings.get("report") or {}).get("dev") or {},
        "calibration": report.get("calibration") or {},
        "bytes": info.weights_bytes,
        "headwise_version": info.headwise_version,
    }


def stages_of(info: ModelInfo) -> dict[str, Any]:
    """The settings of the stages of a model, in the order of their work; a parser alone is one."""
    stages = info.settings.get("stages")
    if not isinstance(stages, dict):
        return {"parser": info.settings}
    return {name: stages[name] for name in STAGES if name in stages}

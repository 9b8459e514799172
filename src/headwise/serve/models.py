"""The models that a server offers, by name, and what is known of each without loading it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headwise.errors import UsageError
from headwise.pipeline.models import DEFAULT, embedded_names, model_path
from headwise.serve.requesterrors import RequestError
from headwise.storage.modelconfig import ModelInfo
from headwise.storage.modelfile import VERSION_DIGITS, describe_model, read_card

STAGES = ("tokeniser", "tagger", "lemmas", "parser")


def model_folders(models: Sequence[str]) -> dict[str, Path]:
    """The folders of models by name, the default first; those of the package if none is given."""
    if not models:
        names = embedded_names()
        models = sorted(names, key=lambda name: name != DEFAULT) or [DEFAULT]
    folders: dict[str, Path] = {}
    for one in models:
        folder = model_path(one).resolve()
        describe_model(folder)  # raises if it is not a model
        if folder.name in folders:
            raise UsageError(f"two models are called {folder.name}: rename the folder of one")
        folders[folder.name] = folder
    return folders


def chosen_model(folders: Mapping[str, Path], name: str | None) -> str:
    """The name of the model that a request asks for, or the default."""
    if name is None:
        return next(iter(folders))
    if name not in folders:
        raise no_such_model(folders)
    return name


def no_such_model(folders: Mapping[str, Path]) -> RequestError:
    """Nobody offers the model that a request asks for."""
    names = ", ".join(folders)
    return RequestError(404, "no_such_model", f"there is no model of this name; there are {names}")


def model_row(name: str, folder: Path) -> dict[str, Any]:
    """What a list of models says of one."""
    info = describe_model(folder)
    return {
        "name": name,
        "version": info.weights_sha256[:VERSION_DIGITS],
        "kind": info.kind,
        "stages": list(stages_of(info)),
        "language": about(info).get("language"),
        "licence": about(info).get("licence"),
    }


def model_page(name: str, folder: Path) -> dict[str, Any]:
    """All that is known of a model: its card, its scores and its reliability curves."""
    info = describe_model(folder)
    parser = stages_of(info).get("parser", {})
    report = parser.get("report") or {}
    return {
        **model_row(name, folder),
        "about": about(info),
        "card": read_card(folder),
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


def about(info: ModelInfo) -> dict[str, Any]:
    """What its maker says of a model."""
    found = info.settings.get("about")
    return found if isinstance(found, dict) else {}

"""Pipelines as model folders: all stages in one, each under its name; and their card."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from headwise.errors import SourceLocation, UsageError
from headwise.parsers.registry import (
    DEFAULT,
    PARSERS,
    not_parsing,
    parser_of_model,
)
from headwise.pipeline.pipeline import Pipeline
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import (
    ModelFile,
    describe_model,
    load_model,
    reporting_damage,
    save_model,
)
from headwise.storage.storedsettings import stored_settings
from headwise.text.lemmas import Lemmatiser
from headwise.text.tagger import Tagger
from headwise.text.tokeniser import Tokeniser

KIND = "pipeline"
TEXT_STAGES: dict[str, type[Tokeniser] | type[Tagger] | type[Lemmatiser]] = {
    "tokeniser": Tokeniser,
    "tagger": Tagger,
    "lemmas": Lemmatiser,
}
STAGES = (*TEXT_STAGES, "parser")
"""THE stages, in the order in which they work."""


@dataclass(frozen=True, slots=True)
class StoredPipeline:
    """What a model says of a pipeline; stages check their own settings."""

    stages: dict[str, dict[str, Any]]
    about: dict[str, Any]
    report: dict[str, Any]

    def check(self) -> None:
        """Raise if there is a stage that this version does not know."""
        if not set(self.stages) <= set(STAGES):
            known = ", ".join(STAGES)
            raise UsageError(
                "the model has stages that this version of Headwise does not know (it knows "
                f"{known}): update Headwise"
            )


MEASURES = {
    "tokens": "tokens", "words": "words", "sentences": "sentences", "upos": "UPOS",
    "xpos": "XPOS", "ufeats": "UFeats", "lemmas": "lemmas", "uas": "UAS", "las": "LAS",
    "clas": "CLAS", "mlas": "MLAS", "blex": "BLEX",
}  # fmt: skip
"""The scores of the card, in order, and how they are called there."""


def save_pipeline(
    path: str | Path,
    pipeline: Pipeline,
    *,
    about: dict[str, Any] | None = None,
    report: dict[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Save a pipeline: `about` is shown on its card, `report` holds its scores."""
    settings: dict[str, Any] = {"stages": {}, "about": about or {}, "report": report or {}}
    arrays: dict[str, NDArray[Any]] = {}
    parser_card = ""
    for name in STAGES:
        stage = getattr(pipeline, name)
        if stage is None:
            continue
        if name == "parser":
            model = stage.to_model()
            settings["stages"][name], own, parser_card = model.settings, model.arrays, model.card
        else:
            settings["stages"][name], own = stage.to_model()
        arrays |= {f"{name}/{key}": array for key, array in own.items()}
    card = pipeline_card(settings, parser_card)
    save_model(path, ModelFile(KIND, settings, arrays, card), force=force)


def load_pipeline(path: str | Path) -> Pipeline:
    """A pipeline that was saved; a parser that was saved by itself is one without other stages."""
    return pipeline_of(load_model(path), path)


def pipeline_of(model: ModelFile, path: str | Path) -> Pipeline:
    """The pipeline that a model is; `path` is where it was loaded from."""
    name, location = Path(path).resolve().name, SourceLocation(str(path))
    if model.kind in PARSERS:
        return Pipeline(parser=parser_of_model(model, location), name=name, version=model.version)
    if model.kind != KIND:
        raise not_parsing(model.kind, location)
    with reporting_damage("pipeline", location):
        stages = stored_settings(StoredPipeline, model.settings, "pipeline").stages
        found = {stage: read_stage(model, stage, own, location) for stage, own in stages.items()}
    return Pipeline(**found, name=name, version=model.version)


def stored_report(path: str | Path) -> dict[str, Any]:
    """What was noted of a pipeline when it was saved: its scores; nothing of a parser alone."""
    info = describe_model(path)
    if info.kind != KIND:
        return {}
    found = stored_settings(StoredPipeline, info.settings, "pipeline", SourceLocation(str(path)))
    return found.report


def read_stage(
    model: ModelFile, name: str, settings: dict[str, Any], location: SourceLocation
) -> Any:
    """One stage of a pipeline."""
    own = model.part(f"{name}/", str(settings.get("kind", DEFAULT)), settings)
    if name in TEXT_STAGES:
        return TEXT_STAGES[name].from_model(settings, own.arrays)
    return parser_of_model(own, location)


def pipeline_card(settings: Mapping[str, Any], parser_card: str) -> str:
    """The card of a pipeline, in Markdown; what it says of the parser comes last."""
    rows: list[Row] = [*settings["about"].items(), ("stages", ", ".join(settings["stages"]))]
    is_whole = {"tokeniser", "parser"} <= set(settings["stages"])
    title = "A pipeline from raw text to trees" if is_whole else "Stages of a pipeline"
    lines = card_of(title, rows).splitlines()
    scores = settings["report"].get("dev")
    if scores:
        has_gaps = any(value is None for own in scores.values() for value in own.values())
        lines += ["", "## Scores on development data", "", *score_table(scores), "", EXPLAINED]
        lines += [NOT_SCORED] if has_gaps else []
    if parser_card:
        lines += ["", "## Its parser", "", *parser_card.splitlines()[2:]]
    return "\n".join(lines) + "\n"


EXPLAINED = (
    "F1 in per cent, all tokens counted, as the CoNLL 2018 shared task does: tokens, words and "
    "sentences of the treebank under its own tags or under those that the pipeline finds, and all "
    "from raw text."
)
NOT_SCORED = "– means that the treebank lacks a column that the score compares."


def score_table(scores: Mapping[str, Mapping[str, float | None]]) -> list[str]:
    """Scores as the rows of a Markdown table: a column for each condition."""
    names = [name for name in MEASURES if any(name in own for own in scores.values())]
    lines = [f"| | {' | '.join(scores)} |", "|---" + "|--:" * len(scores) + "|"]
    for name in names:
        shown = [score_text(own[name]) if name in own else "" for own in scores.values()]
        lines.append(f"| {MEASURES[name]} | {' | '.join(shown)} |")
    return lines


def score_text(value: float | None) -> str:
    """A score with two digits; a dash where the treebank had nothing to compare with."""
    return "–" if value is None else f"{value:.2f}"

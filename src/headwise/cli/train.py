"""`headwise train`: a pipeline from a treebank, or stages of one."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from headwise.cli import trainoptions as chosen
from headwise.cli.options import From, HeadRules, split_at_commas
from headwise.cli.output import complain
from headwise.errors import UsageError
from headwise.safe import safe_text

if TYPE_CHECKING:
    from pathlib import Path

    from headwise.parsers.base import Parser
    from headwise.pipeline.training.recipe import Recipe
    from headwise.pipeline.training.trainfiles import TrainingFiles

SETTINGS = ("scorer", "learner", "order", "decoder", "epochs", "seed", "device")
"""Settings of the parser that are options of their own."""

COMMAND_CLASS = chosen.TrainCommand

WITHOUT_SUBTYPES = " (relations without subtypes)"
"""How relations are compared in scores on dev, as in CoNLL 2018; `evaluate` counts subtypes."""


def train(
    context: typer.Context,
    treebank: chosen.Treebank,
    output: chosen.Output,
    dev: chosen.Dev = None,
    format_name: From = None,
    head_rules: HeadRules = None,
    guide: chosen.Guide = None,
    dev_guide: chosen.DevGuide = None,
    unlabelled: chosen.Unlabelled = None,
    similarity: chosen.Similarity = None,
    vectors: chosen.Vectors = None,
    base_model: chosen.BaseModel = None,
    teacher: chosen.Teacher = None,
    text: chosen.Text = None,
    text_kind: chosen.TextKind = None,
    config: chosen.Config = None,
    given: chosen.Set = None,
    log: chosen.Log = None,
    resume: chosen.Resume = False,
    force: chosen.Force = False,
    only: chosen.Only = None,
    without: chosen.Without = None,
    train_tags: chosen.TrainTags = None,
    fast: chosen.Fast = False,
    partial: chosen.Partial = False,
    scorer: chosen.Scorer = None,  # noqa: ARG001, RUF100 - these are read from the context
    learner: chosen.Learner = None,  # noqa: ARG001, RUF100
    order: chosen.Order = None,  # noqa: ARG001, RUF100
    decoder: chosen.Decoder = None,  # noqa: ARG001, RUF100
    epochs: chosen.Epochs = None,  # noqa: ARG001, RUF100
    seed: chosen.Seed = None,  # noqa: ARG001, RUF100
    device: chosen.Device = None,  # noqa: ARG001, RUF100
    jobs: chosen.Jobs = 1,
) -> None:
    """Train a pipeline on a treebank: tokeniser, tagger, lemmas and parser, or some of them.

    By default the parser is the most accurate that can be trained here: a neural one, which tags
    as well, if JAX is installed (pip install 'headwise[neural]'), else a linear one of order 3.

    Checkpoints of the parser are written beside the model: interrupted at any moment, the same
    call with --resume goes on, and ends with the same weights.

    Example: `headwise train train.conllu --dev dev.conllu -o my-model`
    """
    from headwise.pipeline.training.config import parsed_settings, read_teaching, read_trainings
    from headwise.pipeline.training.trainfiles import TrainingFiles

    options = {name: context.params[name] for name in SETTINGS}
    changes = parsed_settings(given or [])
    changes |= {name: value for name, value in options.items() if value is not None}
    if base_model is not None:
        changes.setdefault("learner", "neural-parts")
    if partial:
        changes["partial"] = True
    if fast:
        changes = with_fast(changes)
    if train_tags is not None:
        changes["pipeline"] = {**changes.get("pipeline", {}), "tags": train_tags}
    teaching = {"teachers": teacher, "text": text, "kind": text_kind}
    if given_ones := {name: one for name, one in teaching.items() if one}:
        changes["teaching"] = {**changes.get("teaching", {}), **given_ones}
    changes = with_stages(config, changes, only, without)
    trainings = read_trainings(config, changes)
    if jobs > 1 and not any(parser.has_jobs for parser, _ in trainings.values()):
        complain("--jobs: only bayes-point and boosting do several things at a time", kind="note")
    files = TrainingFiles(
        train=treebank,
        model=output,
        dev=dev,
        guide=guide,
        dev_guide=dev_guide,
        unlabelled=unlabelled,
        format_name=format_name,
        head_rules=head_rules,
        log=log,
        similarity=similarity,
        vectors=vectors,
        base_model=base_model,
        force=force,
        teaching=read_teaching(config, changes),
    )
    _train(files, trainings, jobs, resume, context.obj or ())


def with_fast(changes: dict[str, Any]) -> dict[str, Any]:
    """The settings of a call with --fast: a first-order linear parser on gold tags."""
    for name in ("scorer", "order"):
        if changes.get(name) not in (None, "linear", 1):
            raise UsageError(f"--fast is the first order of --scorer linear: leave out --{name}")
    return {"scorer": "linear", "order": 1, **changes, "pipeline": {"tags": "gold",
            **changes.get("pipeline", {})}}  # fmt: skip


def with_stages(
    config: "Path | None", changes: dict[str, Any], only: str | None, without: str | None
) -> dict[str, Any]:
    """The settings of a call with only some stages (and those it takes from models), or without.

    They are known before anything is chosen by default: without a tagger there are no own tags.
    """
    from headwise.pipeline.storage import STAGES
    from headwise.pipeline.training.config import RECIPE
    from headwise.pipeline.training.recipe import Recipe
    from headwise.storage.settings import read_settings

    if only is not None and without is not None:
        raise UsageError("--only and --without say the same thing: give one of them")
    if only is None and without is None:
        return changes
    named = split_at_commas(only or without or "")
    for name in named:
        if name not in STAGES:
            raise UsageError(f"there is no stage {name!r}; there are {', '.join(STAGES)}")
    recipe = read_settings(config, Recipe, changes=changes, table=RECIPE)
    if only is not None:
        kept = [name for name in STAGES if name in named or name in recipe.reuse]
    else:
        kept = [name for name in recipe.stages if name not in named]
    return {**changes, RECIPE: {**changes.get(RECIPE, {}), "stages": kept}}


def _train(
    files: "TrainingFiles",
    trainings: "dict[str, tuple[Parser, Recipe]]",
    jobs: int,
    resume: bool,
    call: Sequence[str],
) -> None:
    from headwise.cli.trainingprogress import training_progress
    from headwise.learners.checkpoint import can_resume
    from headwise.pipeline.training.best import checkpoints, train_best
    from headwise.pipeline.training.trainfiles import has_parsed_text

    try:
        with training_progress() as callback:
            pipeline, report, choice = train_best(
                files, trainings, callback, jobs=jobs, resume=resume
            )
            callback.total()
    except (KeyboardInterrupt, SystemExit):
        if any(map(can_resume, checkpoints(files, trainings))) or has_parsed_text(files):
            typer.echo(f"saved; to go on: {resuming(call)}", err=True)
        raise
    if choice is not None:
        typer.echo(str(choice))
    for line in score_lines(report.get("dev", {})):
        typer.echo(line)
    recipe = trainings[choice.kept if choice is not None else next(iter(trainings))][1]
    if recipe.trains("parser") and pipeline.parser is not None:
        typer.echo(safe_text(f"wrote {files.model}: {pipeline.parser.summary()}"))
    else:
        typer.echo(safe_text(f"wrote {files.model}: {', '.join(recipe.stages)}"))


def resuming(call: Sequence[str]) -> str:
    """The call that goes on where this one was interrupted."""
    again = [*call, *(["--resume"] if "--resume" not in call else [])]
    return safe_text(shlex.join(["headwise", *again]))


def score_lines(scores: dict[str, dict[str, float | None]]) -> list[str]:
    """The scores on dev, a line for each condition; it says how relations were compared."""
    from headwise.pipeline.storage import MEASURES, score_text

    return [
        f"dev, {condition}: "
        + ", ".join(f"{MEASURES[name]} {score_text(own[name])}" for name in MEASURES if name in own)
        + (WITHOUT_SUBTYPES if "las" in own else "")
        for condition, own in scores.items()
    ]

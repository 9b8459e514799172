"""`headwise train`: a pipeline from a treebank, or stages of one."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from headwise.cli import trainoptions as chosen
from headwise.cli.boosting import BOOSTING, boosting_summary
from headwise.cli.lexical import LEXICAL, lexical_summary
from headwise.cli.linkmargin import LINK_MARGIN, link_summary
from headwise.cli.options import From, HeadRules, split_at_commas
from headwise.cli.trainsettings import chosen_settings
from headwise.errors import UsageError
from headwise.parsers.card import pruner_text
from headwise.safe import safe_text

if TYPE_CHECKING:
    from headwise.pipeline.training.recipe import Recipe
    from headwise.pipeline.training.trainfiles import TrainingFiles
    from headwise.pipeline.training.trainkinds import AnySettings


def train(
    context: typer.Context,
    treebank: chosen.Treebank,
    output: chosen.Output,
    dev: chosen.Dev = None,
    guide: chosen.Guide = None,
    dev_guide: chosen.DevGuide = None,
    unlabelled: chosen.Unlabelled = None,
    format_name: From = None,
    head_rules: HeadRules = None,
    config: chosen.Config = None,
    log: chosen.Log = None,
    resume: chosen.Resume = False,
    force: chosen.Force = False,
    only: chosen.Only = None,
    without: chosen.Without = None,
    tokeniser: chosen.Tokeniser = None,
    tagger: chosen.Tagger = None,
    lemmas: chosen.Lemmas = None,
    parser: chosen.Parser = None,
    train_tags: chosen.TrainTags = None,
    folds: chosen.Folds = None,
    order: chosen.Order = None,
    parts: chosen.Parts = None,
    learner: chosen.Learner = None,
    decoder: chosen.Decoder = None,
    epochs: chosen.Epochs = None,
    seed: chosen.Seed = None,
    k: chosen.K = None,
    loss: chosen.Loss = None,
    labels: chosen.Labels = None,
    augmented: chosen.Augmented = None,
    averaging: chosen.Averaging = None,
    most: chosen.Most = None,
    rate: chosen.Rate = None,
    decay: chosen.Decay = None,
    beta: chosen.Beta = None,
    betas: chosen.Betas = None,
    laplacian: chosen.Laplacian = None,
    alpha: chosen.Alpha = None,
    lam: chosen.Lam = None,
    targets: chosen.Targets = None,
    members: chosen.Members = None,
    jobs: chosen.Jobs = 1,
    crossing: chosen.Crossing = None,
    single_root: chosen.SingleRoot = None,
    longest: chosen.Longest = None,
    variant: chosen.Variant = None,
    rounds: chosen.Rounds = None,
    update: chosen.Update = None,
    keep: chosen.Keep = None,
    prior: chosen.Prior = None,
    dynamic: chosen.Dynamic = None,
    similarity: chosen.Similarity = None,
    features: chosen.Features = None,
    part_features: chosen.PartFeatures = None,
    share: chosen.Share = None,
    heads: chosen.Heads = None,
    tags: chosen.Tags = None,
    lowercase: chosen.Lowercase = None,
    numbers: chosen.Numbers = None,
    backoff: chosen.Backoff = None,
    prefix: chosen.Prefix = None,
    plausible: chosen.Plausible = None,
    bits: chosen.Bits = None,
    thin: chosen.Thin = None,
    wide: chosen.Wide = None,
    narrow: chosen.Narrow = None,
    filters: chosen.Filters = None,
    part_lines: chosen.PartLines = None,
    label_weights: chosen.LabelWeights = None,
) -> None:
    """Train a pipeline on a treebank: tokeniser, tagger, lemmas and parser, or some of them.

    Checkpoints of the parser are written beside the model: cut short at any moment, the same call
    with --resume goes on, and ends with the same weights.

    Example: `headwise train train.conllu --dev dev.conllu -o my-model`
    """
    given = {"tokeniser": tokeniser, "tagger": tagger, "lemmas": lemmas, "parser": parser}
    recipe = chosen_recipe(only, without, given, {"tags": train_tags, "folds": folds})
    settings = chosen_settings(config, context.params)
    from headwise.pipeline.training.trainfiles import TrainingFiles

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
        force=force,
    )
    _train(files, settings, recipe, jobs, resume, context.obj or ())


def chosen_recipe(
    only: str | None,
    without: str | None,
    given: dict[str, Path | None],
    values: dict[str, Any],
) -> "Recipe":
    """The stages to train and to take from elsewhere."""
    from headwise.pipeline.storage import STAGES as ALL
    from headwise.pipeline.training.recipe import Recipe

    if only is not None and without is not None:
        raise UsageError("--only and --without say the same thing: give one of them")
    if values["folds"] is not None and values["tags"] in (None, "gold"):
        raise UsageError("--folds is of --train-tags jackknife or both")
    named = split_at_commas(only or without or "")
    for name in named:
        if name not in ALL:
            raise UsageError(f"there is no stage {name!r}; there are {', '.join(ALL)}")
    taken = {name: path for name, path in given.items() if path is not None}
    chosen = [name for name in ALL if only is None or name in named or name in taken]
    stages = tuple(name for name in chosen if without is None or name not in named)
    return Recipe(
        stages=stages, given=taken, **{key: one for key, one in values.items() if one is not None}
    )


def _train(
    files: "TrainingFiles",
    settings: "AnySettings",
    recipe: "Recipe",
    jobs: int,
    resume: bool,
    call: Sequence[str],
) -> None:
    from headwise.cli.progress import training_watcher
    from headwise.learners.checkpoint import can_resume
    from headwise.pipeline.training.trainfiles import train_files

    try:
        with training_watcher() as callback:
            pipeline, report = train_files(
                files,
                settings,
                callback,
                recipe=recipe,
                tell=callback.stage,
                jobs=jobs,
                resume=resume,
            )
            callback.stages.total()
    except (KeyboardInterrupt, SystemExit):
        if can_resume(files.checkpoint):
            typer.echo(f"saved; to go on: {resuming(call)}", err=True)
        raise
    for line in score_lines(report.get("dev", {})):
        typer.echo(line)
    if recipe.trains("parser") and pipeline.parser is not None:
        summed_up = SUMMARIES.get(pipeline.parser.storage().kind, usual_summary)
        typer.echo(safe_text(f"wrote {files.model}: {summed_up(pipeline.parser.report_)}"))
    else:
        typer.echo(safe_text(f"wrote {files.model}: {', '.join(recipe.stages)}"))


def resuming(call: Sequence[str]) -> str:
    """The call that goes on where this one was interrupted."""
    again = [*call, *(["--resume"] if "--resume" not in call else [])]
    return safe_text(shlex.join(["headwise", *again]))


def score_lines(scores: dict[str, dict[str, float | None]]) -> list[str]:
    """The scores on dev, a line for each condition."""
    from headwise.pipeline.storage import MEASURES, score_text

    return [
        f"dev, {condition}: "
        + ", ".join(f"{MEASURES[name]} {score_text(own[name])}" for name in MEASURES if name in own)
        for condition, own in scores.items()
    ]


def usual_summary(report: Mapping[str, Any]) -> str:
    """What came out, in a line."""
    parts = [f"epoch {report['epoch']}"]
    if "dev_uas" in report:
        full = report["dev_uas_32_bits"]
        parts.append(f"dev UAS {report['dev_uas']:.2f} ({full:.2f} with 32-bit weights)")
    if "dev_las" in report:
        parts.append(f"LAS with subtypes {report['dev_las']:.2f}")
    parts.append(f"{report['features']:,} features, {report['weights']:,} weights")
    if "pruner" in report:
        parts.append(f"its pruner keeps {pruner_text(report['pruner'])}")
    members = [one["dev_uas"] for one in report["members"] if "dev_uas" in one]
    if members:
        mean = sum(members) / len(members)
        parts.append(f"members {min(members):.2f} to {max(members):.2f}, mean {mean:.2f}")
    return ", ".join(parts)


SUMMARIES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    LEXICAL: lexical_summary,
    LINK_MARGIN: link_summary,
    BOOSTING: boosting_summary,
}
"""What is said of parsers with settings of their own, by their kind."""

"""`headwise train`: a pipeline from a treebank, or stages of one."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headwise.cli.boosting import BOOSTING, boosting_summary, chosen_boosting_settings
from headwise.cli.lexical import LEXICAL, chosen_lexical_settings, lexical_summary
from headwise.cli.margins import LOCAL_MARGIN, chosen_margin_settings, margin_summary
from headwise.cli.options import From, HeadRules
from headwise.errors import FormatError, UsageError
from headwise.safe import safe_text

if TYPE_CHECKING:
    from headwise.learners.settings import TrainingSettings
    from headwise.parserkinds import Parser
    from headwise.recipe import Recipe
    from headwise.trainfiles import TrainingFiles
    from headwise.trainkinds import AnySettings

FILES, STAGES, LEARNING = "Files", "Stages of the pipeline", "Learning of the parser"
LOOKING, MODEL = "What the parser looks at", "The model of the parser"

OWN_SETTINGS: dict[str, "Callable[[Path | None, Mapping[str, Any]], AnySettings]"] = {
    LEXICAL: chosen_lexical_settings,
    LOCAL_MARGIN: chosen_margin_settings,
    BOOSTING: chosen_boosting_settings,
}
"""Learners whose parsers have settings of their own, and how these are chosen."""


def option(panel: str, text: str, *names: str, **settings: Any) -> Any:
    """An option under a heading of the help page."""
    return typer.Option(*names, help=text, rich_help_panel=panel, show_default=False, **settings)


def train(
    context: typer.Context,
    treebank: Annotated[Path, typer.Argument(help="Gold trees; - is standard input.")],
    output: Annotated[Path, option(FILES, "The model to write: a folder.", "--output", "-o")],
    dev: Annotated[Path | None, option(FILES, "Development data; its best epoch is kept.")] = None,
    guide: Annotated[
        Path | None, option(FILES, "The treebank as another parser has parsed it, to correct it.")
    ] = None,
    dev_guide: Annotated[Path | None, option(FILES, "The same for dev.")] = None,
    unlabelled: Annotated[
        Path | None,
        option(
            FILES,
            "Sentences without trees, text or any format: semisupervised learns from them, "
            "local-margin counts their words.",
        ),
    ] = None,
    format_name: From = None,
    head_rules: HeadRules = None,
    config: Annotated[
        Path | None, option(FILES, "Settings in TOML; options given here go before them.")
    ] = None,
    log: Annotated[
        Path | None, option(FILES, "The training log; MODEL.log.jsonl by default.")
    ] = None,
    resume: Annotated[
        bool, option(FILES, "Go on from a checkpoint, if there is one.", "--resume")
    ] = False,
    force: Annotated[bool, option(FILES, "Replace a model that is there.", "--force")] = False,
    only: Annotated[
        str | None,
        option(STAGES, "Only these, with commas: tokeniser, tagger, lemmas, parser."),
    ] = None,
    without: Annotated[str | None, option(STAGES, "All but these, with commas.")] = None,
    tokeniser: Annotated[
        Path | None, option(STAGES, "A model whose tokeniser is taken instead of training one.")
    ] = None,
    tagger: Annotated[Path | None, option(STAGES, "The same for the tagger.")] = None,
    lemmas: Annotated[Path | None, option(STAGES, "The same for lemmas.")] = None,
    parser: Annotated[Path | None, option(STAGES, "The same for the parser.")] = None,
    train_tags: Annotated[
        str | None,
        option(
            STAGES,
            "Tags the parser learns from: gold (the default), jackknife (those of taggers that "
            "have not seen the sentence), or both.",
        ),
    ] = None,
    folds: Annotated[int | None, option(STAGES, "Folds of the jackknife (10).", min=2)] = None,
    order: Annotated[
        int | None, option(LEARNING, "Order of the parser: 1 (the default) to 4.")
    ] = None,
    parts: Annotated[
        str | None,
        option(
            LEARNING,
            "Part types instead of an order, with commas: arc, sibling, grandchild, "
            "grand-sibling, tri-sibling, grand-tri-sibling, stop.",
        ),
    ] = None,
    learner: Annotated[
        str | None,
        option(
            LEARNING,
            "mira (the default), factored-mira, perceptron, bayes-point, log-linear, arc-margin, "
            "semisupervised; models of words alone: lexical (counts), local-margin (links); "
            "boosting (classifiers of links).",
        ),
    ] = None,
    decoder: Annotated[
        str | None, option(LEARNING, "Trees to search: projective (the default), non-projective.")
    ] = None,
    epochs: Annotated[int | None, option(LEARNING, "Times over the treebank (10).")] = None,
    seed: Annotated[int | None, option(LEARNING, "Of the sentences' order (0).")] = None,
    k: Annotated[int | None, option(LEARNING, "Trees that mira learns from at a time (1).")] = None,
    loss: Annotated[
        str | None,
        option(
            LEARNING,
            "What mira's margins grow with: heads, no-punctuation, complete, or labelled (with "
            "joint labels); local-margin: local or global.",
        ),
    ] = None,
    labels: Annotated[
        str | None,
        option(
            LEARNING,
            "Relations: second-stage (the default) labels finished trees, joint learns labelled "
            "arcs, none.",
        ),
    ] = None,
    augmented: Annotated[
        bool | None,
        option(
            LEARNING,
            "Whether mira looks for the trees that violate margins most (yes).",
            "--augmented/--not-augmented",
        ),
    ] = None,
    most: Annotated[float | None, option(LEARNING, "mira: bound of a constraint (1).")] = None,
    rate: Annotated[
        float | None, option(LEARNING, "log-linear, semisupervised: size of steps (0.1).")
    ] = None,
    decay: Annotated[float | None, option(LEARNING, "log-linear: pull to 0 (0).")] = None,
    beta: Annotated[
        float | None, option(LEARNING, "arc-margin, local-margin: pull to 0 (1).")
    ] = None,
    betas: Annotated[
        str | None,
        option(LEARNING, "local-margin: several, with commas; cross-validation chooses."),
    ] = None,
    laplacian: Annotated[
        float | None, option(LEARNING, "local-margin: pull of similar pairs to each other (0).")
    ] = None,
    alpha: Annotated[float | None, option(LEARNING, "semisupervised: pull to 0 (1).")] = None,
    lam: Annotated[
        float | None,
        option(LEARNING, "semisupervised: what sentences without trees count (0.01).", "--lambda"),
    ] = None,
    targets: Annotated[
        str | None,
        option(
            LEARNING,
            "semisupervised: sentences without trees may have heads (the default), as in the "
            "thesis, or mixtures of trees.",
        ),
    ] = None,
    members: Annotated[int | None, option(LEARNING, "bayes-point: perceptrons (10).")] = None,
    jobs: Annotated[
        int,
        option(
            LEARNING, "bayes-point: perceptrons trained at a time; boosting: threads (1).", min=1
        ),
    ] = 1,
    crossing: Annotated[
        str | None,
        option(
            LEARNING,
            "Crossing arcs under projective search: lift, lift-head, lift-path, lift-head+path "
            "(relations say where from, and it is undone), reorder, leave-out.",
        ),
    ] = None,
    single_root: Annotated[
        bool | None,
        option(
            LEARNING,
            "Whether trees have one root; as in the treebank by default.",
            "--single-root/--several-roots",
        ),
    ] = None,
    longest: Annotated[int | None, option(LEARNING, "Leave out sentences of more words.")] = None,
    variant: Annotated[
        str | None,
        option(LEARNING, "lexical: words (the default), one-word, joint, tags, joint-tags."),
    ] = None,
    rounds: Annotated[int | None, option(LEARNING, "boosting: rounds (4).")] = None,
    update: Annotated[
        str | None,
        option(LEARNING, "boosting: additive (the default), m1, m2 (AdaBoost), logistic."),
    ] = None,
    keep: Annotated[
        str | None, option(LEARNING, "boosting: the last round (the default), or the ensemble.")
    ] = None,
    prior: Annotated[
        str | None, option(LEARNING, "boosting: exponential (the default), l2.")
    ] = None,
    dynamic: Annotated[
        bool | None,
        option(
            LOOKING,
            "boosting: whether links look at earlier modifiers of their head (yes).",
            "--dynamic/--static",
        ),
    ] = None,
    similarity: Annotated[
        Path | None,
        option(FILES, "lexical, local-margin: similar words, of headwise similarity build."),
    ] = None,
    features: Annotated[
        str | None,
        option(
            LOOKING,
            "A feature set by name (see headwise features), or a file; local-margin: pairs, pmi, "
            "distance, with commas.",
        ),
    ] = None,
    part_features: Annotated[
        str | None,
        option(LOOKING, "The same for higher parts: default, paper-002, paper-003, or a file."),
    ] = None,
    share: Annotated[
        float | None,
        option(LEARNING, "Above order 1, prune arcs of less than this share of the best (0.005)."),
    ] = None,
    heads: Annotated[int | None, option(LEARNING, "… and keep at most so many heads (10).")] = None,
    tags: Annotated[
        str | None, option(LOOKING, "Which tags count: both (the default), upos, xpos, none.")
    ] = None,
    lowercase: Annotated[
        bool | None, option(LOOKING, "Make words small.", "--lowercase/--keep-case")
    ] = None,
    numbers: Annotated[str | None, option(LOOKING, "Numbers: keep, one, chinese.")] = None,
    backoff: Annotated[
        str | None, option(LOOKING, "What words back off to: prefix, lemma, none.")
    ] = None,
    prefix: Annotated[int | None, option(LOOKING, "Characters of a prefix (5).")] = None,
    bits: Annotated[int | None, option(MODEL, "Bits of a weight: 8 (the default), 16, 32.")] = None,
    thin: Annotated[
        int | None, option(MODEL, "Leave out weights of so few steps: a smaller file (0).")
    ] = None,
    wide: Annotated[
        int | None, option(MODEL, "Lines of features with distance, as a power of 2 (21).")
    ] = None,
    narrow: Annotated[
        int | None, option(MODEL, "Lines of features with direction only (22).")
    ] = None,
    filters: Annotated[int | None, option(MODEL, "Bits of filters of pairs (22).")] = None,
    part_lines: Annotated[int | None, option(MODEL, "Lines of higher parts (22).")] = None,
    label_weights: Annotated[int | None, option(MODEL, "Weights of relations (22).")] = None,
) -> None:
    """Train a pipeline on a treebank: tokeniser, tagger, lemmas and parser, or some of them.

    Checkpoints of the parser are written beside the model: cut short at any moment, the same call
    with --resume goes on, and ends with the same weights.

    Example: `headwise train train.conllu --dev dev.conllu -o my-model`
    """
    given = {"tokeniser": tokeniser, "tagger": tagger, "lemmas": lemmas, "parser": parser}
    recipe = chosen_recipe(only, without, given, {"tags": train_tags, "folds": folds})
    if order is not None and parts is not None:
        raise UsageError("--order and --parts say the same thing: give one of them")
    values = {
        "order": order, "parts": parts.split(",") if parts is not None else None,
        "part_features": part_features, "pruner": {"share": share, "most": heads},
        "learner": learner, "decoder": decoder, "epochs": epochs, "seed": seed, "k": k,
        "loss": loss, "augmented": augmented, "most": most, "rate": rate, "decay": decay,
        "alpha": alpha, "beta": beta, "targets": targets, "lam": lam,
        "members": members, "crossing": crossing, "single_root": single_root,
        "labels": labels, "longest": longest, "features": features, "tags": tags, "bits": bits,
        "thin": thin,
        "words": {"lowercase": lowercase, "numbers": numbers, "backoff": backoff,
                  "length": prefix},
        "tables": {"wide": wide, "narrow": narrow, "filters": filters, "parts": part_lines,
                   "labels": label_weights},
    }  # fmt: skip
    own: dict[str, dict[str, Any]] = {
        LEXICAL: {"variant": variant},
        LOCAL_MARGIN: {"betas": betas, "laplacian": laplacian},
        BOOSTING: {
            "rounds": rounds, "update": update, "keep": keep, "prior": prior, "dynamic": dynamic,
        },
    }  # fmt: skip
    settings = chosen_any(config, values, own)
    from headwise.trainfiles import TrainingFiles

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
    from headwise.pipelinefile import STAGES as ALL
    from headwise.recipe import Recipe

    if only is not None and without is not None:
        raise UsageError("--only and --without say the same thing: give one of them")
    named = (only or without or "").replace(" ", "").split(",") if only or without else []
    for name in named:
        if name not in ALL:
            raise UsageError(f"there is no stage {name!r}; there are {', '.join(ALL)}")
    taken = {name: path for name, path in given.items() if path is not None}
    chosen = [name for name in ALL if only is None or name in named or name in taken]
    stages = tuple(name for name in chosen if without is None or name not in named)
    return Recipe(
        stages=stages, given=taken, **{key: one for key, one in values.items() if one is not None}
    )


def chosen_any(
    config: Path | None, values: dict[str, Any], own: Mapping[str, dict[str, Any]]
) -> "AnySettings":
    """The settings of the learner that was chosen; some have options of their `own`."""
    learner = values["learner"]
    for name, options in own.items():
        given = [key for key, value in options.items() if value is not None]
        if given and learner != name:
            raise UsageError(f"--{given[0]} is of another learner: --learner {name}")
    if learner in OWN_SETTINGS:
        return OWN_SETTINGS[learner](config, values | own[learner])
    return chosen_settings(config, values)


def chosen_settings(config: Path | None, values: dict[str, Any]) -> "TrainingSettings":
    """The settings of a file, or the defaults, under those that were given in the call."""
    from headwise.learners.settings import TrainingSettings
    from headwise.settings import from_mapping, read_settings, to_mapping

    base = read_settings(config, TrainingSettings) if config else TrainingSettings()
    mapping = to_mapping(base)
    for name, value in values.items():
        if isinstance(value, dict):
            given = {key: one for key, one in value.items() if one is not None}
            mapping[name] = {**mapping[name], **given}
        elif value is not None:
            mapping[name] = value
    try:
        return from_mapping(TrainingSettings, mapping)
    except FormatError as error:  # the file was good: it is the call
        raise UsageError(str(error)) from error


def _train(
    files: "TrainingFiles",
    settings: "AnySettings",
    recipe: "Recipe",
    jobs: int,
    resume: bool,
    call: Sequence[str],
) -> None:
    from headwise.cli.progress import StageLines, training_watcher
    from headwise.learners.checkpoint import can_resume
    from headwise.trainfiles import train_files

    try:
        with training_watcher() as watcher:
            pipeline, report = train_files(
                files, settings, watcher, recipe=recipe, tell=StageLines(), jobs=jobs, resume=resume
            )
    except (KeyboardInterrupt, SystemExit):
        if can_resume(files.checkpoint):
            typer.echo(f"saved; to go on: {resuming(call)}", err=True)
        raise
    for line in score_lines(report.get("dev", {})):
        typer.echo(line)
    if recipe.trains("parser") and pipeline.parser is not None:
        typer.echo(safe_text(f"wrote {files.model}: {summary(pipeline.parser)}"))
    else:
        typer.echo(safe_text(f"wrote {files.model}: {', '.join(recipe.stages)}"))


def resuming(call: Sequence[str]) -> str:
    """The call that goes on where this one was interrupted."""
    again = [*call, *(["--resume"] if "--resume" not in call else [])]
    return safe_text(shlex.join(["headwise", *again]))


def score_lines(scores: dict[str, dict[str, float | None]]) -> list[str]:
    """The scores on dev, a line for each condition."""
    from headwise.pipelinefile import MEASURES

    return [
        f"dev, {condition}: "
        + ", ".join(f"{MEASURES[name]} {own[name]:.2f}" for name in MEASURES if own.get(name))
        for condition, own in scores.items()
    ]


def summary(parser: "Parser") -> str:
    """What came out, in a line."""
    report = parser.report_
    if "round" in report:
        return boosting_summary(report)
    if "margins" in report:
        return margin_summary(report)
    if "epoch" not in report:
        return lexical_summary(report)
    parts = [f"epoch {report['epoch']}"]
    if "dev_uas" in report:
        full = report["dev_uas_32_bits"]
        parts.append(f"dev UAS {report['dev_uas']:.2f} ({full:.2f} with 32-bit weights)")
    if "dev_las" in report:
        parts.append(f"LAS {report['dev_las']:.2f}")
    parts.append(f"{report['features']:,} features, {report['weights']:,} weights")
    members = [one["dev_uas"] for one in report["members"] if "dev_uas" in one]
    if members:
        mean = sum(members) / len(members)
        parts.append(f"members {min(members):.2f} to {max(members):.2f}, mean {mean:.2f}")
    return ", ".join(parts)

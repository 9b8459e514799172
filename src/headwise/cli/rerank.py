"""`headwise rerank`: learn which candidate is the best, and say how probable candidates are."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from headwise.cli.options import (
    DECODE_HELP,
    Force,
    From,
    Model,
    NewModel,
    Output,
    split_at_commas,
)
from headwise.errors import UsageError

TREE_KERNEL = "tree-kernel"
LINEAR = ("log-linear", "perceptron", "voted", "large-margin")
OF_LEARNERS = {
    "most": ("large-margin",),
    "prior": ("log-linear",),
    "least": LINEAR,
    "features": LINEAR,
    "dev": ("log-linear", "perceptron", "large-margin"),
}
"""Options that only some learners look at."""

Loss = Annotated[
    str | None,
    typer.Option(
        help="For dependencies, whether relations count: labelled (the default), unlabelled."
    ),
]
Lists = Annotated[
    Path,
    typer.Argument(help="Candidate lists: of `parse --kbest` or `constituency parse --kbest`."),
]


def train(
    lists: Lists,
    gold: Annotated[Path, typer.Argument(help="The right trees of these sentences.")],
    output: NewModel,
    learner: Annotated[
        str,
        typer.Option(
            help="log-linear, perceptron (averaged), voted, large-margin; for constituents also "
            "tree-kernel."
        ),
    ] = "log-linear",
    features: Annotated[
        str | None,
        typer.Option(help="Features by name, with commas; all by default (see the documentation)."),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(min=1, help="Times over all lists (10; tree-kernel 1).")
    ] = None,
    least: Annotated[
        int | None, typer.Option(min=1, help="Lists that a feature must matter in (5).")
    ] = None,
    most: Annotated[
        float | None, typer.Option(help="large-margin: bound of a step (0.01).")
    ] = None,
    prior: Annotated[
        float | None, typer.Option(help="log-linear: how strongly weights are held (5).")
    ] = None,
    loss: Loss = None,
    dev: Annotated[
        Path | None, typer.Option(help="Candidate lists to tune the scale of probabilities on.")
    ] = None,
    dev_gold: Annotated[Path | None, typer.Option(help="The right trees of --dev.")] = None,
    force: Force = False,
) -> None:
    """Learn a reranker from candidate lists and the right trees.

    The lists must be made by parsers that did not learn from these trees: see `jackknife`.

    Example: `headwise rerank train train.kbest.conllu train.conllu -o my-reranker`
    """
    from headwise.storage.modelfile import check_model_path

    if (dev is None) != (dev_gold is None):
        raise UsageError("--dev and --dev-gold go together")
    of_learner = {"least": least, "most": most, "prior": prior}
    refuse_options_of_others(learner, of_learner | {"features": features, "dev": dev})
    check_model_path(output, force=force)
    options: dict[str, Any] = {"learner": learner}
    options |= {name: value for name, value in of_learner.items() if value is not None}
    options |= {"epochs": epochs if epochs is not None else 1 if learner == TREE_KERNEL else 10}
    from headwise.cli.reranking import RerankerTask, train_constituents, train_dependencies

    task = RerankerTask(
        model=output,
        lists=lists,
        gold=gold,
        options=options,
        names=None if features is None else split_at_commas(features),
        tuning=None if dev is None or dev_gold is None else (dev, dev_gold),
        force=force,
    )
    if not is_bracketed(gold):
        typer.echo(train_dependencies(task, loss or "labelled"))
        return
    if loss is not None:
        raise UsageError("--loss is for dependencies: brackets are compared as evalb does")
    typer.echo(train_constituents(task))


def refuse_options_of_others(learner: str, options: Mapping[str, Any]) -> None:
    """Raise if an option is given that the learner does not look at."""
    for name, value in options.items():
        learners = OF_LEARNERS[name]
        if value is not None and learner in (*LINEAR, TREE_KERNEL) and learner not in learners:
            others = " or ".join(learners)
            raise UsageError(f"{learner} has no --{name}, which is of --learner {others}")


def apply(
    lists: Lists,
    model: Model,
    output: Output = Path("-"),
    decode: Annotated[
        str | None, typer.Option(help=f"Write trees, not lists. {DECODE_HELP}")
    ] = None,
    loss: Loss = None,
) -> None:
    """Rerank candidate lists: the scores become logarithms of the reranker's probabilities.

    Example: `headwise rerank apply dev.kbest.conllu --model my-reranker --decode mbr`
    """
    from headwise.cli.reranking import apply_to_constituents, apply_to_dependencies, trees_of
    from headwise.search.decoders.decodenames import decode_name

    name = None if decode is None else decode_name(decode)
    if loss is not None and name is None:
        raise UsageError("--loss is of --decode")
    if trees_of(model) != "constituents":
        apply_to_dependencies(model, lists, output, name, loss or "labelled")
        return
    if loss is not None:
        raise UsageError("--loss is for dependencies: brackets are compared as evalb does")
    apply_to_constituents(model, lists, output, name)


def jackknife(
    treebank: Annotated[
        Path, typer.Argument(help="The treebank that a reranker shall learn from.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The lists to write.")],
    folds: Annotated[int, typer.Option(min=2, help="Parts; a parser is trained for each.")] = 5,
    kbest: Annotated[int, typer.Option(min=1, help="Candidates of each sentence.")] = 20,
    config: Annotated[
        Path | None, typer.Option(help="Settings of the dependency parsers: a TOML file.")
    ] = None,
    format_name: From = None,
) -> None:
    """Make lists to learn a reranker from: of each part of a treebank, by a parser of the others.

    Example: `headwise rerank jackknife train.conllu -o train.kbest.conllu`
    """
    from headwise.cli.reranking import jackknife_constituents, jackknife_dependencies

    if is_bracketed(treebank, format_name):
        if config is not None:
            raise UsageError("--config is for dependency parsers")
        jackknife_constituents(treebank, output, folds, kbest)
    else:
        jackknife_dependencies(treebank, output, folds, kbest, config, format_name)


COMMANDS = (train, apply, jackknife)


def is_bracketed(path: Path, format_name: str | None = None) -> bool:
    """Whether a file holds constituent trees."""
    from headwise.corpus.formats import BRACKETS, existing

    return existing(path, format_name) is BRACKETS

"""`headwise rerank`: train rerankers of k-best lists, and apply them."""

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
from headwise.corpus.formats import BRACKETS, existing
from headwise.errors import UsageError

TREE_KERNEL = "tree-kernel"
LINEAR = ("log-linear", "perceptron", "voted", "large-margin", "svm")
OF_LEARNERS = {
    "c": ("large-margin", "svm"),
    "prior": ("log-linear",),
    "least": LINEAR,
    "features": LINEAR,
    "dev": ("log-linear", "perceptron", "large-margin", "svm"),
}
"""Options that only some learners have."""

Loss = Annotated[
    str | None,
    typer.Option(
        help="Loss for dependencies: labelled counts relations, unlabelled does not "
        "[default: labelled]."
    ),
]
Lists = Annotated[
    Path,
    typer.Argument(help="k-best lists, from `parse --kbest` or `constituency parse --kbest`."),
]


def train(
    lists: Lists,
    gold: Annotated[Path, typer.Argument(help="Gold trees of these sentences.")],
    output: NewModel,
    learner: Annotated[
        str,
        typer.Option(
            help="Learner: log-linear, perceptron (averaged), voted, large-margin, svm; for "
            "brackets also tree-kernel."
        ),
    ] = "log-linear",
    features: Annotated[
        str | None,
        typer.Option(help="Feature groups, comma-separated [default: all] (see the docs)."),
    ] = None,
    epochs: Annotated[
        int | None,
        typer.Option(min=1, help="Number of training epochs [default: 10; for tree-kernel: 1]."),
    ] = None,
    least: Annotated[
        int | None,
        typer.Option(min=1, help="Drop features that vary in fewer lists than this [default: 5]."),
    ] = None,
    c: Annotated[
        float | None,
        typer.Option("--c", help="The parameter C of large-margin and svm [default: 0.01]."),
    ] = None,
    prior: Annotated[
        float | None,
        typer.Option(help="L2 regularisation strength of log-linear [default: 5]."),
    ] = None,
    loss: Loss = None,
    dev: Annotated[
        Path | None, typer.Option(help="k-best lists to tune the scale of the probabilities on.")
    ] = None,
    dev_gold: Annotated[Path | None, typer.Option(help="Gold trees of --dev.")] = None,
    force: Force = False,
) -> None:
    """Train a reranker on k-best lists and gold trees.

    The parsers that made the lists must not have been trained on these trees: see `jackknife`.

    Example: `headwise rerank train train.kbest.conllu train.conllu -o my-reranker`
    """
    from headwise.storage.modelfile import check_model_path

    if (dev is None) != (dev_gold is None):
        raise UsageError("--dev requires --dev-gold, and the other way round")
    of_learner = {"least": least, "c": c, "prior": prior}
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
        raise UsageError("--loss applies to dependency trees only")
    typer.echo(train_constituents(task))


def refuse_options_of_others(learner: str, options: Mapping[str, Any]) -> None:
    """Raise if an option is given that the learner does not have."""
    for name, value in options.items():
        learners = OF_LEARNERS[name]
        if value is not None and learner in (*LINEAR, TREE_KERNEL) and learner not in learners:
            others = " or ".join(learners)
            raise UsageError(f"--{name} requires --learner {others}, not {learner}")


def apply(
    lists: Lists,
    model: Model,
    output: Output = Path("-"),
    decode: Annotated[
        str | None,
        typer.Option(help=f"Write one tree per sentence instead of lists. {DECODE_HELP}"),
    ] = None,
    loss: Loss = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Fail on labels the reranker has not seen [default: no weight]."
        ),
    ] = False,
) -> None:
    """Rerank k-best lists: scores become the reranker's log-probabilities.

    Example: `headwise rerank apply dev.kbest.conllu --model my-reranker --decode mbr`
    """
    from headwise.cli.reranking import apply_to_constituents, apply_to_dependencies, trees_of
    from headwise.search.decoders.decodenames import decode_name

    name = None if decode is None else decode_name(decode)
    if loss is not None and name is None:
        raise UsageError("--loss requires --decode")
    if trees_of(model) != "constituents":
        apply_to_dependencies(model, lists, output, name, loss or "labelled", strict=strict)
        return
    if loss is not None:
        raise UsageError("--loss applies to dependency trees only")
    apply_to_constituents(model, lists, output, name, strict=strict)


def jackknife(
    treebank: Annotated[Path, typer.Argument(help="Treebank to train the reranker on.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="k-best lists to write.")],
    folds: Annotated[int, typer.Option(min=2, help="Number of folds.")] = 5,
    kbest: Annotated[int, typer.Option(min=1, help="Number of candidates per sentence.")] = 20,
    config: Annotated[
        Path | None, typer.Option(help="Settings of the dependency parsers: a TOML file.")
    ] = None,
    format_name: From = None,
) -> None:
    """Write k-best lists for a treebank, parsing each fold with a parser trained on the others.

    Example: `headwise rerank jackknife train.conllu -o train.kbest.conllu`
    """
    from headwise.cli.reranking import jackknife_constituents, jackknife_dependencies

    if is_bracketed(treebank, format_name):
        if config is not None:
            raise UsageError("--config applies to dependency parsers only")
        jackknife_constituents(treebank, output, folds, kbest)
    else:
        jackknife_dependencies(treebank, output, folds, kbest, config, format_name)


COMMANDS = (train, apply, jackknife)


def is_bracketed(path: Path, format_name: str | None = None) -> bool:
    """Whether a file contains bracketed trees."""
    return existing(path, format_name) is BRACKETS

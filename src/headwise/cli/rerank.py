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
    from headwise.cli.reranking import chosen_trees, train_reranker

    trees = chosen_trees(loss, bracketed=is_bracketed(gold))
    reranker, count, result = train_reranker(
        trees,
        lists,
        gold,
        options=options,
        features=split_at_commas(features or ""),
        tuning=None if dev is None or dev_gold is None else (dev, dev_gold),
    )
    about = {"learned from": f"{count:,} lists of {lists.name}"}
    trees.rerankers.save(output, reranker, about=about, force=force)
    typer.echo(f"wrote {output}: {count:,} lists, {result}")


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
    from headwise.cli.reranking import chosen_trees, reranks_constituents
    from headwise.corpus.output import write_text
    from headwise.search.decoders.decodenames import decode_name

    name = None if decode is None else decode_name(decode)
    if loss is not None and name is None:
        raise UsageError("--loss requires --decode")
    bracketed = reranks_constituents(model)
    trees = chosen_trees(loss, bracketed=bracketed)
    if lists.suffix == ".nbest" and not bracketed:
        raise UsageError(f"{model} reranks dependency trees, but {lists} has constituency trees")
    reranker = trees.rerankers.load(model)
    found = (
        trees.rerankers.reranked_list(reranker, one, strict=strict)
        for one in trees.read_lists(lists)
    )
    if name is None:
        trees.write_lists(output, found)
    else:
        write_text(output, trees.decided(found, name))


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
    if is_bracketed(treebank, format_name):
        if config is not None:
            raise UsageError("--config applies to dependency parsers only")
        from headwise.constituency.files import read_trees
        from headwise.constituency.nbest import write_nbest
        from headwise.constituency.rerank import jackknifed as jackknifed_brackets

        trees = list(read_trees(treebank))
        write_nbest(output, jackknifed_brackets(trees, folds=folds, k=kbest, progress=say_fold))
        return
    from headwise.corpus.formats import read_sentences
    from headwise.learners.settings import TrainingSettings
    from headwise.reranking.files import write_candidates
    from headwise.reranking.jackknife import jackknifed
    from headwise.storage.settings import read_settings

    settings = read_settings(config, TrainingSettings) if config else None
    sentences = list(read_sentences(treebank, format_name))
    found = jackknifed(sentences, settings, folds=folds, k=kbest, progress=say_fold)
    write_candidates(output, found)


def say_fold(_stage: str, number: int, folds: int, /) -> None:
    """Report the fold in progress."""
    typer.echo(f"fold {number} of {folds}: training on the others", err=True)


COMMANDS = (train, apply, jackknife)


def is_bracketed(path: Path, format_name: str | None = None) -> bool:
    """Whether a file contains bracketed trees."""
    return existing(path, format_name) is BRACKETS

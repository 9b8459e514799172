"""The work of `headwise rerank`, for dependency and for constituency trees."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import typer

from headwise.cli.progressbar import progress
from headwise.cli.rerank import TREE_KERNEL
from headwise.constituency import rerank as constituents
from headwise.constituency.features import BRACKET_FEATURES
from headwise.constituency.files import check_pairs, read_trees
from headwise.constituency.files import decide as decide_brackets
from headwise.constituency.nbest import read_nbest, write_nbest
from headwise.constituency.voted import VotedTreePerceptron
from headwise.constituency.votedfile import KIND as VOTED_KIND
from headwise.corpus.brackets import write_brackets
from headwise.corpus.conllu import format_conllu
from headwise.corpus.formats import read_sentences
from headwise.corpus.output import write_text
from headwise.errors import UsageError
from headwise.learners.settings import TrainingSettings
from headwise.reranking import rerank as dependencies
from headwise.reranking.decide import Choice, decide, loss_name
from headwise.reranking.features import TREE_FEATURES
from headwise.reranking.files import read_candidates, write_candidates
from headwise.reranking.jackknife import jackknifed
from headwise.reranking.linear import LinearReranker
from headwise.search.decoders.decodenames import DecodeName
from headwise.search.probabilities import TunedScale
from headwise.storage.modelfile import describe_model
from headwise.storage.settings import read_settings

Function = TypeVar("Function")


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankerTask:
    """The options of `headwise rerank train`.

    options: of the learner, by name.
    names: of feature groups; None for all.
    tuning: k-best lists of development data, and gold trees.
    force: overwrite an existing model.
    """

    model: Path
    lists: Path
    gold: Path
    options: dict[str, Any]
    names: list[str] | None
    tuning: tuple[Path, Path] | None
    force: bool

    def about(self, count: int) -> dict[str, Any]:
        """The card's entry on the training data."""
        return {"learned from": f"{count:,} lists of {self.lists.name}"}

    def summary(self, count: int, size: str, tuned: TunedScale | None) -> str:
        """The line that reports the result."""
        line = f"wrote {self.model}: {count:,} lists, {size}"
        if tuned is None:
            return line
        return f"{line}, scale {tuned.scale:.4g} ({100 * tuned.gain:.2f} % right on dev)"


def chosen(known: Mapping[str, Function], names: list[str] | None) -> dict[str, Function]:
    """The feature functions with these names, or all."""
    for name in names or []:
        if name not in known:
            raise UsageError(f"unknown features {name!r}; choose from {', '.join(known)}")
    return {name: known[name] for name in names or known}


def train_dependencies(task: RerankerTask, loss: str) -> str:
    """Train a reranker of dependency trees and return the line that reports it."""
    labelled = loss_name(loss) == "labelled"
    reranker = LinearReranker(chosen(TREE_FEATURES, task.names), **task.options)
    reranker.check()
    found, right = list(read_candidates(task.lists)), list(read_sentences(task.gold))
    with progress("learning") as bar:
        dependencies.fit_reranker(reranker, found, right, labelled=labelled, progress=bar.progress)
    tuned = None
    if task.tuning is not None:
        choice = Choice("mbr", loss_name(loss))
        dev, dev_gold = list(read_candidates(task.tuning[0])), list(read_sentences(task.tuning[1]))
        tuned = dependencies.tune_reranker(reranker, dev, dev_gold, choice)
    dependencies.save(task.model, reranker, about=task.about(len(found)), force=task.force)
    return task.summary(len(found), f"{len(reranker.vocabulary_) - 1:,} features", tuned)


def train_constituents(task: RerankerTask) -> str:
    """Train a reranker of constituency trees and return the line that reports it."""
    found, right = list(read_nbest(task.lists)), list(read_trees(task.gold))
    about = task.about(len(found))
    if task.options["learner"] == TREE_KERNEL:
        voted = VotedTreePerceptron(epochs=task.options["epochs"])
        with progress("learning") as bar:
            constituents.fit_reranker(voted, found, right, bar.progress)
        constituents.save(task.model, voted, about=about, force=task.force)
        return task.summary(len(found), f"{len(voted.support_):,} changes", None)
    reranker = LinearReranker(chosen(BRACKET_FEATURES, task.names), **task.options)
    with progress("learning") as bar:
        constituents.fit_reranker(reranker, found, right, bar.progress)
    tuned = None
    if task.tuning is not None:
        dev, dev_gold = list(read_nbest(task.tuning[0])), list(read_trees(task.tuning[1]))
        check_pairs(dev, dev_gold)
        tuned = constituents.tune_reranker(reranker, dev, dev_gold)
    constituents.save(task.model, reranker, about=about, force=task.force)
    return task.summary(len(found), f"{len(reranker.vocabulary_) - 1:,} features", tuned)


def trees_of(model: Path) -> str:
    """The kind of trees that a model reranks."""
    info = describe_model(model)
    return "constituents" if info.kind == VOTED_KIND else str(info.settings.get("trees"))


def apply_to_dependencies(
    model: Path, lists: Path, output: Path, decode: DecodeName | None, loss: str, *, strict: bool
) -> None:
    """Rerank k-best lists of dependency trees."""
    if lists.suffix == ".nbest":
        raise UsageError(f"{model} reranks dependency trees, but {lists} has constituency trees")
    reranker = dependencies.load(model)
    found = (
        dependencies.reranked_list(reranker, one, strict=strict) for one in read_candidates(lists)
    )
    if decode is None:
        write_candidates(output, found)
        return
    choice = Choice(decode, loss_name(loss))
    write_text(output, format_conllu(decide(one, choice) for one in found))


def apply_to_constituents(
    model: Path, lists: Path, output: Path, decode: DecodeName | None, *, strict: bool
) -> None:
    """Rerank k-best lists of constituency trees."""
    reranker = constituents.load(model)
    found = (constituents.reranked_list(reranker, one, strict=strict) for one in read_nbest(lists))
    if decode is None:
        write_nbest(output, found)
    else:
        write_text(output, write_brackets(decide_brackets(one, decode) for one in found))


def jackknife_dependencies(
    treebank: Path,
    output: Path,
    folds: int,
    k: int,
    config: Path | None,
    format_name: str | None,
) -> None:
    """Write k-best lists of dependency trees."""
    settings = read_settings(config, TrainingSettings) if config else None
    sentences = list(read_sentences(treebank, format_name))
    lists = jackknifed(sentences, settings, folds=folds, k=k, progress=say_fold)
    write_candidates(output, lists)


def jackknife_constituents(treebank: Path, output: Path, folds: int, k: int) -> None:
    """Write k-best lists of constituency trees, over gold tags."""
    trees = list(read_trees(treebank))
    write_nbest(output, constituents.jackknifed(trees, folds=folds, k=k, progress=say_fold))


def say_fold(_stage: str, number: int, folds: int, /) -> None:
    """Report the fold in progress."""
    typer.echo(f"fold {number} of {folds}: training on the others", err=True)

"""The work of `headwise rerank`, and what each kind of trees has of its own for it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from headwise.cli.progressbar import progress
from headwise.cli.rerank import TREE_KERNEL
from headwise.constituency import rerank as constituents
from headwise.constituency.candidates import CandidateList
from headwise.constituency.features import BRACKET_FEATURES
from headwise.constituency.files import decide as decide_brackets
from headwise.constituency.files import read_trees
from headwise.constituency.nbest import read_nbest, write_nbest
from headwise.constituency.voted import VotedTreePerceptron
from headwise.constituency.votedfile import KIND as VOTED_KIND
from headwise.corpus.brackets import write_brackets
from headwise.corpus.conllu import format_conllu
from headwise.corpus.formats import read_sentences
from headwise.errors import UsageError
from headwise.reranking import rerank as dependencies
from headwise.reranking.decide import Choice, decide, loss_name
from headwise.reranking.features import TREE_FEATURES
from headwise.reranking.files import read_candidates, write_candidates
from headwise.reranking.linear import LinearReranker
from headwise.reranking.lists import TreeList
from headwise.search.decoders.decodenames import DecodeName
from headwise.search.probabilities import TunedScale
from headwise.storage.modelfile import describe_model


@dataclass(frozen=True, slots=True, kw_only=True)
class Trees:
    """What a kind of trees has of its own.

    rerankers: the module that saves, loads and applies its rerankers.
    fit, tune: its functions for these.
    decided: the trees that a decoder chooses from lists, as text.
    """

    rerankers: Any
    fit: Callable[..., Any]
    tune: Callable[..., TunedScale]
    features: Mapping[str, Any]
    read_gold: Callable[[Path], Iterator[Any]]
    read_lists: Callable[[Path], Iterator[Any]]
    write_lists: Callable[[Path, Iterator[Any]], None]
    decided: Callable[[Iterator[Any], DecodeName], Iterator[str]]


def dependency_trees(loss: str) -> Trees:
    """Dependency trees under a loss."""
    name = loss_name(loss)

    def decided(lists: Iterator[TreeList], decode: DecodeName) -> Iterator[str]:
        return format_conllu(decide(one, Choice(decode, name)) for one in lists)

    return Trees(
        rerankers=dependencies,
        fit=partial(dependencies.fit_reranker, labelled=name == "labelled"),
        tune=partial(dependencies.tune_reranker, choice=Choice("mbr", name)),
        features=TREE_FEATURES,
        read_gold=read_sentences,
        read_lists=read_candidates,
        write_lists=write_candidates,
        decided=decided,
    )


def decided_brackets(lists: Iterator[CandidateList], decode: DecodeName) -> Iterator[str]:
    """The constituency trees that a decoder chooses from lists, as text."""
    return write_brackets(decide_brackets(one, decode) for one in lists)


CONSTITUENCY_TREES = Trees(
    rerankers=constituents,
    fit=constituents.fit_reranker,
    tune=constituents.tune_reranker,
    features=BRACKET_FEATURES,
    read_gold=read_trees,
    read_lists=read_nbest,
    write_lists=write_nbest,
    decided=decided_brackets,
)


def chosen_trees(loss: str | None, *, bracketed: bool) -> Trees:
    """The kind of trees that a call is about, under the loss that it may name."""
    if not bracketed:
        return dependency_trees(loss or "labelled")
    if loss is not None:
        raise UsageError("--loss applies to dependency trees only")
    return CONSTITUENCY_TREES


def train_reranker(
    trees: Trees,
    lists: Path,
    gold: Path,
    *,
    options: Mapping[str, Any],
    features: Sequence[str],
    tuning: tuple[Path, Path] | None,
) -> tuple[Any, int, str]:
    """A trained reranker, the number of lists it is trained on, and what came of it.

    options: of the learner, by name; features: names of groups, none for all; tuning: lists of
    development data, and gold trees.
    """
    for name in features:
        if name not in trees.features:
            known = ", ".join(trees.features)
            raise UsageError(f"unknown features {name!r}; choose from {known}")
    reranker: Any
    if options["learner"] == TREE_KERNEL and trees is CONSTITUENCY_TREES:
        reranker = VotedTreePerceptron(epochs=options["epochs"])
    else:
        chosen = {name: trees.features[name] for name in features or trees.features}
        reranker = LinearReranker(chosen, **options)
        reranker.check()
    found, right = list(trees.read_lists(lists)), list(trees.read_gold(gold))
    with progress("learning") as bar:
        trees.fit(reranker, found, right, progress=bar.progress)
    if isinstance(reranker, VotedTreePerceptron):
        return reranker, len(found), f"{len(reranker.support_):,} changes"
    size = f"{len(reranker.vocabulary_) - 1:,} features"
    if tuning is None:
        return reranker, len(found), size
    dev, dev_gold = list(trees.read_lists(tuning[0])), list(trees.read_gold(tuning[1]))
    tuned = trees.tune(reranker, dev, dev_gold)
    size = f"{size}, scale {tuned.scale:.4g} ({100 * tuned.gain:.2f} % right on dev)"
    return reranker, len(found), size


def reranks_constituents(model: Path) -> bool:
    """Whether a model is for constituency trees."""
    info = describe_model(model)
    return info.kind == VOTED_KIND or info.settings.get("trees") == "constituents"

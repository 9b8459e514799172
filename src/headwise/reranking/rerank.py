"""Rerankers of dependency trees: train, tune, save, load, apply."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from headwise.corpus.sentence import Sentence
from headwise.progress import Progress, silent
from headwise.reranking.decide import (
    DEFAULT,
    Choice,
    check_pairs,
    check_right_trees,
    right_words,
    tune_choice,
    with_probabilities,
)
from headwise.reranking.features import TREE_FEATURES
from headwise.reranking.linear import LinearReranker
from headwise.reranking.lists import TreeList
from headwise.reranking.rows import Features
from headwise.reranking.storage import load_reranker, save_reranker
from headwise.search.probabilities import TunedScale

TREES = "dependencies"


def fit_reranker(
    reranker: LinearReranker[Sentence],
    lists: Sequence[TreeList],
    gold: Sequence[Sentence],
    *,
    labelled: bool = True,
    progress: Progress = silent,
) -> LinearReranker[Sentence]:
    """Train on jackknifed lists and the gold trees of their sentences.

    The loss of a tree is its words with a wrong head, or relation if `labelled`.
    """

    def wrong_words(tree: Sentence, right: Sentence) -> float:
        return float(len(right) - right_words(tree, right, labelled=labelled))

    check_pairs(lists, gold)
    check_right_trees(gold, labelled=labelled)
    if labelled:
        for one in lists:
            one.require_relations()
    reranker.fit(lists, gold, wrong_words, progress)
    trees = chain(gold, *(one.trees for one in lists))
    reranker.labels_ = frozenset(name for tree in trees for name in tree.relations)
    return reranker


def tune_reranker(
    reranker: LinearReranker[Sentence],
    lists: Sequence[TreeList],
    gold: Sequence[Sentence],
    choice: Choice = DEFAULT,
) -> TunedScale:
    """Set the scale of a reranker's scores to the one with the highest accuracy."""
    scored = [replace(one, scores=reranker.scores(one)) for one in lists]
    tuned = tune_choice(scored, gold, choice)
    reranker.scale_ = tuned.scale
    return tuned


def reranked_list(
    reranker: LinearReranker[Sentence], candidates: TreeList, *, strict: bool = False
) -> TreeList:
    """The list with the reranker's log-probabilities as scores.

    Labels that it has not met have no weight, with a warning; if `strict`, they are an error.
    """
    for tree in candidates.trees:
        reranker.check_labels(tree.relations, tree.location, strict=strict)
    return with_probabilities(candidates, reranker.probabilities(candidates))


def save(
    path: str | Path,
    reranker: LinearReranker[Sentence],
    *,
    about: Mapping[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Save a reranker as a model folder."""
    save_reranker(path, reranker, TREES, about=about, force=force)


def load(
    path: str | Path, features: Mapping[str, Features[Sentence]] | None = None
) -> LinearReranker[Sentence]:
    """Load a reranker; `features` are the custom feature functions it was trained with."""
    return load_reranker(path, TREES, {**TREE_FEATURES, **(features or {})})

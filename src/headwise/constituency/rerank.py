"""Rerankers of constituency trees, linear or with a tree kernel: train, tune, save, apply."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from headwise.constituency.candidates import CandidateList
from headwise.constituency.conventions import collins
from headwise.constituency.features import BRACKET_FEATURES
from headwise.constituency.files import check_pairs, tune_decoder
from headwise.constituency.parser import ConstituencyParser
from headwise.constituency.parseval import score_tree
from headwise.constituency.voted import VotedTreePerceptron
from headwise.constituency.votedfile import KIND as VOTED_KIND
from headwise.constituency.votedfile import load_voted, save_voted
from headwise.corpus.constituents import Tree, remove_traces
from headwise.corpus.folds import folds_of
from headwise.errors import UsageError
from headwise.progress import Progress, silent
from headwise.reranking.linear import LinearReranker
from headwise.reranking.rows import Features
from headwise.reranking.storage import load_reranker, save_reranker
from headwise.search.probabilities import TunedScale
from headwise.storage.modelfile import describe_model

TREES = "constituents"
LinearTrees = LinearReranker[Tree]
Reranker = LinearTrees | VotedTreePerceptron


def bracket_loss(tree: Tree, gold: Tree) -> float:
    """1 − F1; 0 if neither tree has a bracket."""
    found = score_tree(gold, tree, collins())
    both = found.gold + found.system
    return 1.0 - 2.0 * found.matched / both if both else 0.0


def fit_reranker(
    reranker: Reranker,
    lists: Sequence[CandidateList],
    gold: Sequence[Tree],
    progress: Progress = silent,
) -> Reranker:
    """Train on jackknifed lists and the gold trees of their sentences."""
    check_pairs(lists, gold)
    if isinstance(reranker, VotedTreePerceptron):
        reranker.fit(lists, gold, progress)
    else:
        reranker.fit(lists, gold, bracket_loss, progress)
    trees = chain(gold, *(one.trees for one in lists))
    reranker.labels_ = frozenset(label for tree in trees for label in labels_of(tree))
    return reranker


def labels_of(tree: Tree) -> set[str]:
    """The labels of a tree's constituents, without function tags."""
    return {phrase.category for phrase, _, _ in tree.spans()}


def tune_reranker(
    reranker: LinearTrees, lists: Sequence[CandidateList], gold: Sequence[Tree]
) -> TunedScale:
    """Set the scale of a reranker's scores to the one with the best F1 of MBR prediction."""
    scored = [replace(one, scores=reranker.scores(one)) for one in lists]
    tuned = tune_decoder(scored, gold, "mbr")
    reranker.scale_ = tuned.scale
    return tuned


def reranked_list(
    reranker: Reranker, candidates: CandidateList, *, strict: bool = False
) -> CandidateList:
    """The list with the reranker's log-probabilities as scores, best first.

    Candidates of probability 0 are dropped. Labels that the reranker has not met have no weight,
    with a warning; if `strict`, they are an error.
    """
    for tree in candidates.trees:
        reranker.check_labels(labels_of(tree), tree.location, strict=strict)
    found = reranker.probabilities(candidates)
    order = [x for x in np.argsort(-found, kind="stable").tolist() if found[x] > 0]
    trees = tuple(candidates.trees[x] for x in order)
    return replace(candidates, trees=trees, scores=np.log(found[order]))


def save(
    path: str | Path,
    reranker: Reranker,
    *,
    about: Mapping[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Save a reranker as a model folder."""
    if isinstance(reranker, VotedTreePerceptron):
        save_voted(path, reranker, about=about, force=force)
    else:
        save_reranker(path, reranker, TREES, about=about, force=force)


def load(path: str | Path, features: Mapping[str, Features[Tree]] | None = None) -> Reranker:
    """Load a reranker; `features` are the custom feature functions it was trained with."""
    if describe_model(path).kind == VOTED_KIND:
        return load_voted(path)
    return load_reranker(path, TREES, {**BRACKET_FEATURES, **(features or {})})


def jackknifed(
    trees: Sequence[Tree],
    *,
    folds: int = 5,
    k: int = 20,
    progress: Progress = silent,
) -> Iterator[CandidateList]:
    """The k best trees of every sentence, by a parser not trained on its fold, over gold tags."""
    number = 0
    for fold, (others, own) in enumerate(folds_of(trees, folds), 1):
        progress("jackknife", fold, folds)
        parser = ConstituencyParser().fit(others)
        for tree in own:
            number += 1
            bare = remove_traces(tree)
            if bare is None:
                raise UsageError("a tree has no words")
            leaves = list(bare.leaves())
            tags = [leaf.tag for leaf in leaves]
            yield parser.kbest([leaf.form for leaf in leaves], k, tags, str(number))

"""Paper 004, tables 1 and 2: MAP, MBR reranking and MBR prediction of constituent trees.

    python experiments/paper_004_constituents.py [--treebanks FOLDER] [--on …]

The grammar learns from the whole training data. Rerankers learn from 20-best lists of the last
1,000 training trees, made by a grammar of the others: a log-linear one and a support vector machine
with features of whole trees, and with the tree kernel the voted perceptron and a support vector
machine (of fewer lists, as it compares each tree with each other one). Their settings, and the
orders of the grammar, are chosen on the last 250 of these trees, with rerankers of the others.
Lists of development sentences, over given tags, are decided by the grammar's probabilities, those
of the rerankers, and votes. Scales for one half of the sentences are tuned on the other half. Cut
short, the same call makes the lists again and goes on after the last reranker.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from runs import Kept, arguments_of, crossed, trees_of

from headwise.constituency import CandidateList, ConstituencyParser, mbr_predict, mbr_rerank
from headwise.constituency.annotation import Annotation
from headwise.constituency.conventions import Conventions
from headwise.constituency.features import BRACKET_FEATURES
from headwise.constituency.parseval import (
    TreeCounts,
    TreeEvaluation,
    compare_trees,
    score_tree,
    score_trees,
)
from headwise.constituency.rerank import bracket_loss
from headwise.constituency.voted import KernelSpace, Productions, VotedTreePerceptron
from headwise.corpus.constituents import Tree, remove_traces
from headwise.reranking import LinearReranker
from headwise.reranking.slackrescaling import ProductSpace, solve_lists
from headwise.search.probabilities import candidate_probabilities

NAMES = ("ptb-sample", "gum")
BASE_SIZES = (10, 50)
HELD_OUT, CHOOSING, LEARNED_K = 1000, 250, 20
KERNEL_LISTS = 200
"""Lists of the support vector machine with the tree kernel: their trees make a matrix."""

SCALES = tuple(2.0**exponent for exponent in np.arange(-4.0, 2.5, 0.5))
MEASURES = ("f1", "precision", "recall", "complete", "crossing", "no_crossing", "two_crossing")
COLLINS = Conventions.load("collins")

ORDERS = tuple((vertical, horizontal) for vertical in (1, 2) for horizontal in (1, 2, 3))
SETTINGS: dict[str, list[dict[str, float]]] = {
    "log-linear": [{"prior": prior} for prior in (1.0, 5.0, 20.0)],
    "SVM": [{"c": c} for c in (0.01, 0.1, 1.0)],
    "SVM, tree kernel": [
        {"c": c, "score_weight": weight} for c in (0.1, 1.0, 10.0) for weight in (0.2, 1.0)
    ],
    "votes": [{"score_weight": weight} for weight in (0.05, 0.1, 0.2, 0.5)],
}
"""Rerankers, and the settings among which each has its own chosen."""


class TreeKernelMachine:
    """A support vector machine over the tree kernel and the parser's score."""

    def __init__(self, *, c: float, score_weight: float, decay: float = 0.3) -> None:
        """C, the weight of scores, and the decay of tree fragments by size."""
        self.c, self.score_weight, self.decay = c, score_weight, decay

    def fit(self, lists: Sequence[CandidateList], gold: Sequence[Tree]) -> "TreeKernelMachine":
        """Learn from some of the lists."""
        lists = tuple(lists[:KERNEL_LISTS])
        self.productions, self.space, products = tree_products(lists, self.decay)
        self.relative = np.concatenate([relative_scores(one) for one in lists])
        scores = self.score_weight**2 * np.outer(self.relative, self.relative)
        found = ProductSpace(products + scores)
        losses = [bracket_loss(tree, right) for one, right in zip(lists, gold, strict=False)
                  for tree in one.trees]  # fmt: skip
        bounds = np.cumsum([0, *map(len, lists)])
        solve_lists(found, bounds, np.array(losses), self.c, 500)
        self.support = np.flatnonzero(found.amounts)
        self.amounts = found.amounts[self.support]
        return self

    def scores(self, one: CandidateList) -> Any:
        """The scores of candidates."""
        space = KernelSpace.of(self.productions.forest(one.trees, learn=False), self.decay)
        products = space.kernels(np.arange(len(one)), self.space, self.support)
        relative = np.outer(relative_scores(one), self.relative[self.support])
        return (products + self.score_weight**2 * relative) @ self.amounts


@cache
def tree_products(
    lists: tuple[CandidateList, ...], decay: float
) -> tuple[Productions, KernelSpace, Any]:
    """The trees of some lists, and the kernels of each two of them: the same for all settings."""
    productions = Productions()
    trees = [tree for one in lists for tree in one.trees]
    space = KernelSpace.of(productions.forest(trees), decay)
    everything = np.arange(len(trees))
    return productions, space, space.kernels(everything, space, everything)


def relative_scores(one: CandidateList) -> Any:
    """Scores from that of the best candidate downwards."""
    return one.scores - one.scores.max()


def fitted(
    label: str, settings: Mapping[str, Any], lists: Sequence[CandidateList], gold: Sequence[Tree]
) -> Any:
    """A reranker of this kind."""
    if label == "votes":
        return VotedTreePerceptron(**settings).fit(lists, gold)
    if label == "SVM, tree kernel":
        return TreeKernelMachine(c=settings["c"], score_weight=settings["score_weight"]).fit(
            lists, gold
        )
    learner = "log-linear" if label == "log-linear" else "svm"
    return LinearReranker(BRACKET_FEATURES, learner=learner, **settings).fit(
        lists, gold, bracket_loss
    )


def rescored(reranker: Any, lists: Sequence[CandidateList]) -> list[CandidateList]:
    """Lists with a reranker's scores: of votes, their shares."""
    find: Callable[[CandidateList], Any] = (
        reranker.probabilities if isinstance(reranker, VotedTreePerceptron) else reranker.scores
    )
    return [replace(one, scores=np.asarray(find(one))) for one in lists]


def best_f1(lists: Sequence[CandidateList], gold: Sequence[Tree]) -> float:
    """F1 of the best candidates."""
    counts = score_trees(gold, [one.best for one in lists])
    return 100.0 * float(counts.ratios().ratios()[2])


def chosen_settings(
    label: str, lists: Sequence[CandidateList], gold: Sequence[Tree]
) -> dict[str, Any]:
    """The settings of a reranker under which its best candidates are best, and all tried."""
    tried: list[dict[str, Any]] = []
    for settings in SETTINGS[label]:
        reranker = fitted(label, settings, lists[:-CHOOSING], gold[:-CHOOSING])
        f1 = best_f1(rescored(reranker, lists[-CHOOSING:]), gold[-CHOOSING:])
        tried.append({"settings": settings, "f1": f1})
    return {"chosen": max(tried, key=lambda one: one["f1"])["settings"], "tried": tried}


def tried_orders(train: Sequence[Tree], gold: Sequence[Tree]) -> list[dict[str, Any]]:
    """F1 of grammars of several orders, on trees that no table shows."""
    found = []
    for vertical, horizontal in ORDERS:
        annotation = Annotation(vertical=vertical)
        parser = ConstituencyParser(annotation=annotation, horizontal=horizontal).fit(train)
        f1 = best_f1(lists_of(parser, gold, 1), gold)
        found.append({"vertical": vertical, "horizontal": horizontal, "f1": f1})
    return found


KEPT, HALF_DONE = Kept("mbr-brackets", NAMES), Kept("half-mbr-brackets", ())
file_of, names = KEPT.file_of, KEPT.names


def lists_of(parser: ConstituencyParser, trees: Sequence[Tree], k: int) -> list[CandidateList]:
    """The k best trees of each sentence over its tags."""
    found = []
    for tree in trees:
        leaves = list((remove_traces(tree) or tree).leaves())
        found.append(parser.kbest([x.form for x in leaves], k, [x.tag for x in leaves]))
    return found


def shortened(one: CandidateList, size: int) -> CandidateList:
    """The first candidates of a list."""
    return replace(one, trees=one.trees[:size], scores=one.scores[:size])


def tuned(lists: Sequence[CandidateList], gold: Sequence[Tree], choose: Any) -> tuple[Any, Any]:
    """Trees whose scale was tuned on the other half of the sentences."""
    by_scale = {
        scale: [choose(one, candidate_probabilities(one.scores, scale)).tree for one in lists]
        for scale in SCALES
    }

    def f1(scale: float, half: int) -> float:
        return float(score_trees(gold[half::2], by_scale[scale][half::2]).ratios().ratios()[2])

    return crossed(by_scale, f1)


def outputs(lists: Sequence[CandidateList], gold: Sequence[Tree], *, votes: bool) -> dict[str, Any]:
    """The trees of every way to decide; shares of votes are probabilities as they are."""
    best: tuple[list[Any], list[Any]] = [one.best for one in lists], []
    if votes:
        return {
            "map": best,
            "rerank": ([mbr_rerank(one, one.scores).tree for one in lists], []),
            "predict": ([mbr_predict(one, one.scores).tree for one in lists], []),
        }
    return {
        "map": best,
        "rerank": tuned(lists, gold, mbr_rerank),
        "predict": tuned(lists, gold, mbr_predict),
    }


def rows(name: str, size: int, gold: Sequence[Tree], found: dict[str, Any]) -> list[Any]:
    """Scores of outputs, each compared with the first of them, and prediction with reranking."""
    result = []
    counts = {system: score_trees(gold, trees) for system, (trees, _) in found.items()}
    for system, (trees, scales) in found.items():
        values = TreeEvaluation.of(counts[system], rounds=1).values
        compared = f1_test(counts["map"], counts[system])
        row = {
            "system": system,
            "probabilities": name,
            "size": size,
            "scales": scales,
            "p": compared.randomisation_p,
            "against_map": compared.b - compared.a,
            **{key: values[key] for key in MEASURES if key in values},
            **changed_matches(gold, found["map"][0], trees),
        }
        if system == "predict":
            row["p_against_rerank"] = f1_test(counts["rerank"], counts[system]).randomisation_p
        result.append(row)
    return result


def f1_test(one: TreeCounts, other: TreeCounts) -> Any:
    """The comparison of two outputs by F1."""
    return next(row for row in compare_trees(one, other, rounds=2000) if row.measure == "f1")


def changed_matches(
    gold: Sequence[Tree], best: Sequence[Tree], trees: Sequence[Tree]
) -> dict[str, int]:
    """Complete matches that the best trees have and these have not, and the other way round.

    Of the lost ones also how many lack brackets, and how many have too many.
    """
    found = dict.fromkeys(("lost", "gained", "lack", "too_many", "brackets", "best_brackets"), 0)
    for right, before, after in zip(gold, best, trees, strict=True):
        old, new = score_tree(right, before, COLLINS), score_tree(right, after, COLLINS)
        was, now = (one.matched == one.gold == one.system for one in (old, new))
        found["brackets"] += new.system
        found["best_brackets"] += old.system
        found["gained"] += now and not was
        if was and not now:
            found["lost"] += 1
            found["lack"] += new.matched < new.gold
            found["too_many"] += new.matched < new.system
    return found


def perform(name: str, treebanks: Path) -> None:
    """One treebank; an older result stays until all is done."""
    train, gold = (trees_of(treebanks, name, split) for split in ("train", "dev"))
    held_out = train[-HELD_OUT:]
    done = HALF_DONE.read(name) or {"treebank": name, "rows": [], "settings": {}}

    def keep(what: str) -> None:
        HALF_DONE.write(done, name)
        print(f"{name}: {what}", flush=True)

    if "orders" not in done:
        done["orders"] = tried_orders(train[:-HELD_OUT], held_out[-CHOOSING:])
        keep("orders are tried")
    learned = lists_of(ConstituencyParser().fit(train[:-HELD_OUT]), held_out, LEARNED_K)
    lists = lists_of(ConstituencyParser().fit(train), gold, max(BASE_SIZES))
    if not done["rows"]:
        for size in BASE_SIZES:
            short = [shortened(one, size) for one in lists]
            done["rows"] += rows("base", size, gold, outputs(short, gold, votes=False))
        keep("lists are decided")
    short = [shortened(one, LEARNED_K) for one in lists]
    for label in (one for one in SETTINGS if one not in done["settings"]):
        settings = chosen_settings(label, learned, held_out)
        reranker = fitted(label, settings["chosen"], learned, held_out)
        scored = rescored(reranker, short)
        found = outputs(scored, gold, votes=label == "votes")
        done["rows"] += rows(label, LEARNED_K, gold, found)
        done["settings"][label] = settings
        keep(f"{label} is done")
    HALF_DONE.file_of(name).replace(file_of(name))


def main() -> None:
    """The command line."""
    chosen = arguments_of("Minimum Bayes risk over constituent trees.", NAMES).parse_args()
    for name in chosen.on:
        if "settings" not in KEPT.read(name):  # of before there were any to choose
            perform(name, chosen.treebanks)


if __name__ == "__main__":
    main()

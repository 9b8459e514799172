"""Paper 004, tables 1 and 2: MAP, MBR reranking and MBR prediction of constituent trees.

    python experiments/paper_004_constituents.py [--treebanks FOLDER]

The grammar learns from the whole training data. Rerankers learn from 20-best lists of the last
1,000 training trees, made by a grammar of the others: a log-linear one with features of whole
trees, and the voted perceptron with the tree kernel. Lists of development sentences, over given
tags, are decided by the grammar's probabilities, the log-linear reranker's, and votes. Scales for
one half of the sentences are tuned on the other half.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from runs import RESULTS, arguments_of, with_others

from headwise.constituency import CandidateList, ConstituencyParser, mbr_predict, mbr_rerank
from headwise.constituency.features import BRACKET_FEATURES
from headwise.constituency.files import read_trees
from headwise.constituency.parseval import TreeEvaluation, compare_trees, score_trees
from headwise.constituency.rerank import bracket_loss
from headwise.constituency.voted import VotedTreePerceptron
from headwise.corpus.constituents import Tree, remove_traces
from headwise.reranking import LinearReranker
from headwise.search.probabilities import candidate_probabilities

NAMES = ("ptb-sample", "gum")
SIZES = {"base": (10, 50), "log-linear": (20,), "votes": (20,)}
HELD_OUT, LEARNED_K = 1000, 20
SCALES = tuple(2.0**exponent for exponent in np.arange(-4.0, 2.5, 0.5))
MEASURES = ("f1", "precision", "recall", "complete", "crossing", "no_crossing", "two_crossing")


def file_of(name: str) -> Path:
    """Where a result is kept."""
    return RESULTS / f"mbr-brackets-{name}.json"


def names() -> tuple[str, ...]:
    """The treebanks of the tables."""
    return with_others(NAMES, file_of)


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
    trees: list[Any] = [None] * len(lists)
    scales = []
    for half in (0, 1):

        def f1(scale: float, other: int = 1 - half) -> float:
            return float(
                score_trees(gold[other::2], by_scale[scale][other::2]).ratios().ratios()[2]
            )

        best = max(SCALES, key=f1)
        trees[half::2] = by_scale[best][half::2]
        scales.append(best)
    return trees, scales


def outputs(lists: Sequence[CandidateList], gold: Sequence[Tree], votes: Any) -> dict[str, Any]:
    """The trees of every way to decide; votes are probabilities as they are."""
    if votes is not None:
        pairs = list(zip(lists, votes, strict=True))
        return {
            "map": ([one.trees[int(np.argmax(p))] for one, p in pairs], []),
            "rerank": ([mbr_rerank(one, p).tree for one, p in pairs], []),
            "predict": ([mbr_predict(one, p).tree for one, p in pairs], []),
        }
    return {
        "map": ([one.best for one in lists], []),
        "rerank": tuned(lists, gold, mbr_rerank),
        "predict": tuned(lists, gold, mbr_predict),
    }


def rows(name: str, size: int, gold: Sequence[Tree], found: dict[str, Any]) -> list[Any]:
    """Scores of outputs, each compared with the first of them."""
    result = []
    best = score_trees(gold, found["map"][0])
    for system, (trees, scales) in found.items():
        counts = score_trees(gold, trees)
        values = TreeEvaluation.of(counts, rounds=1).values
        compared = next(
            row for row in compare_trees(best, counts, rounds=2000) if row.measure == "f1"
        )
        result.append(
            {
                "system": system,
                "probabilities": name,
                "size": size,
                "scales": scales,
                "p": compared.randomisation_p,
                "against_map": compared.b - compared.a,
                **{key: values[key] for key in MEASURES if key in values},
            }
        )
    return result


def perform(name: str, treebanks: Path) -> None:
    """One treebank."""
    train = list(read_trees(treebanks / name / f"{name}-train.mrg.gz"))
    gold = list(read_trees(treebanks / name / f"{name}-dev.mrg.gz"))
    held_out = train[-HELD_OUT:]
    learned = lists_of(ConstituencyParser().fit(train[:-HELD_OUT]), held_out, LEARNED_K)
    linear = LinearReranker(BRACKET_FEATURES, prior=5.0).fit(learned, held_out, bracket_loss)
    voted = VotedTreePerceptron().fit(learned, held_out)
    print(f"{name}: rerankers are learned", flush=True)
    lists = lists_of(ConstituencyParser().fit(train), gold, max(SIZES["base"]))
    print(f"{name}: lists are made", flush=True)
    found = []
    for size in SIZES["base"]:
        short = [shortened(one, size) for one in lists]
        found += rows("base", size, gold, outputs(short, gold, None))
    short = [shortened(one, LEARNED_K) for one in lists]
    scored = [replace(one, scores=linear.scores(one)) for one in short]
    found += rows("log-linear", LEARNED_K, gold, outputs(scored, gold, None))
    print(f"{name}: log-linear is done", flush=True)
    votes = [voted.probabilities(one) for one in short]
    found += rows("votes", LEARNED_K, gold, outputs(short, gold, votes))
    result = {"treebank": name, "rows": found}
    file_of(name).write_text(json.dumps(result, indent=1, sort_keys=True) + "\n")
    print(f"{name}: done", flush=True)


def main() -> None:
    """The command line."""
    chosen = arguments_of("Minimum Bayes risk over constituent trees.", NAMES).parse_args()
    for name in chosen.on:
        if not file_of(name).exists():
            perform(name, chosen.treebanks)


if __name__ == "__main__":
    main()

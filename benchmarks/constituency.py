"""Benchmark of constituency parsing and MBR: accuracy with significance, and speed.

    python benchmarks/constituency.py TREEBANK [--candidates K] [--reranker N]

TREEBANK is a folder with NAME-train.mrg.gz and NAME-dev.mrg.gz, such as ptb-sample. Accuracy is
PARSEVAL by Collins's conventions, over all sentences, with gold tags and with the parser's own. The
scale of the scores is tuned on one half of the sentences and applied to the other. p is that of the
randomisation test against the best tree. Speed is of sentences of up to 40 words, in CPU time.

With --reranker, only this: a voted perceptron with the tree kernel is trained on k-best lists of
the last N training sentences, made with gold tags by a parser trained on the others, and its votes
are the probabilities of the candidates.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path

import numpy as np

from headwise.constituency import CandidateList, ConstituencyParser, mbr_predict, mbr_rerank
from headwise.constituency.files import decide, read_trees, tune_decoder
from headwise.constituency.parseval import TreeCounts, TreeEvaluation, compare_trees, score_trees
from headwise.constituency.voted import VotedTreePerceptron
from headwise.corpus.constituents import Tree, remove_traces
from headwise.search.decoders.decodenames import DecodeName
from measuring import fastest

LONG = range(36, 41)
"""Lengths of the sentences on which MBR is timed."""

DECODINGS: dict[str, DecodeName] = {"MBR rerank": "mbr-rerank", "MBR predict": "mbr"}
HEADINGS = ("F1", "precision", "recall", "complete", "crossing", "tags", "scale", "p")


def seconds(work: Callable[[], object], times: int = 1) -> float:
    return fastest(work, times, time.process_time)


Tagged = tuple[list[str], list[str]]
"""Words and their tags."""


def words_and_tags(trees: Sequence[Tree]) -> list[Tagged]:
    bare = filter(None, map(remove_traces, trees))
    leaves = [list(tree.leaves()) for tree in bare]
    return [([leaf.form for leaf in row], [leaf.tag for leaf in row]) for row in leaves]


def parse_all(
    parser: ConstituencyParser, sentences: list[Tagged], k: int, own_tags: bool
) -> list[CandidateList]:
    return [parser.kbest(forms, k, None if own_tags else tags) for forms, tags in sentences]


def cross_tuned(
    lists: Sequence[CandidateList], gold: Sequence[Tree], decode: DecodeName
) -> tuple[list[Tree], list[float]]:
    """Trees of a decoding method whose scale was tuned on the other half of the sentences."""
    trees = list(gold)
    scales = []
    for half in (0, 1):
        tuned = tune_decoder(lists[1 - half :: 2], gold[1 - half :: 2], decode)
        scales.append(tuned.scale)
        trees[half::2] = [decide(one, decode, tuned.scale) for one in lists[half::2]]
    return trees, scales


def oracle(lists: Sequence[CandidateList], gold: Sequence[Tree]) -> list[Tree]:
    def f1(tree: Tree, right: Tree) -> float:
        return float(score_trees([right], [tree]).ratios().ratios()[2])

    pairs = zip(lists, gold, strict=True)
    return [max(one.trees, key=partial(f1, right=right)) for one, right in pairs]


def print_row(name: str, counts: TreeCounts, against: TreeCounts, scales: Sequence[float]) -> None:
    values = TreeEvaluation.of(counts, rounds=1).values
    keys = ("f1", "precision", "recall", "complete", "crossing", "tags")
    cells = [f"{values[key]:.2f}" for key in keys]
    cells.append(" ".join(f"{scale:.2g}" for scale in scales))
    p = compare_trees(against, counts)[2].randomisation_p
    cells.append("" if counts is against else f"{p:.4f}")
    print(f"{name:14}" + "".join(f"{cell:>11}" for cell in cells), flush=True)


def print_accuracy(lists: Sequence[CandidateList], gold: Sequence[Tree], title: str) -> None:
    print(f"\n{title}\n{'':14}" + "".join(f"{heading:>11}" for heading in HEADINGS))
    best = score_trees(gold, [one.best for one in lists])
    print_row("best", best, best, ())
    for name, decode in DECODINGS.items():
        trees, scales = cross_tuned(lists, gold, decode)
        print_row(name, score_trees(gold, trees), best, scales)
    print_row("oracle", score_trees(gold, oracle(lists, gold)), best, ())


def print_reranked(train: Sequence[Tree], gold: Sequence[Tree], k: int, count: int) -> None:
    """The votes of a reranker instead of the parser's own probabilities."""
    before = ConstituencyParser().fit(train[:-count])
    held_out = train[-count:]
    lists = parse_all(before, words_and_tags(held_out), k, own_tags=False)
    model = VotedTreePerceptron()
    taken = seconds(lambda: model.fit(lists, held_out))
    print(f"{count} lists of {k} learned in {taken:.0f} s: {len(model.support_)} updates")
    lists = parse_all(ConstituencyParser().fit(train), words_and_tags(gold), k, own_tags=False)
    taken = seconds(lambda: [model.probabilities(one) for one in lists])
    print(f"{1000 * taken / len(lists):.0f} ms per list")
    votes = [model.probabilities(one) for one in lists]
    best = score_trees(gold, [one.best for one in lists])
    pairs = list(zip(lists, votes, strict=True))
    outputs = {
        "most votes": [one.trees[int(np.argmax(p))] for one, p in pairs],
        "MBR rerank": [mbr_rerank(one, p).tree for one, p in pairs],
        "MBR predict": [mbr_predict(one, p).tree for one, p in pairs],
    }
    print(f"{'':14}" + "".join(f"{heading:>11}" for heading in HEADINGS))
    print_row("best", best, best, ())
    for name, trees in outputs.items():
        print_row(name, score_trees(gold, trees), best, ())
    print_row("oracle", score_trees(gold, oracle(lists, gold)), best, ())


def print_speed(parser: ConstituencyParser, sentences: list[Tagged], k: int) -> None:
    short = [pair for pair in sentences if len(pair[0]) <= 40]
    print(f"\nspeed, {len(short)} sentences of up to 40 words, sentences per second:")
    for own_tags in (False, True):
        rates = [
            len(short) / seconds(partial(parse_all, parser, short, k, own_tags), 2) for k in (1, k)
        ]
        tags = "own tags" if own_tags else "gold tags"
        print(f"{tags:14}{rates[0]:8.0f} best {rates[1]:8.0f} with {k} candidates")


def print_exactness(
    parser: ConstituencyParser, sentences: list[Tagged], gold: Sequence[Tree]
) -> None:
    """The cost of coarse-to-fine pruning: the best trees with and without it."""
    trees: list[list[Tree]] = []
    usual = parser.margin
    for parser.margin in (usual, inf):
        start = time.process_time()
        trees.append([one.best for one in parse_all(parser, sentences, 1, own_tags=False)])
        rate = len(gold) / (time.process_time() - start)
        f1 = 100 * score_trees(gold, trees[-1]).ratios().ratios()[2]
        print(f"margin {parser.margin:g}: F1 {f1:.2f}, {rate:.0f} sentences per second")
    parser.margin = usual
    differing = sum(a != b for a, b in zip(*trees, strict=True))
    print(f"the best tree differs in {differing} of {len(gold)} sentences")


def print_mbr_speed(lists: Sequence[CandidateList]) -> None:
    chosen = [one for one in lists if len(one.forms) in LONG]
    if not chosen:
        return
    print(f"\nMBR, {len(chosen)} lists of {LONG[0]} to {LONG[-1]} words, milliseconds per list:")
    for decode in (mbr_rerank, mbr_predict):
        times = [1000 * seconds(partial(decode, one), 3) for one in chosen]
        print(f"{decode.__name__:14}{np.mean(times):8.2f} mean {max(times):8.2f} largest")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("treebank", type=Path)
    options.add_argument("--candidates", type=int, default=50)
    options.add_argument("--reranker", type=int, metavar="N", help="number of lists to train on")
    chosen = options.parse_args()
    name, k = chosen.treebank.name, chosen.candidates
    train = list(read_trees(chosen.treebank / f"{name}-train.mrg.gz"))
    gold = list(read_trees(chosen.treebank / f"{name}-dev.mrg.gz"))
    if chosen.reranker:
        print_reranked(train, gold, k, chosen.reranker)
        return
    parser = ConstituencyParser()
    taken = seconds(lambda: parser.fit(train))
    print(f"{name}: {len(train):,} trees learned in {taken:.1f} s: {parser.size_line()}")
    sentences = words_and_tags(gold)
    for own_tags in (False, True):
        lists = parse_all(parser, sentences, k, own_tags)
        tags = "the parser's own tags" if own_tags else "gold tags"
        print_accuracy(lists, gold, f"{len(gold)} sentences, {tags}, {k} candidates")
    print("\ncoarse to fine against unpruned search, gold tags:")
    print_exactness(parser, sentences, gold)
    print_mbr_speed(lists)
    print_speed(parser, sentences, k)


if __name__ == "__main__":
    main()

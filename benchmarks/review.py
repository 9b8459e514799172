"""Benchmark of `headwise review`: `python benchmarks/review.py TREEBANK [--share S] [--train T]`.

Plants errors into a treebank: words drawn at random get another head (the tree stays a tree), or
another relation, UPOS or XPOS of the treebank. Reviews it, and prints a Markdown table of the share
of planted errors among the values that come first, beside that of random order.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from headwise.cli.trainingprogress import run_progress
from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import is_tree
from headwise.review.opinions import ATTRIBUTES
from headwise.review.reviewing import ReviewSettings, review
from pages import figures, row
from pages import head as table_head

FIRST = (100, 500, 1000)
KINDS = ("head", "deprel", "upos", "xpos")

Error = tuple[int, int, str]
"""The number of a sentence, that of a word, and a column."""


def plant(
    sentences: Sequence[Sentence], share: float, seed: int
) -> tuple[list[Sentence], set[Error]]:
    """The sentences with an error in a share of the values of each kind, and where they are."""
    random = np.random.default_rng(seed)
    names = {kind: values_of(sentences, kind) for kind in KINDS[1:]}
    changed, planted = [], set()
    for number, sentence in enumerate(sentences, 1):
        for word in range(1, len(sentence) + 1):
            for kind in KINDS:
                if random.random() < share:
                    other = with_error(sentence, word, kind, names.get(kind, []), random)
                    if other is not None:
                        sentence = other
                        planted.add((number, word, kind))
        changed.append(sentence)
    return changed, planted


def values_of(sentences: Sequence[Sentence], kind: str) -> list[str]:
    """The values of a column, but the root's relation and those that are missing."""
    counts = Counter(v for one in sentences for v in getattr(one, ATTRIBUTES[kind]))
    return [value for value in counts if value not in (MISSING, "root")]


def with_error(
    sentence: Sentence, word: int, kind: str, names: Sequence[str], random: np.random.Generator
) -> Sentence | None:
    """The sentence with another value of a word, drawn at random; None if there is none."""
    if kind == "head":
        return with_other_head(sentence, word, random)
    column = ATTRIBUTES[kind]
    values = list(getattr(sentence, column))
    if values[word - 1] in (MISSING, "root"):
        return None
    others = [name for name in names if name != values[word - 1]]
    values[word - 1] = others[random.integers(len(others))]
    changed: dict[str, Any] = {column: tuple(values)}
    return replace(sentence, **changed)


def with_other_head(sentence: Sentence, word: int, random: np.random.Generator) -> Sentence | None:
    """The sentence with another head of a word, if there is one that leaves it a tree."""
    heads = [head or 0 for head in sentence.heads]
    if heads[word - 1] == 0:
        return None
    trees = []
    for head in range(1, len(sentence) + 1):
        other = [*heads[: word - 1], head, *heads[word:]]
        if head not in (word, heads[word - 1]) and is_tree([-1, *other]):
            trees.append(other)
    if not trees:
        return None
    return sentence.with_tree(trees[random.integers(len(trees))], sentence.relations)


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("treebank", type=Path)
    options.add_argument("--train", type=Path, help="further treebank that all models learn from")
    options.add_argument("--share", type=float, default=0.01, help="of values that are changed")
    options.add_argument("--folds", type=int, default=5)
    options.add_argument("--fast", action="store_true")
    options.add_argument("--scorer", default="linear")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    sentences, planted = plant(list(read_sentences(chosen.treebank)), chosen.share, chosen.seed)
    more = [] if chosen.train is None else list(read_sentences(chosen.train))
    settings = ReviewSettings(chosen.folds, chosen.scorer, chosen.fast, KINDS)
    begun = time.monotonic()
    with run_progress(chosen.folds) as bar:
        ranking = review(
            sentences,
            settings,
            more=more,
            callback=bar,
            progress=lambda name, done, total: bar.done(done, f"{name} {done} of {total}"),
        )
    kinds = Counter(kind for _, _, kind in planted)
    values = sum(ranking.judged.values())
    print(f"{chosen.treebank.name}: {values:,} values, {len(planted):,} of them planted errors")
    print(f"({', '.join(f'{kinds[kind]:,} {kind}' for kind in KINDS)})")
    print(f"{len(more):,} further sentences; {time.monotonic() - begun:.0f} s\n")
    ranks = {kind: [one for one in ranking.suspicions if one.column == kind] for kind in KINDS}
    print(table_head("judged", "planted, % (random order)", *(f"{n:,}" for n in FIRST)))
    for name, own in {"all": ranking.suspicions, **ranks}.items():
        right = [(one.number, one.word, one.column) in planted for one in own]
        base = len(planted) / values if name == "all" else kinds[name] / ranking.judged[name]
        shares = figures((100 * sum(right[:n]) / n for n in FIRST), 1)
        print(row(name, f"{100 * base:.2f}", *shares))


if __name__ == "__main__":
    main()

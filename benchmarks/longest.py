"""Benchmark of the longest sentences, at order 1 and at order 4: `python benchmarks/longest.py`.

Parsers are trained on UD English EWT for one epoch: only time is measured, not accuracy. They parse
the longest sentences of every treebank beside the repository (../shared/treebanks), one at a time,
and one of 1,000 words made of others. For each treebank: the longest sentence, the most seconds
that any took, and all warnings.
"""

import argparse
import time
import warnings
from pathlib import Path
from typing import Any

from headwise.corpus.formats import format_of, read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.learners.settings import Order
from headwise.parsers.graph.parser import DependencyParser
from treebankfolders import SHARED

TREEBANKS = SHARED / "treebanks"
EACH = 10
LONG = 1000


def longest_of(folder: Path) -> list[Sentence]:
    """The longest sentences of all files of a treebank."""
    found: list[Sentence] = []
    for path in sorted(folder.iterdir()):
        try:
            format_of(path)
        except UsageError:  # not a treebank
            continue
        found += read_sentences(path)
        found = sorted(found, key=len, reverse=True)[:EACH]
    return found


def joined(sentences: list[Sentence], words: int) -> Sentence:
    """One sentence of `words` words, from others."""
    columns = ("forms", "lemmas", "upos", "xpos", "feats")
    whole = {name: [x for one in sentences for x in getattr(one, name)] for name in columns}
    own: dict[str, Any] = {name: values[:words] for name, values in whole.items()}
    return Sentence.from_words(own.pop("forms"), **own)


def slowest(parser: DependencyParser, sentences: list[Sentence]) -> tuple[float, set[str]]:
    """The seconds of the slowest sentence, and all warnings."""
    seconds, messages = 0.0, set()
    for sentence in sentences:
        start = time.perf_counter()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            parser.predict([sentence])
        seconds = max(seconds, time.perf_counter() - start)
        messages |= {str(one.message) for one in caught}
    return seconds, messages


def main() -> None:
    """Train the parsers, and time them."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    train = list(read_sentences(TREEBANKS / "en_ewt/en_ewt-ud-train.conllu.gz"))
    orders: tuple[Order, ...] = (1, 4)
    parsers = {
        order: DependencyParser(order=order, epochs=1, labels="none").fit(train) for order in orders
    }
    folders = sorted(path for path in TREEBANKS.iterdir() if path.is_dir())
    rows = {folder.name: longest_of(folder) for folder in folders}
    rows = {name: sentences for name, sentences in rows.items() if sentences}
    rows[f"{LONG} words"] = [joined(train[:2000], LONG)]
    print(f"{'':14}{'longest':>8}{'order 1, s':>12}{'order 4, s':>12}")
    notices = set()
    for name, sentences in rows.items():
        times = {order: slowest(parser, sentences) for order, parser in parsers.items()}
        notices |= set().union(*(said for _, said in times.values()))
        shown = "".join(f"{seconds:12.3f}" for seconds, _ in times.values())
        print(f"{name:14}{len(sentences[0]):8}{shown}", flush=True)
    print(*sorted(notices), sep="\n")


if __name__ == "__main__":
    main()

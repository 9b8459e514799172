"""Benchmark of parsing and training: `python benchmarks/parse.py [--epochs N] [--model FOLDER …]`.

Trains parsers of all orders, 8-bit weights, on UD English EWT with its gold tags if it is beside
the repository (../shared/treebanks), else on the sample, and prints tokens per second (of CPU time)
of every step on one thread, fastest of several runs; then the time per word as sentences grow. The
whole command reads and writes CoNLL-U files of a million tokens in a new process, whose peak memory
is measured.
With `--work FOLDER`, models are stored and not trained again: train on a busy machine (`--train`),
measure on an idle one. `--speeds docs/speeds.json` only measures compiled code, pruner included,
all kinds in turn, for `docs/draw_orders.py`.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headwise.corpus.formats import write_sentences
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.inference.treesearch import TreeSearch
from headwise.kernels.arcs.plausible import EVERYTHING, gaps_of_gold
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear.atoms import in_pieces
from headwise.scoring.linear.scorer import ArcScorer
from measuring import fastest, fastest_in_turn
from treebankfolders import SHARED, sentences_of
from wholecommand import cost_of

EWT = SHARED / "treebanks/en_ewt"
KINDS: dict[str, dict[str, Any]] = {
    "order 1, paper 000's features": {"features": "paper-000"},
    "the same, no relations": {"features": "paper-000", "labels": "none"},
    "order 1": {},
    "the same, and no relations": {"labels": "none"},
    "order 2, siblings": {"order": 2},
    "order 2, and grandchildren": {"parts": ("arc", "sibling", "grandchild", "stop")},
    "order 3": {"order": 3},
    "order 4": {"order": 4},
}
LENGTHS = (10, 20, 40, 70, 100, 150, 200, 1000)
WORDS_OF_A_LENGTH = 4000
ROUNDS = 8
TURNS = 40


def data() -> tuple[list[Sentence], list[Sentence]]:
    """Training sentences, and sentences to parse."""
    if EWT.exists():
        return sentences_of(EWT)
    return list(read_sample()) * 50, list(read_sample()) * 300


def trained(settings: dict[str, Any], epochs: int, train: list[Sentence]) -> DependencyParser:
    """Train a parser of a kind and print the time."""
    DependencyParser(epochs=1, **settings).fit(train[:50])  # compiles the kernels, or loads them
    start, cpu_start = time.perf_counter(), time.process_time()
    parser = DependencyParser(epochs=epochs, **settings).fit(train)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    print(f"{'training':32}{cpu:12.1f} s CPU time, {seconds:.1f} s for {epochs} epochs", flush=True)
    return parser


def steps(search: TreeSearch, sentences: list[Sentence]) -> dict[str, float]:
    """The seconds of every step of parsing."""
    encoded = search.encode(sentences)
    found = {
        "encoding (words to numbers)": fastest(lambda: search.encode(sentences), ROUNDS),
        "whole parse in compiled code": fastest(lambda: search.best_encoded(encoded), ROUNDS),
    }
    if search.pruner is not None:
        pruner = search.pruner
        return found | {"pruning": fastest(lambda: pruner.unpruned_each(encoded), ROUNDS)}
    pieces, scorer = list(in_pieces(encoded)), arc_scorer(search)
    scored = [(scorer.score_many(piece), np.diff(piece.starts)) for piece in pieces]

    def score() -> None:
        for piece in pieces:
            scorer.score_many(piece)

    def decode() -> None:
        for scores, sizes in scored:
            search.arc_decoder.best_trees(scores, sizes)

    return found | {"scoring": fastest(score, ROUNDS), "decoding": fastest(decode, ROUNDS)}


def arc_scorer(search: TreeSearch) -> ArcScorer:
    """The arc scorer of a parser."""
    if not isinstance(search.scorer, ArcScorer):
        raise TypeError("joint labels are not measured here")
    return search.scorer


class PlausibleArcs(NamedTuple):
    """Plausible arcs per word, all arcs per word, and the percentage of gold arcs kept."""

    kept: float
    all: float
    gold: float


def plausible_arcs(search: TreeSearch, sentences: list[Sentence]) -> PlausibleArcs | None:
    """How many arcs are plausible; None if all are."""
    encoded, plausible = search.encode(sentences), arc_scorer(search).tables.plausible
    if plausible.margin == EVERYTHING:
        return None
    first = np.repeat(encoded.starts[:-1], np.diff(encoded.starts))
    size = np.repeat(np.diff(encoded.starts), np.diff(encoded.starts))
    token = np.arange(len(first)) - first
    found = arcs = 0
    for h in range(int(size.max())):
        heads = np.where((h < size) & (token > 0) & (token != h), h, -1)
        gaps = gaps_of_gold(plausible, encoded.tokens, encoded.starts, heads)
        found += int(((gaps >= 0) & (gaps <= plausible.margin)).sum())
        arcs += int((heads >= 0).sum())
    gold = np.array([h for one in sentences for h in (-1, *one.heads)], np.int64)
    gaps = gaps_of_gold(plausible, encoded.tokens, encoded.starts, gold)
    right = (gaps[gaps >= 0] <= plausible.margin).mean()
    words = sum(map(len, sentences))
    return PlausibleArcs(found / words, arcs / words, 100 * float(right))


def shown_arcs(arcs: PlausibleArcs | None) -> str:
    """A count of arcs in words."""
    if arcs is None:
        return "all"
    return f"{arcs.kept:.1f} of {arcs.all:.1f} per word, {arcs.gold:.2f} % of gold arcs"


def of_length(sentences: list[Sentence], n: int) -> list[Sentence]:
    """Sentences of n words each, cut from running text."""
    columns = ("forms", "lemmas", "upos", "xpos", "feats")
    flat = {name: [x for one in sentences for x in getattr(one, name)] for name in columns}
    made = []
    for a in range(0, min(len(flat["forms"]) - n, WORDS_OF_A_LENGTH), n):
        own: dict[str, Any] = {name: values[a : a + n] for name, values in flat.items()}
        made.append(Sentence.from_words(own.pop("forms"), **own))
    return made


def growth(search: TreeSearch, sentences: list[Sentence]) -> str:
    """Microseconds per word in sentences of growing length."""
    cells = []
    for n in LENGTHS:
        encoded = search.encode(of_length(sentences, n))
        words = int(encoded.starts[-1]) - len(encoded)
        seconds = fastest(partial(search.best_encoded, encoded), ROUNDS)
        cells.append(f"n = {n}: {1e6 * seconds / words:.1f}")
    return "  ".join(cells)


def print_speed(name: str, words: int, seconds: float, more: str = "") -> None:
    """A line of the table."""
    print(f"{name:32}{words / seconds:12,.0f} tokens/s{more}")


def speeds_in_turn(models: dict[str, Path], sentences: list[Sentence]) -> dict[str, int]:
    """Tokens per second of every kind in compiled code, the kinds in turn, many times."""
    searches = {label: DependencyParser.load(model).search() for label, model in models.items()}
    works = {
        label: partial(search.best_encoded, search.encode(sentences))
        for label, search in searches.items()
    }
    times, words = fastest_in_turn(works, TURNS), sum(map(len, sentences))
    return {label: round(words / seconds) for label, seconds in times.items()}


def measure(model: Path, sentences: list[Sentence], tokens: int, jobs: Iterable[int]) -> None:
    """Print everything about a model."""
    parser = DependencyParser.load(model)
    words = sum(map(len, sentences))
    print(f"{'UAS, all tokens':32}{100 * parser.score(sentences):12.2f}")
    if isinstance(parser.search().scorer, ArcScorer):
        print(f"{'plausible arcs':32}{shown_arcs(plausible_arcs(parser.search(), sentences))}")
    times = steps(parser.search(), sentences)
    for name, seconds in times.items():
        print_speed(name, words, seconds)
    print_speed(
        "from sentences to sentences", words, fastest(lambda: parser.predict(sentences), ROUNDS)
    )
    print(f"microseconds per word: {growth(parser.search(), sentences)}")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "source.conllu", Path(folder) / "target.conllu"
        write_sentences(source, sentences[:10])
        cost_of("parse", "--model", model, source, "-o", target)  # compiles the kernels
        copies = max(1, round(tokens / words))
        write_sentences(source, (one for _ in range(copies) for one in sentences))
        for count in jobs:
            cost = cost_of("parse", "--model", model, source, "-o", target, "--jobs", count)
            more = f", {cost.processor:.1f} s CPU time, peak {cost.megabytes:.0f} MB"
            print_speed(f"whole command, --jobs {count}", copies * words, cost.wall, more)


def main() -> None:
    """Train or load models, and measure them."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--model", type=Path, action="append", help="models to measure instead")
    options.add_argument("--tokens", type=int, default=1_000_000, help="for the whole command")
    options.add_argument("--jobs", type=int, nargs="*", default=[1, 2])
    options.add_argument("--kind", action="append", choices=KINDS, help="kinds [default: all]")
    options.add_argument("--work", type=Path, help="folder to store trained models in")
    options.add_argument("--train", action="store_true", help="only train")
    options.add_argument("--speeds", type=Path, help="file for the speeds of all kinds, in turn")
    chosen = options.parse_args()
    train, dev = data()
    print(f"{sum(map(len, train)):,} training words, {sum(map(len, dev)):,} to parse")
    for model in chosen.model or []:
        print(f"\n{model}")
        measure(model, dev, chosen.tokens, chosen.jobs)
    if chosen.model:
        return
    with tempfile.TemporaryDirectory() as folder:
        models_folder = chosen.work or Path(folder)
        kinds = chosen.kind or KINDS
        models = {label: models_folder / label.replace(" ", "-") for label in kinds}
        for label in kinds:
            print(f"\n{label}, 8-bit weights, gold tags")
            if not models[label].exists():
                trained(KINDS[label], chosen.epochs, train).save(models[label])
            if not chosen.train and chosen.speeds is None:
                measure(models[label], dev, chosen.tokens, chosen.jobs)
        if chosen.speeds is not None:
            speeds = speeds_in_turn(models, dev)
            chosen.speeds.write_text(json.dumps(speeds, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

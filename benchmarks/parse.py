"""Speed of parsing and training: `python benchmarks/parse.py [--epochs N] [--model FOLDER …]`.

Trains a parser with each feature set, 8-bit weights, on UD English EWT with its gold tags where
that lies beside the repository (../shared/treebanks), on the sample otherwise, and prints tokens a
second of every step on one thread, fastest of several runs. The whole command reads and writes
CoNLL-U files of a million tokens, in a process of its own; its peak memory is that process's.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from headwise.corpus.conllu import write_conllu
from headwise.corpus.formats import read_sentences
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.decoders.projective import best_trees
from headwise.features.atoms import in_pieces
from headwise.parser import DependencyParser
from headwise.parserfile import load_parser, save_parser
from headwise.search import TreeSearch

EWT = Path(__file__).parents[2] / "shared/treebanks/en_ewt"
FEATURE_SETS = ("paper-000", "default")
ROUNDS = 7


def data() -> tuple[list[Sentence], list[Sentence]]:
    """Sentences to learn from, and sentences to parse."""
    files = [EWT / f"en_ewt-ud-{part}.conllu.gz" for part in ("train", "dev")]
    if all(file.exists() for file in files):
        train, dev = (list(read_sentences(file)) for file in files)
        return train, dev
    return list(read_sample()) * 50, list(read_sample()) * 300


def fastest(work: Callable[[], object]) -> float:
    """The seconds of the fastest of several runs."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def trained(features: str, epochs: int, train: list[Sentence]) -> DependencyParser:
    """A parser of a feature set, after saying how long an epoch took."""
    DependencyParser(features=features, epochs=1).fit(train[:50])  # compiled, or found in the cache
    start = time.perf_counter()
    parser = DependencyParser(features=features, epochs=epochs).fit(train)
    seconds = time.perf_counter() - start
    print(f"{'training':32}{seconds / epochs:12.1f} s an epoch, {seconds:.1f} s for {epochs}")
    return parser


def steps(search: TreeSearch, sentences: list[Sentence]) -> dict[str, float]:
    """The seconds of every step of parsing."""
    encoded = search.encode(sentences)
    pieces = list(in_pieces(encoded))
    scored = [(search.scorer.score_many(piece), np.diff(piece.starts) - 1) for piece in pieces]

    def encode() -> None:
        search.encode(sentences)

    def score() -> None:
        for piece in pieces:
            search.scorer.score_many(piece)

    def decode() -> None:
        for scores, lengths in scored:
            best_trees(scores, lengths, search.single_root)

    return {
        "encoding (words to numbers)": fastest(encode),
        "scoring": fastest(score),
        "decoding": fastest(decode),
        "whole parse in compiled code": fastest(lambda: search.best_encoded(encoded)),
    }


# A process counts the memory of the one it was forked from as its own: so this small one forks.
LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.executable, [sys.executable, *sys.argv[1:]], os.environ)
_, status, used = os.wait4(child, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def whole_command(model: Path, source: Path, target: Path, jobs: int) -> tuple[float, float, int]:
    """Wall-clock seconds, processor seconds and peak bytes of `headwise parse`."""
    command = ["-m", "headwise", "parse", "--model", model, source, "-o", target, "--jobs", jobs]
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-S", "-c", LAUNCHER, *map(str, command)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    wall = time.perf_counter() - start
    processor, memory = map(float, done.stdout.split())
    return wall, processor, int(memory * (1 if sys.platform == "darwin" else 1024))


def print_speed(name: str, words: int, seconds: float, more: str = "") -> None:
    """A line of the table."""
    print(f"{name:32}{words / seconds:12,.0f} tokens/s{more}")


def measure(model: Path, sentences: list[Sentence], tokens: int, jobs: Iterable[int]) -> None:
    """Print everything about a model."""
    parser = load_parser(model)
    words = sum(map(len, sentences))
    print(f"{'UAS, all tokens':32}{100 * parser.score(sentences):12.2f}")
    for name, seconds in steps(parser.search(), sentences).items():
        print_speed(name, words, seconds)
    print_speed("from sentences to sentences", words, fastest(lambda: parser.predict(sentences)))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "source.conllu", Path(folder) / "target.conllu"
        copies = max(1, round(tokens / words))
        write_conllu(source, (one for _ in range(copies) for one in sentences))
        for count in jobs:
            wall, processor, memory = whole_command(model, source, target, count)
            more = f", {processor:.1f} s of processor, peak {memory / 1e6:.0f} MB"
            print_speed(f"whole command, --jobs {count}", copies * words, wall, more)


def main() -> None:
    """Train or load models, and measure them."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--epochs", type=int, default=10)
    options.add_argument("--model", type=Path, action="append", help="instead of training")
    options.add_argument("--tokens", type=int, default=1_000_000, help="of the whole command")
    options.add_argument("--jobs", type=int, nargs="*", default=[1, 2])
    chosen = options.parse_args()
    train, dev = data()
    print(f"{sum(map(len, train)):,} words to learn from, {sum(map(len, dev)):,} to parse")
    for model in chosen.model or []:
        print(f"\n{model}")
        measure(model, dev, chosen.tokens, chosen.jobs)
    if chosen.model:
        return
    for features in FEATURE_SETS:
        print(f"\n{features}, 8-bit weights, gold tags")
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "model"
            save_parser(model, trained(features, chosen.epochs, train))
            measure(model, dev, chosen.tokens, chosen.jobs)


if __name__ == "__main__":
    main()

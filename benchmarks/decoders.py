"""Benchmark of the decoders: time and memory of every question, by sentence length.

    python benchmarks/decoders.py [--most-words N] [--memory GB] [--only NAME]

Times are the best of many calls on random scores, from Scores to answer, one thread. `pruned` has
about five unpruned heads per word. Memory is that of scores and chart together. Then: the gain of
batching short sentences and of a second thread, and how long a new process takes to load and to
compile the first-order kernels.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.search.decoders.chart import ChartDecoder, chart_memory_needed
from headwise.search.decoders.chartscores import ChartScores
from headwise.search.decoders.climb import ClimbDecoder
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.memory import chart_memory, memory_needed, score_memory
from headwise.search.partindex import PartIndex
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores

LENGTHS = (10, 20, 30, 40, 70, 100)
SECONDS = 0.3
"""How long each figure is measured, but at least twice."""

QUESTIONS = ("best", "5 best", "10 best", "marginals", "sample")


def fastest(work: Callable[[], object]) -> float:
    work()
    times: list[float] = []
    begin = time.perf_counter()
    while len(times) < 2 or time.perf_counter() < begin + SECONDS:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def ask(decoder: Any, scores: Any, question: str) -> Callable[[], object]:
    """A question to a decoder of either kind of scores."""
    rng = np.random.default_rng(0)
    return {
        "best": lambda: decoder.best(scores),
        "5 best": lambda: decoder.kbest(scores, 5),
        "10 best": lambda: decoder.kbest(scores, 10),
        "marginals": lambda: decoder.marginals(scores),
        "sample": lambda: decoder.sample(scores, 1, rng),
    }[question]


def random_arcs(n: int) -> np.ndarray:
    return np.random.default_rng(n).normal(size=(n + 1, n + 1))


def scores_over(index: PartIndex) -> Scores:
    rng = np.random.default_rng(index.n)
    higher: dict[Part, npt.NDArray[np.float64]] = {
        part: rng.normal(size=index.count(part))
        for part in index.factorisation.parts
        if part is not Part.ARC
    }
    return Scores(np.where(index.unpruned, random_arcs(index.n), -np.inf), index, higher)


def pruned_index(n: int, factorisation: Factorisation) -> PartIndex:
    """About five unpruned heads per word, including those of one tree."""
    rng = np.random.default_rng(n)
    unpruned = rng.random((n + 1, n + 1)) < min(1.0, 4 / n)
    tree = ProjectiveDecoder().best(Scores(random_arcs(n))).heads
    unpruned[tree[1:], np.arange(1, n + 1)] = True
    return PartIndex.over(unpruned, factorisation)


Case = tuple[str, object, Callable[[int], object], Callable[[int], int]]


def cases() -> Iterator[Case]:
    """Name, decoder, function that makes scores, and function for the bytes needed."""
    projective = ProjectiveDecoder()
    for factorisation in Factorisation:
        if factorisation is Factorisation.ARCS:
            arcs_memory = lambda n: memory_needed(n, Factorisation.ARCS)  # noqa: E731
            yield "arcs", projective, lambda n: Scores(random_arcs(n)), arcs_memory
            continue

        def dense(n: int, f: Factorisation = factorisation) -> Scores:
            return scores_over(PartIndex.dense(n, f))

        def dense_memory(n: int, f: Factorisation = factorisation) -> int:
            return memory_needed(n, f)

        def pruned(n: int, f: Factorisation = factorisation) -> Scores:
            return scores_over(pruned_index(n, f))

        def pruned_memory(n: int, f: Factorisation = factorisation) -> int:
            index = pruned_index(n, f)
            return chart_memory(index, n) + score_memory(index)

        yield factorisation.label, projective, dense, dense_memory
        yield f"{factorisation.label}, pruned", projective, pruned, pruned_memory
    yield (
        "non-projective arcs",
        NonProjectiveDecoder(),
        lambda n: Scores(random_arcs(n)),
        lambda n: 8 * (n + 1) ** 2,
    )


def row(name: str, n: int, megabytes: float | None, seconds: Sequence[float | None]) -> str:
    cells = ["        –" if s is None else f"{1e3 * s:9.3f}" for s in seconds]
    memory = "        –" if megabytes is None else f"{megabytes:9.2f}"
    return f"{name:28} {n:4d} {memory} " + " ".join(cells)


def print_table(most_words: int, most_bytes: float, only: str) -> None:
    print(f"{'':28} {'n':>4} {'MB':>9} " + " ".join(f"{q + ' ms':>9}" for q in QUESTIONS))
    for name, decoder, make, memory in cases():
        for n in LENGTHS:
            if n > most_words or only not in name:
                continue
            if memory(n) > most_bytes:
                print(row(name, n, memory(n) / 1e6, [None] * len(QUESTIONS)))
                continue
            scores = make(n)
            times = [fastest(ask(decoder, scores, question)) for question in QUESTIONS]
            print(row(name, n, memory(n) / 1e6, times), flush=True)
    print_others(most_words, most_bytes, only)


def print_others(most_words: int, most_bytes: float, only: str) -> None:
    """Decoders with their own kind of scores, or with a single question."""
    name = "chart (low, head, high)"
    for n in LENGTHS:
        if n > most_words or only not in name:
            continue
        arcs = scores_over(PartIndex.dense(n, Factorisation.SIBLINGS))
        scores = ChartScores.from_scores(arcs)
        kind = scores.counts, scores.first is not None, scores.both_sides
        needed = chart_memory_needed(n, *kind)
        times: list[float | None] = [None] * len(QUESTIONS)
        if needed <= most_bytes:
            times = [fastest(ask(ChartDecoder(), scores, question)) for question in QUESTIONS]
        print(row(name, n, needed / 1e6, times), flush=True)
    for n in LENGTHS:
        if n <= most_words and only in "hill climbing":
            unpruned = pruned_index(n, Factorisation.GRAND_SIBLINGS).unpruned
            index = PartIndex.over(unpruned, Factorisation.GRAND_SIBLINGS, crossing=True)
            best = fastest(ask(ClimbDecoder(), scores_over(index), "best"))
            megabytes = (chart_memory(index, n) + score_memory(index)) / 1e6
            shown = row("hill climbing, order 3", n, megabytes, [best, None, None, None, None])
            print(shown, flush=True)


def print_batch() -> None:
    rng = np.random.default_rng(0)
    sizes = rng.integers(2, 23, 2000) + 1  # a mean of 12 words, and the root
    arcs = rng.normal(size=int((sizes**2).sum()))
    seconds = fastest(lambda: ProjectiveDecoder().best_trees(arcs, sizes))
    print(f"\na batch of 2,000 sentences, 12 words on average: {2000 / seconds:,.0f} sentences/s")


def print_threads() -> None:
    """Each thread gets half of the sentences, so that search is measured, not the pool."""
    scores = scores_over(PartIndex.dense(40, Factorisation.GRAND_SIBLINGS))
    decoder = ProjectiveDecoder()

    def search(count: int) -> None:
        for _ in range(count):
            decoder.best(scores)

    alone = fastest(lambda: search(200))
    with ThreadPoolExecutor(2) as pool:
        together = fastest(lambda: list(pool.map(search, (100, 100))))
    print(f"speed-up by two threads, {os.cpu_count()} cores: {alone / together:.2f}")


def print_start() -> None:
    script = (
        "import time, numpy as np; start = time.perf_counter();"
        "from headwise.search.decoders.projective import ProjectiveDecoder;"
        "from headwise.search.scores import Scores; scores = Scores(np.zeros((9, 9)));"
        "d = ProjectiveDecoder(); d.best(scores); d.kbest(scores, 3); d.marginals(scores);"
        "d.sample(scores, 1, np.random.default_rng(0)); print(time.perf_counter() - start)"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for name in ("first call ever, all first-order kernels", "a later process"):
            done = subprocess.run(
                [sys.executable, "-c", script],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            print(f"{name}: {float(done.stdout):.1f} s")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--most-words", type=int, default=100)
    options.add_argument("--memory", type=float, default=1.0, help="memory limit in GB")
    options.add_argument("--only", default="", help="measure only names that contain this")
    chosen = options.parse_args()
    print_table(chosen.most_words, chosen.memory * 1e9, chosen.only)
    print_batch()
    print_threads()
    print_start()


if __name__ == "__main__":
    main()

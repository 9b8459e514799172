"""The speed of parsing by a network on an accelerator, and whether its answers are the CPU's.

    python benchmarks/neural_device.py --model MODEL [--tokens FILE] [--text FILE] [--gold FILE]

--gold (CoNLL-U): how much differs between the accelerator and the CPU; tags are not given. The CPU
is timed too: set OPENBLAS_NUM_THREADS=1 to make it one thread.
--tokens (tokenised text): words per second from tokenised sentences to tags, heads and relations
in memory, best of three for several numbers of threads, and the time of each stage.
--text (raw text): words per second of the whole command, with and without its start.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from headwise.corpus.scanned import under_trees
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError

T = TypeVar("T")

COLUMNS = ("upos", "xpos", "feats", "heads", "relations")
INSIDE = ("tagging", "states", "heads", "modifiers", "relation_heads", "relation_modifiers")
THREADS = (1, 4, 8)
MOST_BATCHES = 8


def searches(model: str, device: str, most_tokens: int) -> tuple[Any, Any, Any]:
    """The model at work on the CPU, on the device of JAX, and this device."""
    import jax

    from headwise.pipeline.models import as_pipeline
    from headwise.scoring.neural.accelerated import AcceleratedNetwork

    search: Any = as_pipeline(model).search()
    there = jax.devices(device)[0]
    network = AcceleratedNetwork.at(search.network, there, most_tokens)
    return search, replace(search, network=network), there


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What a function gives, and its seconds."""
    start = time.perf_counter()
    found = work()
    return found, time.perf_counter() - start


def report(name: str, value: object) -> None:
    """Print a line of the result at once."""
    print(f"{name:58s} {value}", flush=True)


def probe(device: Any) -> None:
    """Which operations are those of NumPy to the bit, on a million pairs of numbers."""
    import jax
    import jax.numpy as jnp

    from headwise.scoring.neural.jaxarithmetic import divided

    random = np.random.default_rng(0)
    x, y, z = (random.standard_normal(10**6).astype(np.float32) for _ in range(3))
    most = np.finfo(np.float32).max
    matrix = random.integers(-127, 128, (1024, 1024)).astype(np.float32)
    functions: dict[str, tuple[Callable[..., Any], Any]] = {
        "x / y": (lambda x, y, z, most, m: x / y, x / y),
        "divided(x, |y|)": (lambda x, y, z, most, m: divided(x, abs(y)), x / abs(y)),
        "x y + z, as the compiler likes": (lambda x, y, z, most, m: x * y + z, x * y + z),
        "min(x y, most) + z": (lambda x, y, z, most, m: jnp.minimum(x * y, most) + z, x * y + z),
        "rint": (lambda x, y, z, most, m: jnp.rint(x * 100), np.rint(x * np.float32(100))),
        "products of matrices of whole numbers": (
            lambda x, y, z, most, m: jnp.matmul(m, m, precision=jax.lax.Precision.HIGHEST),
            matrix @ matrix,
        ),
    }
    given = [jax.device_put(one, device) for one in (x, y, z, most, matrix)]
    for name, (function, wanted) in functions.items():
        found = np.asarray(jax.jit(function)(*given))
        report(f"not equal: {name}", f"{(found != wanted).sum():,} of {found.size:,}")


def compare(cpu: Any, there: Any, sentences: Sequence[Sentence]) -> None:
    """Print how much of the answers differs, and of the numbers inside."""
    words = sum(map(len, sentences))
    cpu.parse_many(sentences[:1])  # compiles
    wanted, seconds = timed(lambda: cpu.parse_many(sentences))
    report("the CPU, words per second", f"{words / seconds:,.0f}")
    found = there.parse_many(sentences)
    for column in COLUMNS:
        one, two = (
            [value for s in many for value in getattr(s, column)] for many in (wanted, found)
        )
        wrong = sum(a != b for a, b in zip(one, two, strict=True))
        report(f"{column} that differ", f"{wrong:,} of {words:,}")
    one, two = (search.encode(sentences).tokens.on_cpu() for search in (cpu, there))
    for name in INSIDE:
        a, b = getattr(one, name), getattr(two, name)
        report(f"numbers inside that differ: {name}", f"{(a != b).sum():,} of {a.size:,}")
    a, b = (search.network.arc_scores(search.encode(sentences).tokens) for search in (cpu, there))
    report("scores of arcs that differ", f"{(a != b).sum():,} of {a.size:,}")


def tokenised(path: Path, least: int) -> list[Sentence]:
    """Sentences of a file, one a line, repeated until there are enough words."""
    lines = [line.split() for line in path.read_text("utf-8").splitlines()]
    found = [Sentence.from_words(words) for words in lines if words]
    return found * -(-least // sum(map(len, found)))


class Stages:
    """The seconds of the stages of parsing, one after the other in one thread."""

    def __init__(self, search: Any) -> None:
        """Nothing has been measured yet."""
        self.search, self.words = search, 0
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def take(self, name: str, work: Callable[[], T]) -> T:
        """What a stage gives."""
        found, seconds = timed(work)
        self.seconds[name] += seconds
        return found

    def parse(self, batch: Sequence[Sentence]) -> None:
        """Parse some sentences as `NeuralSearch.parse_many` does."""
        take, search = self.take, self.search
        encoded = take("look words up, pack rows, send", lambda: search.encode(batch))
        outputs = encoded.tokens.outputs
        take(
            "accelerator: encoder and arcs",
            lambda: [one.arcs.block_until_ready() for one in outputs],
        )
        take("transfer: scores of arcs", lambda: [np.asarray(one.arcs) for one in outputs])
        heads = take("arcs as 64-bit floats, search", lambda: search.best_encoded(encoded))
        names = take("relations and their transfer", lambda: search.relations_of(encoded, heads))
        tagged = take("transfer and names of tags", lambda: search.tagged(batch, encoded))
        starts = encoded.starts.tolist()
        take("sentences under trees", lambda: under_trees(tagged, starts, heads, names))
        self.words += sum(map(len, batch))

    def report(self) -> None:
        """Print what was measured."""
        for name, seconds in self.seconds.items():
            report(f"µs per word, {name}", f"{1e6 * seconds / self.words:.3f}")
        total = sum(self.seconds.values())
        report("µs per word, all stages in one thread", f"{1e6 * total / self.words:.3f}")


def speed(search: Any, sentences: Sequence[Sentence]) -> None:
    """Print words per second in memory, by number of threads."""
    from headwise.pipeline.parsing import parse_stream

    words = sum(map(len, sentences))
    report("words, sentences", f"{words:,}, {len(sentences):,}")

    def run(threads: int) -> int:
        return sum(len(one) for one in parse_stream(search, sentences, jobs=threads))

    for threads in THREADS:
        seconds = [timed(partial(run, threads))[1] for _ in range(3)]
        shown = ", ".join(f"{one:.2f}" for one in seconds)
        report(f"{threads} threads, words per second", f"{words / min(seconds):,.0f}   ({shown} s)")


def whole_command(model: str, text: Path, device: str) -> None:
    """Print words per second of the command, and how long it takes for three words."""
    with tempfile.TemporaryDirectory() as folder:
        out, little = Path(folder, "out.conllu"), Path(folder, "little.txt")
        little.write_text("Dogs bark loudly.\n")
        found = []
        for source in (little, little, text):  # the first one compiles, for the cache
            call = [sys.executable, "-m", "headwise", "parse", str(source), "--model", model,
                    "-o", str(out), "--device", device, "-q"]  # fmt: skip
            found.append(timed(partial(subprocess.run, call, check=True))[1])
            words = sum(line[:1].isdigit() and b"\t" in line and b"-" not in line.split(b"\t")[0]
                        for line in out.read_bytes().splitlines())  # fmt: skip
            out.unlink()
    start, seconds = found[1], found[2]
    report("whole command, seconds", ", ".join(f"{one:.2f}" for one in found))
    report("raw text, whole command, words per second", f"{words / seconds:,.0f}   ({words:,})")
    report("the same without its start", f"{words / (seconds - start):,.0f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="en")
    parser.add_argument("--device", default="cuda", help="of JAX; cpu to try this script")
    parser.add_argument("--gold", type=Path)
    parser.add_argument("--tokens", type=Path)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--most-tokens", type=int, default=2**16)
    options = parser.parse_args(arguments)
    if not (options.gold or options.tokens or options.text):
        raise UsageError("name --gold, --tokens or --text")
    if options.text:  # first, as this process would hold the accelerator's memory
        whole_command(options.model, options.text, options.device)
    if options.gold or options.tokens:
        in_memory(options)


def in_memory(options: argparse.Namespace) -> None:
    """Measure what is done in this process."""
    from headwise.corpus.formats import read_sentences
    from headwise.pipeline.parsing import WORDS_FOR_ACCELERATOR, in_batches
    from headwise.pipeline.pipeline import without_columns
    from headwise.scoring.neural.packing import LENGTHS

    (cpu, there, device), seconds = timed(
        lambda: searches(options.model, options.device, options.most_tokens)
    )
    report("device", f"{device.device_kind}, {os.cpu_count()} CPU cores")
    report("loading the model and JAX, seconds", f"{seconds:.1f}")
    for length in LENGTHS[:2]:
        long = [Sentence.from_words(["word"] * (length - 1))]
        seconds = timed(partial(there.parse_many, long))[1]
        report(f"first call of sentences up to {length} tokens, seconds", f"{seconds:.1f}")
    probe(device)
    if options.gold:
        read = read_sentences(options.gold)
        sentences = [without_columns(one, ("upos", "xpos", "feats")) for one in read]
        compare(cpu, there, sentences)
    if options.tokens:
        sentences = tokenised(options.tokens, options.words)
        stages = Stages(there)
        for batch in islice(in_batches(sentences, WORDS_FOR_ACCELERATOR, len), MOST_BATCHES):
            stages.parse(batch)
        stages.report()
        speed(there, sentences)
    report(
        "peak memory of the process, MB",
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f}",
    )
    peak = (device.memory_stats() or {}).get("peak_bytes_in_use", 0)
    report("peak memory of the device, MB", f"{peak / 2**20:,.0f}")


if __name__ == "__main__":
    main()

"""Memory of `headwise parse` over a long stream: `python benchmarks/memory.py [FILE …]`.

Every model parses text from standard input to nowhere. Prints a Markdown table: the resident memory
by the number of words, and the peak. The text is that beside the repository (../shared/text), with
each file at most once, or that of other files, one sentence or paragraph a line.
"""

import argparse
import gzip
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from headwise.pipeline.models import embedded_names
from pages import figures, head, row
from treebankfolders import SHARED

TEXTS = SHARED / "text"
BLOCK = 500
"""Lines written at a time."""


def lines_of(files: Iterable[Path]) -> Iterator[str]:
    """The lines of text files, packed or not."""
    for path in files:
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as stream:
            yield from stream


def megabytes(process: int, name: str) -> float:
    """The resident memory of a process (VmRSS), or the most there was of it (VmHWM)."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next((int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(name)), 0)


def curve(model: str, lines: Iterator[str], step: int, words: int) -> Iterator[tuple[int, float]]:
    """Words that were read and the memory after every `step` of them; at last 0 and the peak."""
    call = [sys.executable, "-m", "headwise", "parse", "-", "--text", "--model", model, "-q"]
    process = subprocess.Popen(
        [*call, "-o", "/dev/null", "--to", "conllu"], stdin=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    done, due = 0, step
    while done < words and (block := list(islice(lines, BLOCK))):
        process.stdin.write("".join(block))
        done += sum(len(line.split()) for line in block)
        if done >= due:
            yield due, megabytes(process.pid, "VmRSS")
            due += step
    peak = megabytes(process.pid, "VmHWM")
    process.stdin.close()
    if process.wait():
        sys.exit(f"{model}: exit code {process.returncode}")
    yield 0, peak


def print_table(curves: Mapping[str, Sequence[tuple[int, float]]]) -> None:
    """A row for each number of words, a column for each model."""
    print(head("words", *(f"`{model}`, MB" for model in curves), texts=0))
    for points in zip(*curves.values(), strict=True):
        words = f"{points[0][0]:,}" if points[0][0] else "peak"
        print(row(words, *figures((size for _, size in points), 0)))


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options.add_argument("--model", action="append", help="[default: the included ones]")
    options.add_argument("--words", type=int, default=5_000_000)
    options.add_argument("--step", type=int, default=500_000, help="words from row to row")
    chosen = options.parse_args()
    files = chosen.files or sorted(TEXTS.glob("*.txt.gz"))
    found: dict[str, list[tuple[int, float]]] = {}
    for model in chosen.model or embedded_names():
        found[model] = []
        for words, size in curve(model, lines_of(files), chosen.step, chosen.words):
            found[model].append((words, size))
            print(model, f"{words:,}", f"{size:.0f}", file=sys.stderr, flush=True)
    print_table(found)


if __name__ == "__main__":
    main()

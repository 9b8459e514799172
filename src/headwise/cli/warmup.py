"""`headwise warmup`: compile kernels before they are needed."""

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from enum import StrEnum
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.progressbar import progress
from headwise.errors import UsageError
from headwise.processes.pools import temporary_folder

SAMPLE = "SAMPLE"
"""In a call: the treebank that comes with the package."""

GIVEN = "given.jsonl"
"""In a call: a sentence one of whose heads is given."""

SENTENCE = '{"words": [{"form": "Dogs", "head": 2}, {"form": "bark"}, {"form": "."}]}\n'


class Work(StrEnum):
    """Kinds of work, each with kernels of its own."""

    parse = "parse"
    train = "train"


FIRST = ("parse", "Dogs bark.", "--to", "conllu")
"""Most kernels of this call are those of other calls, too: it is made before all others."""

CALLS: dict[Work, tuple[tuple[str, ...], ...]] = {
    Work.parse: tuple(
        ("parse", *call, "--model", model)
        for model in ("en", "en-fast")
        for call in (
            ("Dogs bark.",),
            (SAMPLE, "--own-tags", "--kbest", "2", "--marginals"),
            (SAMPLE, "--decode", "mbr"),
            (SAMPLE, "--samples", "2"),
            (GIVEN, "--constraints", "--marginals"),
        )
    ),
    Work.train: (
        ("train", SAMPLE, "--dev", SAMPLE, "-o", "order-1", "--fast"),
        ("train", SAMPLE, "--dev", SAMPLE, "-o", "order-3", "--scorer", "linear"),
        ("train", SAMPLE, "--dev", SAMPLE, "-o", "order-2", "--order", "2"),
        ("train", SAMPLE, "--dev", SAMPLE, "-o", "order-4", "--order", "4"),
        ("train", SAMPLE, "--dev", SAMPLE, "-o", "all-trees", "--decoder", "non-projective"),
    ),
}
"""Calls that together need nearly every kernel of a kind of work."""


def warmup(
    work: Annotated[
        list[Work] | None,
        typer.Argument(help="Kinds of work to prepare for: parse, train [default: both]."),
    ] = None,
) -> None:
    """Compile the kernels of all kinds of work now, so that nothing has to wait for them later.

    Takes some minutes; code that is there already is not compiled again.

    Example: `headwise warmup`, or `headwise warmup parse` in a container image
    """
    calls = [call for kind in work or list(Work) for call in CALLS[kind]]
    total, done = len(calls) + 1, 0
    with (
        progress("compiling kernels") as bar,
        as_file(files("headwise") / "data" / "sample.conllu") as sample,
        temporary_folder() as folder,
        ThreadPoolExecutor(os.cpu_count()) as threads,
    ):
        bar.show(f"{done} of {total} kinds of work")
        (folder / GIVEN).write_text(SENTENCE)
        run(FIRST, sample, folder)
        running = [threads.submit(run, call, sample, folder) for call in calls]
        for finished in as_completed(running):
            finished.result()
            done += 1
            bar.show(f"{done + 1} of {total} kinds of work")
    typer.echo(f"compiled the kernels of {total} kinds of work")


def run(call: Sequence[str], sample: Path, folder: Path) -> None:
    """Make a call in a process of its own, in a folder; what it prints does not matter."""
    arguments = [str(sample) if argument == SAMPLE else argument for argument in call]
    found = subprocess.run(
        [sys.executable, "-m", "headwise", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if found.returncode:
        lines = found.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise UsageError(f"headwise {' '.join(call)} ended with {found.returncode}: {lines[-1]}")

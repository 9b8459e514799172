"""The first parse with a model: its kernels are compiled in two processes side by side.

Half of the time goes to those of search. As soon as some kernel has to be compiled, another process
begins with these; this one does all others, and waits for them.

    python -m headwise.pipeline.warmup MODEL
"""

import atexit
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from headwise.kernels.runtime import elsewhere
from headwise.kernels.runtime.cachefolders import writable_folder
from headwise.kernels.runtime.versions import internals_known
from headwise.pipeline.models import as_pipeline, model_path
from headwise.processes.garbage import collect_rarely

KERNELS = ("best_trees", "parse_unpruned", "label_trees")
"""What the other process compiles, as far as the model needs it (`Searcher.compile_search`)."""


def compile_beside(model: str | Path | None) -> None:
    """Let another process compile what a model's parser needs last, once something is missing.

    It can hand over its code only through our own cache.
    """
    if internals_known() and (os.cpu_count() or 1) > 1:
        # The folder is found now: whoever compiles later may be in another one.
        elsewhere.starts[:] = [partial(start, model_path(model).absolute())]


def start(model: Path) -> None:
    """Start the other process, if it can save what it compiles."""
    if writable_folder() is None:
        return
    call = [sys.executable, "-m", "headwise.pipeline.warmup", str(model)]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(call, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    atexit.register(process.kill)
    elsewhere.waits.update({name: lambda: process.wait() for name in KERNELS})


def compile_here(model: Path) -> None:
    """Compile what `KERNELS` names, for a model."""
    parser = as_pipeline(model).parser
    if parser is not None:
        parser.search().compile_search()


def main(arguments: Sequence[str]) -> None:
    """Compile for the model that is named; collecting garbage would take a fifth of the time."""
    collect_rarely()
    compile_here(Path(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])

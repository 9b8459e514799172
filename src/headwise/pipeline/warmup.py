"""The first parse after installation: kernels are compiled in two processes side by side.

Half of the time goes to one kernel, the search of higher orders. Another process compiles it, and
that of labels, from the moment the model is known; this one does all others, and waits for them.

    python -m headwise.pipeline.warmup MODEL
"""

import atexit
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.inference.treesearch import TreeSearch
from headwise.kernels.charts.higher_parse import list_unpruned
from headwise.kernels.runtime import elsewhere
from headwise.kernels.runtime.cachefolders import has_code, writable_folder
from headwise.kernels.runtime.shipped import usable_folder
from headwise.kernels.runtime.versions import internals_known
from headwise.pipeline.models import as_pipeline, model_path
from headwise.scoring.linear.partscorer import PartScorer

KERNELS = ("parse_unpruned", "label_trees")
"""What the other process compiles."""

SENTENCE = Sentence.from_words(["Dogs", "bark"], upos=["NOUN", "VERB"], heads=[2, 0])


def compile_beside(model: str | Path | None) -> None:
    """Let another process compile what a model's parser needs last, if nothing is compiled yet.

    It can hand over its code only through our own cache.
    """
    if not internals_known() or (os.cpu_count() or 1) < 2:
        return
    if usable_folder() is not None or has_code() or writable_folder() is None:
        return
    call = [sys.executable, "-m", "headwise.pipeline.warmup", str(model_path(model))]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(call, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    atexit.register(process.kill)
    elsewhere.waits.update({name: lambda: process.wait() for name in KERNELS})


def compile_here(model: Path) -> None:
    """Compile what `KERNELS` names, for a model of a higher order with projective search."""
    parser = as_pipeline(model).parser
    search = None if parser is None else parser.search()
    if not isinstance(search, TreeSearch) or not search.projective:
        return
    if not isinstance(search.scorer, PartScorer):
        return
    encoded = search.encode([SENTENCE])
    sizes = np.diff(encoded.starts)
    unpruned = np.ones(int(np.sum(sizes**2)), np.bool_)
    heads, _, arc_starts = list_unpruned(unpruned, sizes)
    arcs = np.zeros(len(heads))
    found = search.best_of_unpruned(encoded, search.scorer, unpruned, arcs, arc_starts)
    search.relations_of(encoded, found)


def main(arguments: Sequence[str]) -> None:
    """Compile for the model that is named."""
    compile_here(Path(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])

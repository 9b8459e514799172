"""Benchmark of model files: size, saving, loading, memory: `python benchmarks/models.py [SHARE]`.

The tables of a first-order parser in which SHARE (0.1) of the weights are not zero, in 32, 16 and 8
bits. Every load is a new process, as for a user, and includes checksum and unpacking.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from headwise.scoring.linear.tables import TableSizes, WeightTables
from headwise.storage.modelfile import WEIGHTS, ModelFile, save_model
from headwise.storage.sparse import pack_sparse

LOAD = """
import re, sys, time
from pathlib import Path
from headwise.storage.modelfile import load_model
from headwise.storage.sparse import unpack_sparse

def peak():  # of this process alone: getrusage counts what the one that started it had
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])

before, start = peak(), time.perf_counter()
model = load_model(sys.argv[1], "parser")
table = unpack_sparse("weights", model.arrays)
print(time.perf_counter() - start, (peak() - before) / 1024)
"""


def random_tables(share: float) -> WeightTables:
    rng = np.random.default_rng(0)
    tables = WeightTables.empty(TableSizes())
    filled = rng.random(tables.weights.shape, np.float32) < share
    tables.weights[filled] = rng.normal(size=int(filled.sum()))
    return tables


def loaded(path: Path, rounds: int = 5) -> tuple[float, float]:
    """The fastest load in seconds, and its peak memory in MB."""
    command = [sys.executable, "-c", LOAD, str(path)]
    runs = [subprocess.run(command, capture_output=True, check=True) for _ in range(rounds)]
    seconds, memory = zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
    return min(seconds), max(memory)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument(
        "share", type=float, nargs="?", default=0.1, help="share of non-zero weights"
    )
    tables = random_tables(options.parse_args().share)
    filled = np.count_nonzero(tables.weights)
    print(f"{tables.weights.size:,} weights, {filled:,} of them not zero")
    with tempfile.TemporaryDirectory() as folder:
        for bits, chosen in (
            (32, tables),
            (16, tables.quantised(16)),
            (8, tables.quantised(8)),
        ):
            arrays = pack_sparse("weights", chosen.weights)
            path = Path(folder) / str(bits)
            start = time.perf_counter()
            save_model(path, ModelFile("parser", {"scale": chosen.scale}, arrays, ""))
            saving = time.perf_counter() - start
            seconds, memory = loaded(path)
            size = (path / WEIGHTS).stat().st_size / 1e6
            print(
                f"{bits:3} bits: {size:6.1f} MB, saved in {saving * 1000:4.0f} ms, "
                f"loaded in {seconds * 1000:4.0f} ms with {memory:4.0f} MB"
            )


if __name__ == "__main__":
    main()

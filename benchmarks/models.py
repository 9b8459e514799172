"""Size, saving, loading and memory of models: `python benchmarks/models.py [SHARE]`.

Two tables of 2^20 and 2^19 lines of sixteen weights, of which SHARE (0.1) are not zero, as float32,
float16 and int8. Every load is a process of its own, as for a user; checksum and unpacking count.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headwise.modelfile import WEIGHTS, ModelFile, save_model
from headwise.quantise import quantise, scale_of
from headwise.sparse import pack_sparse

LINES = {"wide": 1 << 20, "narrow": 1 << 19}
LOAD = """
import re, sys, time
from pathlib import Path
from headwise.modelfile import load_model
from headwise.sparse import unpack_sparse

def peak():  # of this process alone: getrusage counts what the one that started it had
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])

before, start = peak(), time.perf_counter()
model = load_model(sys.argv[1], "parser")
tables = [unpack_sparse(name, model.arrays) for name in ("wide", "narrow")]
print(time.perf_counter() - start, (peak() - before) / 1024)
"""


def random_table(lines: int, share: float) -> NDArray[np.float32]:
    rng = np.random.default_rng(0)
    table = np.zeros((lines, 16), np.float32)
    filled = rng.random(table.shape, np.float32) < share
    table[filled] = rng.normal(size=int(filled.sum()))
    return table


def loaded(path: Path, rounds: int = 5) -> tuple[float, float]:
    """The fastest load, in seconds, and what it took at most, in MB."""
    command = [sys.executable, "-c", LOAD, str(path)]
    runs = [subprocess.run(command, capture_output=True, check=True) for _ in range(rounds)]
    seconds, memory = zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
    return min(seconds), max(memory)


def main(share: str = "0.1") -> None:
    tables = {name: random_table(lines, float(share)) for name, lines in LINES.items()}
    entries = sum(table.size for table in tables.values())
    filled = sum(np.count_nonzero(table) for table in tables.values())
    print(f"{entries:,} weights, {filled:,} of them not zero")
    with tempfile.TemporaryDirectory() as folder:
        for bits in (32, 16, 8):
            scale = scale_of(tables.values(), bits)
            arrays = {}
            for name, table in tables.items():
                arrays |= pack_sparse(name, quantise(table, bits, scale))
            path = Path(folder) / str(bits)
            start = time.perf_counter()
            save_model(path, ModelFile("parser", {"scale": scale}, arrays, ""))
            saving = time.perf_counter() - start
            seconds, memory = loaded(path)
            size = (path / WEIGHTS).stat().st_size / 1e6
            print(
                f"{bits:3} bits: {size:6.1f} MB, saved in {saving * 1000:4.0f} ms, "
                f"loaded in {seconds * 1000:4.0f} ms with {memory:4.0f} MB"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])

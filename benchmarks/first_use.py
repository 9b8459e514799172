"""How long a new user waits: every first call after installation, and calls after that.

    python benchmarks/first_use.py [--wheel dist/headwise-….whl]

Installs Headwise in a new environment, from source or a wheel with compiled kernels
(`tools/build_wheel.py`), and times calls there, one after the other, in a process each. Seconds are
of the wall clock: the machine should be quiet. "compiled" marks calls that had to compile kernels.
"""

import argparse
import os
import subprocess
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]

TEXT = "We read it twice."
SAMPLE = str(ROOT / "src/headwise/data/sample.conllu")

FIRST = {
    "first parse": ("parse", TEXT),
    "first k best trees": ("parse", TEXT, "--kbest", "3"),
    "first probabilities": ("parse", TEXT, "--marginals"),
    "first parse of a treebank": ("parse", SAMPLE, "--own-tags"),
    "first parse with en-fast": ("parse", TEXT, "--model", "en-fast"),
    "first k best trees of en-fast": ("parse", TEXT, "--model", "en-fast", "--kbest", "3"),
    "first probabilities of en-fast": ("parse", TEXT, "--model", "en-fast", "--marginals"),
    "first training, order 1": ("train", SAMPLE, "--dev", SAMPLE, "-o", "one", "--fast"),
    "first training, order 3": (
        "train", SAMPLE, "--dev", SAMPLE, "-o", "three", "--scorer", "linear",
    ),
}  # fmt: skip
"""Calls that each need kernels that no call before needed, in this order."""

AGAIN = {
    "headwise parse": ("bin/headwise", "parse", TEXT),
    "headwise --help": ("bin/headwise", "--help"),
    "import headwise": ("bin/python", "-c", "import headwise"),
}
"""What is timed when all kernels are there."""

REPEATS = 7


def environment(folder: Path, package: str) -> None:
    """Make a new environment in a folder, and install a package in it."""
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", package]
    subprocess.run(pip, check=True, env=clean())


def clean() -> dict[str, str]:
    """The environment variables, without those that would lead to other kernels."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "PYTHON", "HEADWISE_"))
    }


def timed(folder: Path, program: str, *arguments: str) -> tuple[float, bool]:
    """The seconds of a call in an environment, and whether it compiled anything."""
    start = time.perf_counter()
    call = [str(folder / program), *arguments]
    home = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run(
        call, cwd=folder, env=clean() | home, check=True, capture_output=True, text=True
    )
    return time.perf_counter() - start, "compiling kernels" in done.stderr


def row(name: str, seconds: float, note: str) -> None:
    """Print a row of the table."""
    print(f"| {name} | {seconds:.2f} | {note} |", flush=True)


def measure(folder: Path, names: Sequence[str]) -> None:
    """Time all calls in an environment."""
    print("| call | seconds | |\n|---|--:|---|")
    for name in names:
        seconds, compiled = timed(folder, "bin/headwise", *FIRST[name])
        row(name, seconds, "compiled" if compiled else "")
    for name, call in AGAIN.items():
        seconds = median(timed(folder, *call)[0] for _ in range(REPEATS))
        row(name, seconds, f"median of {REPEATS}")


def main() -> None:
    """Install, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, help="wheel to install [default: the sources]")
    parser.add_argument("--only", nargs="+", choices=FIRST, default=list(FIRST), help="first calls")
    options = parser.parse_args()
    source = str(options.wheel.resolve() if options.wheel else ROOT)
    with tempfile.TemporaryDirectory() as name:
        environment(Path(name), source)
        if options.wheel:
            print(f"{options.wheel.name}: {options.wheel.stat().st_size / 1e6:.1f} MB\n")
        print(f"{os.cpu_count()} cores, load of {os.getloadavg()[0]:.1f} before\n")
        measure(Path(name), options.only)


if __name__ == "__main__":
    main()

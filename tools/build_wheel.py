"""Build a wheel in which all kernels are compiled, so that nothing is compiled after installing it.

    python tools/build_wheel.py [--work parse] [--out dist] [--cache FOLDER]

Kernels are compiled for x86-64-v3 with the Python, Numba and NumPy that run this script, in some
minutes, or found in the cache of a former build; the wheel has the tag of this Python on Linux.
`python -m build` makes the wheel without compiled kernels, for every other platform.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from headwise.kernels.runtime.cachefolders import KERNELS, fingerprint
from headwise.kernels.runtime.shipped import BASELINE, TARGET, collect
from headwise.kernels.runtime.versions import internals_known

MEGABYTE = 1_000_000


def compile_ahead(folder: Path, work: list[str], cache: Path) -> None:
    """Compile the kernels of kinds of work, or of all, into a folder as a wheel has it."""
    variables = {**TARGET, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "headwise", "warmup", *work]
    subprocess.run(command, env={**os.environ, **variables}, check=True)
    collect(cache / f"headwise-{fingerprint(KERNELS)}", folder)


def build(kernels: Path, out: Path) -> Path:
    """Build a wheel with a folder of compiled kernels."""
    out.mkdir(parents=True, exist_ok=True)
    present = find_spec("hatchling") is not None
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "-w", folder]
        isolation = ["--no-build-isolation"] if present else []
        variables = {**os.environ, "HEADWISE_COMPILED_KERNELS": str(kernels)}
        subprocess.run([*command, *isolation, str(ROOT)], env=variables, check=True)
        [wheel] = Path(folder).glob("*.whl")
        built = out / wheel.name
        built.write_bytes(wheel.read_bytes())
    return built


def main() -> None:
    """Compile, build, and print the sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", action="append", default=[], help="compile for this work only")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the wheel")
    parser.add_argument("--cache", type=Path, help="folder of compiled code, kept for later builds")
    options = parser.parse_args()
    if (sys.platform, platform.machine()) != ("linux", "x86_64") or not internals_known():
        parser.error("wheels with kernels are for Linux on x86-64 and for known versions of Numba")
    with tempfile.TemporaryDirectory() as folder:
        kernels = Path(folder, "compiled")
        compile_ahead(kernels, options.work, (options.cache or Path(folder, "cache")).absolute())
        wheel = build(kernels, options.out)
        files = list(kernels.glob("*.nbc"))
        size = sum(path.stat().st_size for path in files) / MEGABYTE
    print(f"{wheel}: {wheel.stat().st_size / MEGABYTE:.1f} MB")
    print(f"compiled kernels for {BASELINE}: {len(files)} files, {size:.1f} MB unpacked")


if __name__ == "__main__":
    main()

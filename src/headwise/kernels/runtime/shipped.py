"""Compiled kernels that come with the package.

A wheel for one platform (`tools/build_wheel.py`) has a folder of code that was compiled ahead, for
any CPU with the features of x86-64-v3, and a list of what the code depends on. It is used where all
of that is the same. Elsewhere kernels are compiled as if the folder were not there.
"""

import json
import platform
import shutil
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np

from headwise.kernels.runtime.cachefolders import KERNELS, fingerprint, is_trusted, settings

FOLDER = KERNELS / "compiled"

BASELINE = "x86-64-v3"
"""The CPUs for which code is compiled ahead, as LLVM calls them: those made since about 2015."""

FEATURES = (
    "avx", "avx2", "bmi", "bmi2", "cmov", "cx16", "cx8", "f16c", "fma", "fxsr", "lzcnt", "mmx",
    "movbe", "popcnt", "sahf", "sse", "sse2", "sse3", "sse4.1", "sse4.2", "ssse3", "xsave",
)  # fmt: skip
"""What such a CPU has, as LLVM calls it."""

TARGET = {
    "NUMBA_CPU_NAME": BASELINE,
    "NUMBA_CPU_FEATURES": ",".join(f"+{feature}" for feature in FEATURES),
}
"""Variables under which Numba compiles for the baseline."""

REQUIREMENTS = "requirements.json"
"""The file that says what the code in a folder depends on."""


@cache
def usable_folder() -> Path | None:
    """The folder of code that came with the package, if it can be used here."""
    return FOLDER if FOLDER.is_dir() and misfit() is None else None


@cache
def misfit() -> str | None:
    """Why the code that came with the package cannot be used; None if it can, or there is none."""
    if not FOLDER.is_dir():
        return None
    if not is_trusted(FOLDER):
        return "other users can write where they are"
    try:
        required = json.loads((FOLDER / REQUIREMENTS).read_bytes())
        return next(differences(required, present()), None)
    except (OSError, ValueError, AttributeError):
        return "the list of what they depend on is damaged"


def differences(required: dict[str, str], found: dict[str, str]) -> Iterator[str]:
    """What code was compiled for and what there is, where it is not the same."""
    for name, version in found.items():
        if required.get(name) != version:
            yield f"they are for {name} {required.get(name)}, and this is {version}"
    if not suits_cpu():
        yield f"they are for CPUs of {BASELINE}, and this is another, or another was chosen"


def present() -> dict[str, str]:
    """What code depends on besides the CPU, by name.

    Compiled code asks NumPy for arrays through functions of Numba, whose own cache does not depend
    on NumPy at all.
    """
    return {
        "kernel sources": fingerprint(KERNELS),
        "platform": sysconfig.get_platform(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "implementation": platform.python_implementation(),
        "Numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "NumPy": np.__version__.partition(".")[0],
    }


def suits_cpu() -> bool:
    """Whether kernels are to be compiled for a CPU that has all features of the baseline."""
    if settings.CPU_NAME not in (None, BASELINE):
        return False
    if settings.CPU_FEATURES is not None:
        chosen = settings.CPU_FEATURES.split(",")
        return {f"+{feature}" for feature in FEATURES} <= set(chosen)
    there = llvm.get_host_cpu_features()
    return all(there.get(feature) for feature in FEATURES)


def file_of(name: str) -> str:
    """What the code of a kernel is called here."""
    return f"{name}.{BASELINE}.nbc"


def collect(compiled: Path, folder: Path) -> None:
    """Make the folder of a wheel from a folder of a cache that was filled under `TARGET`."""
    folder.mkdir(parents=True)
    for path in sorted(compiled.glob("*.nbc")):
        shutil.copyfile(path, folder / file_of(path.name.rsplit(".", 2)[0]))
    (folder / REQUIREMENTS).write_text(json.dumps(present(), indent=1) + "\n")

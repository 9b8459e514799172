"""Messages on stderr: that kernels are being compiled, and whether they are cached."""

import sys
from contextlib import suppress
from pathlib import Path

from headwise.kernels.runtime.cachefolders import CacheFolder, platform_tag, searched_folders
from headwise.kernels.runtime.shipped import misfit

DURATION = "a few seconds with a neural model, up to half a minute with a linear one"

said: set[str] = set()
"""The lines that were written: each one once per process."""


def say_once(line: str) -> None:
    """Write a line to stderr, if possible, unless it was written before."""
    if line not in said:
        said.add(line)
        with suppress(OSError):
            print(f"headwise: {line}", file=sys.stderr, flush=True)


def say_compiling() -> None:
    """Say that kernels are being compiled, and if they cannot be cached, why and what to do."""
    folders = list(searched_folders())
    if not folders[-1].problem:
        say_once(
            "compiling kernels, once after installing or updating and for each new task "
            f"({DURATION}){about_shipped()} …"
        )
        return
    why = "; ".join(f"{folder.path.parent}: {folder.problem}" for folder in folders)
    say_once(
        f"compiling kernels ({DURATION}) in every process, as they cannot be cached ({why})"
        f"{about_shipped()}. "
        f"{of_other_platforms(folders)}Set NUMBA_CACHE_DIR to a writable folder, or run this "
        "command once where one of these folders is writable, for example while building a "
        "container image"
    )


def about_shipped() -> str:
    """Why kernels that came with the package are not used, if there are any."""
    problem = misfit()
    return f"; those in the package cannot be used: {problem}" if problem else ""


def of_other_platforms(folders: list[CacheFolder]) -> str:
    """A sentence about kernels that cannot be used, if there are only such."""
    if any(any(folder.code_files(platform_tag())) for folder in folders):
        return ""
    others = [str(folder.path.parent) for folder in folders if any(folder.code_files())]
    reason = "were compiled for another CPU, or for other versions of Python, NumPy or Numba"
    return f"Kernels in {', '.join(others)} {reason}. " if others else ""


def say_not_saved(folder: Path, error: OSError) -> None:
    """Say that code was compiled, but could not be saved."""
    say_once(
        f"compiled kernels could not be cached in {folder.parent}: {error.strerror or error}; the "
        "next process compiles them again. Set NUMBA_CACHE_DIR to a folder with enough space"
    )

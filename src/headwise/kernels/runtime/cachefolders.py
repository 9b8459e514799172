"""The folders in which compiled kernels are cached.

Numba's cache does not notice that an imported helper, or the overload of a function for some type,
has changed. So compiled code is kept in a folder named by a hash over all kernel files. There may
be one in `NUMBA_CACHE_DIR`, beside the sources, and in the user's cache folder. They are searched
in this order up to the first writable one, where new code is saved; those before it are only read.

Cached code is run as it is found. So a folder in which other users can write is ignored.
"""

import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import numba
import numpy as np
from platformdirs import user_cache_path

settings: Any = numba.config
"""Numba's settings, which its type hints do not know."""

KERNELS = Path(__file__).parents[1]
"""All kernels: what is compiled from one depends on any other."""

FOLDER_MODE = 0o775
"""Permissions of a new folder, whatever the umask: other users cannot write in it."""

OTHERS_KEPT = 2
"""The number of folders of other versions that are always kept, those used last."""

UNUSED = 24 * 60 * 60
"""Further ones are removed if they have not been used for this number of seconds."""


class CacheFolder(NamedTuple):
    """A folder for the code of all kernels as they are now."""

    path: Path
    trusted: bool
    """Whether code from this folder can be run."""
    problem: str
    """Why no code can be saved here; empty if it can."""

    def code_files(self, platform: str = "*") -> Iterator[Path]:
        """The files of code that can be run, for one or for any platform."""
        return self.path.glob(f"*.{platform}.nbc") if self.trusted else iter(())


def searched_folders() -> Iterator[CacheFolder]:
    """The folders to look for compiled code in, one after the other.

    Only the last one can be writable. It is not made before all others have been looked at.
    """
    for root in cache_roots():
        folder = inspected(root / f"headwise-{fingerprint(KERNELS)}")
        yield folder
        if not folder.problem:
            return


def writable_folder() -> Path | None:
    """Where to save compiled code, or None if no folder is writable."""
    return next((folder.path for folder in searched_folders() if not folder.problem), None)


def cache_roots() -> list[Path]:
    """Where a folder may be: the user's choice, `__pycache__` of the kernels, the user's cache."""
    chosen = [Path(settings.CACHE_DIR)] if settings.CACHE_DIR else []
    return [*chosen, KERNELS / "__pycache__", *user_cache_folders()]


def user_cache_folders() -> list[Path]:
    """The user's cache folder; none for a user without a home."""
    try:
        folder = user_cache_path("headwise", appauthor=False)
    except (OSError, RuntimeError, ValueError):  # older versions give a path below "~"
        return []
    return [folder] if folder.is_absolute() else []


@cache
def inspected(path: Path) -> CacheFolder:
    """Whether a folder, which is made if possible, can be trusted and written."""
    trusted = False
    try:
        is_new = not path.exists()
        path.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        trusted = is_trusted(path)
        if not trusted:
            return CacheFolder(path, trusted, "other users can write there")
        tempfile.TemporaryFile(dir=path).close()
    except OSError as error:
        return CacheFolder(path, trusted, error.strerror or str(error))
    if is_new:
        remove_stale(path)
    return CacheFolder(path, trusted, "")


def is_trusted(folder: Path) -> bool:
    """Whether only this user, root or the owner of the folder around this one can write in it.

    That owner does not count where everybody could have made the folder around, as in /tmp.
    """
    if os.name == "nt":  # which has other permissions, and folders of the user's own by default
        return True
    itself, around, above = folder.stat(), folder.parent.stat(), folder.parent.parent.stat()
    owners = {0, os.geteuid()}
    if not above.st_mode & stat.S_IWOTH:
        owners.add(around.st_uid)
    return itself.st_uid in owners and not itself.st_mode & stat.S_IWOTH


def remove_stale(folder: Path) -> None:
    """Remove the folders of other versions beside this one that have not been used for long.

    Every process that uses a writable folder makes a file there first (`inspected`), so the
    folder's time is that of its last use. A folder is renamed before it is emptied: no process
    finds half of it, and of two processes only one can. One that still writes there makes it again.
    """
    used: list[tuple[float, Path]] = []
    for other in folder.parent.glob("headwise-*"):
        with suppress(OSError):
            if other != folder:
                used.append((other.stat().st_mtime, other))
    for last_use, other in sorted(used, reverse=True)[OTHERS_KEPT:]:
        if time.time() - last_use > UNUSED:
            with suppress(OSError):
                doomed = other.rename(other.with_name(f"headwise-removed-{uuid.uuid4().hex}"))
                shutil.rmtree(doomed, ignore_errors=True)


@cache
def fingerprint(folder: Path) -> str:
    """A hash over the names and texts of all source files in a folder and the folders in it."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def platform_tag() -> str:
    """What machine code depends on besides its source: CPU, Python and libraries."""
    from numba.core.registry import cpu_target

    versions = (numba.__version__, llvmlite.__version__, np.__version__)
    target = (*versions, *cpu_target.target_context.codegen().magic_tuple())
    digest = hashlib.sha256(repr(target).encode()).hexdigest()
    return f"{sys.implementation.cache_tag}-{digest[:12]}"

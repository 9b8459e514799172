"""The decorators of all kernels, where their machine code is cached, and the notice to the user.

Numba's cache does not see that an imported helper, or the overload of a function for some type, has
changed. So compiled code is kept in a folder named by a hash over all kernel files. Where no folder
is writable, kernels are compiled anew in every process. Folders of other versions that nobody has
used for some time are removed when a new one is made.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import config, event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature

from headwise.interrupt import held_interrupts
from headwise.kernels import results  # noqa: F401 - how kernels return named tuples
from headwise.kernels.lean import load_lean
from headwise.kernels.parts import PartCompiler, tell_parts

Function = Callable[..., Any]

NOT_FROM_C: Any = {"no_cfunc_wrapper": True}
"""Nobody calls kernels from C: what would be called is not compiled."""

INNER: Any = {"no_cpython_wrapper": True, "pipeline_class": PartCompiler, **NOT_FROM_C}
"""For what Python does not call either: what would take its arguments apart is not compiled."""

COUNTING: Any = {"_nrt": True}
BORROWING: Any = {"_nrt": False}
"""Whether references to arrays are counted. Where they are not, no arrays can be made."""

FAST = {"nnan", "nsz", "contract"}
"""What the compiler may assume: no NaN, and signs of zero are of no matter. Infinities matter."""

settings: Any = config
"""Numba's settings, which its type hints do not know."""

HERE = Path(__file__).parent

OTHERS_KEPT = 2
"""So many folders of other versions are kept in any case, those used last."""

UNUSED = 24 * 60 * 60
"""The others are removed if they have not been used for so many seconds."""


def helper(function: Function) -> Function:
    """Compile a function that only kernels call; it is cached as a piece of them.

    It borrows the arrays that it is given. As it makes and returns none, nobody needs to count who
    holds them, which would take longer than a short loop (see `parts`).
    """
    compiled: Function = numba.njit(
        nogil=True, error_model="numpy", fastmath=FAST, **BORROWING, **INNER
    )(function)
    return compiled


def maker(function: Function) -> Function:
    """Compile a helper that makes or returns arrays, or calls one that does."""
    compiled: Function = numba.njit(
        nogil=True, error_model="numpy", fastmath=FAST, **COUNTING, **INNER
    )(function)
    return compiled


def inner(compiled: Any) -> Function:
    """A kernel as other kernels call it: what Python needs to call it is not compiled for them."""
    return maker(compiled.py_func)


def inlined(function: Function) -> Function:
    """Compile a helper into its callers, for those that take many arrays: a call would copy them.

    The compiler's own front end does it, which is quick for helpers that are called once.
    """
    compiled: Function = numba.njit(
        nogil=True, error_model="numpy", fastmath=FAST, inline="always"
    )(function)
    return compiled


def embedded(function: Function) -> Function:
    """Compile a helper into its callers like `inlined`, but by the back end, after compiling it.

    This is quicker for helpers that are long or called in several places.
    """
    compiled: Function = numba.njit(
        nogil=True, error_model="numpy", fastmath=FAST, forceinline=True, **BORROWING, **INNER
    )(function)
    return compiled


def keep_apart(compiled: Any) -> None:
    """Let no two processes write the same file of machine code.

    Numba numbers these files. Two processes that compile at the same time may choose the same
    number, and the index of one would point to the code of the other, for good.
    """
    file = compiled._cache._cache_file
    stem = file._data_name_pattern.removesuffix(".nbc")
    file._data_name_pattern = f"{stem}.{os.getpid()}-{uuid.uuid4().hex[:8]}.nbc"


def kernel(function: Function) -> Function:
    """Compile a function that Python calls: it releases the GIL, and its code is cached."""
    folder = cache_folder()
    with cache_in(folder):
        compiled: Function = numba.njit(
            nogil=True,
            error_model="numpy",
            fastmath=FAST,
            cache=folder is not None,
            **COUNTING,
            **NOT_FROM_C,
        )(function)
    if folder is not None:
        keep_apart(compiled)
        load_lean(compiled._cache)  # type: ignore[attr-defined]
    hold_interrupts(compiled)
    return compiled


def hold_interrupts(compiled: Any) -> None:
    """Let an interrupt wait while a kernel is compiled or loaded.

    LLVM calls back into Python meanwhile. An interrupt that is raised there is lost, and what LLVM
    waits for with it: the program would go on, with an error much later, or crash.
    """
    compile_or_load, name = compiled.compile, compiled.py_func.__name__

    def held(signature: Any) -> Any:
        compiled_elsewhere.pop(name, lambda: None)()
        with held_interrupts(), global_compiler_lock:
            code = compile_or_load(signature)
            tell_parts(compiled.overloads[normalize_signature(signature)[0]])
        return code

    compiled.compile = held


compiled_elsewhere: dict[str, Callable[[], Any]] = {}
"""Kernels that another process compiles just now, by name, and how to wait for it."""


def has_code() -> bool:
    """Whether some kernel was compiled before, or none could be kept."""
    folder = cache_folder()
    return folder is None or any(folder.glob("*/*.nbi"))


@contextmanager
def cache_in(folder: Path | None) -> Iterator[None]:
    """Make Numba choose this folder for the kernel that is decorated meanwhile."""
    chosen_by_user = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder or "")
    try:
        yield
    finally:
        settings.CACHE_DIR = chosen_by_user


@cache
def cache_folder() -> Path | None:
    """A writable folder for the code of all kernels as they are now, or None."""
    for root in cache_roots():
        folder = root / f"headwise-{fingerprint(HERE)}"
        is_new = not folder.exists()
        if is_writable(folder):
            if is_new:
                remove_stale(folder)
            return folder
    Notice.say_once("no folder is writable to keep compiled code in; set NUMBA_CACHE_DIR")
    return None


def cache_roots() -> list[Path]:
    """Where to keep compiled code: the user's choice, beside the sources, the user's cache."""
    if chosen := settings.CACHE_DIR:
        return [Path(chosen)]
    if local := os.environ.get("LOCALAPPDATA"):
        user = Path(local)
    else:
        # Path.expanduser would raise where there is no home.
        home = os.path.expanduser("~/.cache")  # noqa: PTH111
        user = Path(os.environ.get("XDG_CACHE_HOME") or home)
    return [HERE / "__pycache__", user / "headwise"]


def remove_stale(folder: Path) -> None:
    """Remove the folders of other versions beside this one that have not been used for long.

    Every process that uses a folder makes a file there first (`is_writable`), so the folder's time
    is that of its last use. A folder is renamed before it is emptied: no process finds half of it,
    and of two processes only one can. One that still writes there makes it again.
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


def is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def fingerprint(folder: Path) -> str:
    """A hash over the names and texts of all source files in a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(f"{path.name}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Notice(event.Listener):
    """Tells the user on stderr, once in a process, that kernels are being compiled."""

    said: set[str] = set()  # noqa: RUF012 - shared on purpose

    @classmethod
    def say_once(cls, line: str) -> None:
        """Write a line to stderr, unless it was written before."""
        if line not in cls.said:
            cls.said.add(line)
            print(f"headwise: {line}", file=sys.stderr, flush=True)

    def on_start(self, event: Any) -> None:
        """A compilation starts."""
        if event.data["dispatcher"].py_func.__module__.startswith(__package__ or "headwise"):
            self.say_once(
                "compiling kernels, once after installing or updating for each kind of work "
                "(20 s for the first order, half a minute for the others) …"
            )

    def on_end(self, event: Any) -> None:
        """Nothing is said at the end."""


register: Any = event.register
register("numba:compile", Notice())

"""The decorators of all kernels."""

from collections.abc import Callable
from typing import Any, cast

import numba
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature

from headwise.interrupt import held_interrupts
from headwise.kernels.runtime import results  # noqa: F401 - how kernels return named tuples
from headwise.kernels.runtime.helpers import PartCompiler, tell_parts
from headwise.kernels.runtime.kernelcache import KernelCache

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


def kernel(function: Function) -> Function:
    """Compile a function that Python calls: it releases the GIL, and its code is cached."""
    compiled: Any = numba.njit(
        nogil=True, error_model="numpy", fastmath=FAST, **COUNTING, **NOT_FROM_C
    )(function)
    compiled._cache = KernelCache(function)
    hold_interrupts(compiled)
    return cast(Function, compiled)


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

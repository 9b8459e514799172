"""The decorators of all kernels.

How they compile depends on the version of Numba (`versions`): `known` or `plain`.
"""

from collections.abc import Callable
from typing import Any

import numba
from numba import extending

from headwise.kernels.runtime.versions import internals_known

if internals_known():
    from headwise.kernels.runtime.known import HELPER, MAKER, compile_kernel
else:
    from headwise.kernels.runtime.plain import HELPER, MAKER, compile_kernel

Function = Callable[..., Any]

FAST = {"nnan", "nsz", "contract"}
"""What the compiler may assume: no NaN, and signs of zero do not matter. Infinities do."""

COMMON: Any = {"nogil": True, "error_model": "numpy", "fastmath": FAST}
"""Options of everything that is compiled here."""


def helper(function: Function) -> Function:
    """Compile a function that only kernels call; it is cached as a part of them.

    It is compiled without reference counting, which would take longer than a short loop. So it can
    neither create nor return arrays (see `helpers`).
    """
    compiled: Function = numba.njit(**COMMON, **HELPER)(function)
    return compiled


def maker(function: Function) -> Function:
    """Compile a helper that creates or returns arrays, or calls one that does."""
    compiled: Function = numba.njit(**COMMON, **MAKER)(function)
    return compiled


def inner(compiled: Any) -> Function:
    """A kernel for other kernels to call, without the code that Python needs to call it."""
    return maker(compiled.py_func)


def inlined(function: Function) -> Function:
    """Compile a helper into its callers, for those with many arrays: a call would copy them.

    Numba's front end does it, which is quick for helpers that are called once.
    """
    compiled: Function = numba.njit(**COMMON, inline="always")(function)
    return compiled


def embedded(function: Function) -> Function:
    """Compile a helper into its callers like `inlined`, but by LLVM, after compiling it.

    This is quicker for helpers that are long or called in several places.
    """
    compiled: Function = numba.njit(**COMMON, **HELPER, forceinline=True)(function)
    return compiled


def overload_helper(function: Function, **options: Any) -> Any:
    """Compile, for some types, what a helper does; the decorated function chooses by type."""
    overload: Any = extending.overload  # whose type hints do not know all its options
    return overload(function, jit_options={**HELPER, **options})


def kernel(function: Function) -> Function:
    """Compile a function that Python calls: it releases the GIL, and its code is cached."""
    return compile_kernel(function, COMMON)


def exact_kernel(function: Function) -> Function:
    """Compile a kernel whose floating-point results are the same on every machine.

    A product and a sum are never contracted into one operation, which not all CPUs have and which
    rounds once instead of twice.
    """
    return compile_kernel(function, {**COMMON, "fastmath": False})

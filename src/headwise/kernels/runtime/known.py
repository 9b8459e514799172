"""How kernels are compiled by a version of Numba whose internals are known.

Helpers have no machine code of their own (`helpers`), kernels are cached by a cache of ours
(`kernelcache`), and an interrupt is raised neither while a kernel is compiled or loaded nor while
its results become Python objects (`results`). All of this concerns our kernels alone: functions of
other packages are compiled, cached and called as if Headwise was not there.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import numba
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature

from headwise.interrupt import held_interrupts, out_of_reach
from headwise.kernels.runtime.elsewhere import wait_for
from headwise.kernels.runtime.helpers import PartCompiler, set_environments
from headwise.kernels.runtime.kernelcache import KernelCache
from headwise.kernels.runtime.results import KernelCompiler

Function = Callable[..., Any]

NOT_FROM_C: Any = {"no_cfunc_wrapper": True}
"""Nobody calls kernels from C: the code for that is not compiled."""

MAKER: Any = {
    "_nrt": True, "no_cpython_wrapper": True, "pipeline_class": PartCompiler, **NOT_FROM_C
}  # fmt: skip
"""Options of what Python does not call either: the code that unpacks its arguments is left out."""

HELPER: Any = MAKER | {"_nrt": False}
"""Options of what is compiled without reference counting, and so cannot create arrays."""

KERNEL: Any = {"_nrt": True, "pipeline_class": KernelCompiler, **NOT_FROM_C}


def compile_kernel(function: Function, options: Any) -> Function:
    """Compile a function for Python to call."""
    compiled: Any = numba.njit(**options, **KERNEL)(function)
    compiled._cache = KernelCache(function)
    compile_out_of_reach(compiled, compiled._cache)
    return cast(Function, compiled)


def compile_out_of_reach(compiled: Any, cache: KernelCache) -> None:
    """Keep interrupts away while a kernel is compiled or loaded.

    LLVM calls back into Python meanwhile. An interrupt that is raised there is lost, together with
    what LLVM is waiting for: the program would go on and fail much later, or crash. So another
    thread compiles, while an interrupt ends the program. A function of someone else that calls the
    kernel is compiled in this thread, which has the compiler's lock: there an interrupt waits.
    """
    compile_or_load, name = compiled.compile, compiled.py_func.__name__

    def compile_one(signature: Any) -> Any:
        with held_interrupts(), global_compiler_lock, garbage_left():
            code = compile_or_load(signature)
            set_environments(compiled.overloads[normalize_signature(signature)[0]])
        return code

    def compile_safely(signature: Any) -> Any:
        if global_compiler_lock.is_locked():  # by this thread
            return compile_one(signature)
        if not out_of_reach(partial(cache.has, signature)):  # which asks LLVM for the CPU
            wait_for(name)
        return out_of_reach(partial(compile_one, signature))

    compiled.compile = compile_safely


@contextmanager
def garbage_left() -> Iterator[None]:
    """Collect no garbage within the block: compiling makes little, and much to look through."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()

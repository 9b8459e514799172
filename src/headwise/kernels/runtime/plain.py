"""How kernels are compiled by a version of Numba whose internals are not known.

Numba's public API does all of it: helpers become machine code of their own, references are counted,
and Numba's cache keeps the kernels. This is slower, and the results are the same.
"""

from collections.abc import Callable
from functools import update_wrapper
from types import CellType, FunctionType
from typing import Any

import numba
from numba.extending import typeof_impl

from headwise.interrupt import held_interrupts
from headwise.kernels.runtime.cachefolders import KERNELS, fingerprint
from headwise.kernels.runtime.notice import say_once
from headwise.kernels.runtime.versions import is_known, known_range

Function = Callable[..., Any]

HELPER: Any = {}
MAKER: Any = {}
"""Options of helpers, which are compiled as any other function."""

if not is_known(numba.__version__):
    say_once(
        f"Numba {numba.__version__} is not supported ({known_range()} are): kernels take longer "
        "to compile, to load and to run; results are the same"
    )


class PlainKernel:
    """A compiled function during whose calls interrupts wait.

    Numba runs Python code when it turns results into Python objects. An interrupt that is raised
    there crashes the program.
    """

    def __init__(self, compiled: Any) -> None:
        """Hold interrupts around the calls of a function that Numba has compiled."""
        self.compiled, self.py_func = compiled, compiled.py_func
        update_wrapper(self, compiled.py_func)

    def __call__(self, *arguments: Any) -> Any:
        """Call it from Python."""
        with held_interrupts():
            return self.compiled(*arguments)


@typeof_impl.register(PlainKernel)
def type_of_kernel(kernel: PlainKernel, context: Any) -> Any:
    """What compiled code calls is the compiled function itself."""
    return typeof_impl(kernel.compiled, context)


def compile_kernel(function: Function, options: Any) -> Function:
    """Compile a function for Python to call."""
    stamped = with_fingerprint(function)
    try:
        return PlainKernel(numba.njit(cache=True, **options)(stamped))
    except RuntimeError:  # no folder is writable, or the function is in no file
        return PlainKernel(numba.njit(**options)(stamped))


def with_fingerprint(function: Any) -> Function:
    """The same function, closing over a hash over all kernels.

    Numba's cache tells functions apart by their own file and by what they close over. It would not
    notice that a helper in another file has changed.
    """
    code = function.__code__.replace(co_freevars=("fingerprint",))
    cells = (CellType(fingerprint(KERNELS)),)
    name, defaults = function.__name__, function.__defaults__
    return FunctionType(code, function.__globals__, name, defaults, cells)

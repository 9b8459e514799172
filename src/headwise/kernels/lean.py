"""Machine code that was kept is loaded without what only a compiler needs, and so much sooner.

With the code of a kernel Numba keeps its bitcode, to compile it into callers, the types of all its
lines, and the modules of all functions that became a part of it; and it makes its compiler ready
before it loads any code. Here bitcode is looked at when there is a caller to compile, types are not
kept, and modules only of functions that have constants.
"""

from functools import cache
from typing import Any

import llvmlite.binding as llvm
from numba.core.environment import Environment
from numba.core.runtime.nrt import rtsys

NO_MODULE: Any = Environment({})
"""What code finds that looks for the module of a function without constants."""


def load_lean(kept: Any) -> None:
    """Let a kernel's cache keep less, and load it without the compiler."""
    reduce, rebuild, load = kept._impl.reduce, kept._impl.rebuild, kept._load_overload

    def reduce_more(result: Any) -> Any:
        library, description, own, signature, mode, lifted, _, reload, modules = reduce(result)
        needed = tuple(one for one in modules if one.consts)
        without = names_of_modules(result) - {one.env_name for one in needed}
        return without, (library, description, own, signature, mode, lifted, "", reload, needed)

    def rebuild_less(context: Any, payload: Any) -> Any:
        without, ((name, kind, (code, bitcode)), description, *others) = payload
        symbols = (description.llvm_func_name, description.llvm_cpython_wrapper_name)
        library = (name, kind, (code, names_alone(symbols)))
        result = rebuild(context, (library, description, *others))
        result.library._get_module_for_linking = cache(lambda: llvm.parse_bitcode(bitcode))
        for function in without:
            result.library.codegen.set_env(function, NO_MODULE)
        return result

    def load_alone(signature: Any, context: Any) -> Any:
        rtsys.initialize(context)  # what allocates arrays; compiling makes the rest ready itself
        with kept._guard_against_spurious_io_errors():
            return load(signature, context)

    kept._impl.reduce, kept._impl.rebuild = reduce_more, rebuild_less
    kept.load_overload = load_alone


def names_of_modules(result: Any) -> set[str]:
    """Under which names code looks for the modules of its parts."""
    symbols = (one.name for one in result.library._final_module.global_variables)
    return {name for name in symbols if name.startswith("_ZN08NumbaEnv")}


def names_alone(symbols: tuple[str, ...]) -> bytes:
    """The bitcode of a module that says that symbols are there, and nothing of what they do."""
    empty = "\n".join(f'define void @"{symbol}"() {{ ret void }}' for symbol in symbols)
    bitcode: bytes = llvm.parse_assembly(empty).as_bitcode()
    return bitcode

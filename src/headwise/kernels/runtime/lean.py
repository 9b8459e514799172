"""What is cached of compiled code: less than Numba's own cache keeps, so that it loads much faster.

With the code of a kernel Numba keeps its bitcode, for callers to be compiled with it, the types of
all its variables, and the environments of all functions that it contains; and Numba sets up its
compiler before it loads any code. Here bitcode is parsed when a caller is compiled, types are not
kept, and environments only of functions that have constants.
"""

from functools import cache
from typing import Any

import llvmlite.binding as llvm
from numba.core.compiler import CompileResult
from numba.core.environment import Environment

EMPTY: Any = Environment({})
"""The environment of every function without constants."""


def reduce(result: Any) -> Any:
    """What is pickled of a compiled kernel."""
    library, description, own, signature, mode, lifted, _, reload, environments = result._reduce()
    needed = tuple(one for one in environments if one.consts)
    without = environment_names(result) - {one.env_name for one in needed}
    return without, (library, description, own, signature, mode, lifted, "", reload, needed)


def rebuild(context: Any, reduced: Any) -> Any:
    """The kernel that `reduce` was given, ready to be called, without the compiler."""
    without, ((name, kind, (code, bitcode)), description, *others) = reduced
    symbols = (description.llvm_func_name, description.llvm_cpython_wrapper_name)
    library = (name, kind, (code, declarations(symbols)))
    result = CompileResult._rebuild(context, library, description, *others)
    result.library._get_module_for_linking = cache(lambda: llvm.parse_bitcode(bitcode))
    for function in without:
        result.library.codegen.set_env(function, EMPTY)
    return result


def environment_names(result: Any) -> set[str]:
    """The names of all environments that a kernel's code refers to."""
    symbols = (one.name for one in result.library._final_module.global_variables)
    return {name for name in symbols if name.startswith("_ZN08NumbaEnv")}


def declarations(symbols: tuple[str, ...]) -> bytes:
    """The bitcode of a module that has these symbols, without what they do."""
    empty = "\n".join(f'define void @"{symbol}"() {{ ret void }}' for symbol in symbols)
    bitcode: bytes = llvm.parse_assembly(empty).as_bitcode()
    return bitcode

"""What is cached of compiled code: less than Numba would, so that it is loaded much sooner.

With the code of a kernel Numba keeps its bitcode, to compile it into callers, the types of all its
lines, and the modules of all functions that became a part of it; and it makes its compiler ready
before it loads any code. Here bitcode is looked at when there is a caller to compile, types are not
kept, and modules only of functions that have constants.
"""

from functools import cache
from typing import Any

import llvmlite.binding as llvm
from numba.core.compiler import CompileResult
from numba.core.environment import Environment

NO_MODULE: Any = Environment({})
"""What code finds that looks for the module of a function without constants."""


def reduce(result: Any) -> Any:
    """What is pickled of a kernel that was compiled."""
    library, description, own, signature, mode, lifted, _, reload, modules = result._reduce()
    needed = tuple(one for one in modules if one.consts)
    without = names_of_modules(result) - {one.env_name for one in needed}
    return without, (library, description, own, signature, mode, lifted, "", reload, needed)


def rebuild(context: Any, reduced: Any) -> Any:
    """The kernel that was reduced, ready to be called, without the compiler."""
    without, ((name, kind, (code, bitcode)), description, *others) = reduced
    symbols = (description.llvm_func_name, description.llvm_cpython_wrapper_name)
    library = (name, kind, (code, names_alone(symbols)))
    result = CompileResult._rebuild(context, library, description, *others)
    result.library._get_module_for_linking = cache(lambda: llvm.parse_bitcode(bitcode))
    for function in without:
        result.library.codegen.set_env(function, NO_MODULE)
    return result


def names_of_modules(result: Any) -> set[str]:
    """Under which names code looks for the modules of its parts."""
    symbols = (one.name for one in result.library._final_module.global_variables)
    return {name for name in symbols if name.startswith("_ZN08NumbaEnv")}


def names_alone(symbols: tuple[str, ...]) -> bytes:
    """The bitcode of a module that says that symbols are there, and nothing of what they do."""
    empty = "\n".join(f'define void @"{symbol}"() {{ ret void }}' for symbol in symbols)
    bitcode: bytes = llvm.parse_assembly(empty).as_bitcode()
    return bitcode

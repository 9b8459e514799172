"""How helpers are compiled: as parts of kernels, without machine code of their own.

Numba creates machine code for every function that it compiles. Nobody runs that of a helper:
kernels contain its bitcode, and become machine code as a whole.

Numba counts references to an array whenever it is passed to a function, assigned to another name or
taken from a tuple, by calls that take longer than a short loop. Helpers that create no arrays
(`jit.helper`) are compiled without reference counting: they borrow the arrays of their callers. One
that returned an array, or was given one by a function that it calls, would lose count of it, and is
refused. Numba itself refuses to create arrays there, and to overload a function by one that returns
an array; our overloads return numbers.
"""

from typing import Any

from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.errors import UnsupportedError

from headwise.kernels.runtime.lowering import LeanCompiler


class PartLibrary(JITCodeLibrary):
    """The bitcode of a helper, for its callers."""

    @property
    def codegen(self) -> Any:
        """Where Numba sets the environment of machine code: `set_environments` does it later."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: there is no machine code."""

    def get_pointer_to_function(self, name: str) -> int:
        """Nowhere: there is no machine code."""
        return 0

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class PartCompiler(LeanCompiler):
    """Numba's compiler, with a `PartLibrary` for what it compiles."""

    def define_pipelines(self) -> Any:
        """The usual steps of compilation."""
        codegen, name = self.state.targetctx.codegen(), self.state.func_id.func_qualname
        self.state.library = PartLibrary(codegen, name)
        return super().define_pipelines()

    def _compile_core(self) -> Any:
        result = super()._compile_core()
        if not self.state.flags.nrt:
            refuse_to_hold_arrays(self.state)
        return result


def refuse_to_hold_arrays(state: Any) -> None:
    """Raise if a function without reference counting returns arrays, or calls one that does."""
    models, name = state.targetctx.data_model_manager, state.func_id.func_qualname
    if models[state.return_type].contains_nrt_meminfo():
        raise UnsupportedError(f"{name} returns arrays: it is no helper, but a maker")
    for call, signature in state.calltypes.items():
        if getattr(call, "op", None) != "call" or not isinstance(signature.return_type, types.Type):
            continue
        callee = state.typemap[call.func.name]
        given = models[signature.return_type].contains_nrt_meminfo()
        if given and isinstance(callee, types.Dispatcher):
            message = f"{callee.dispatcher.py_func.__name__} returns arrays to {name}"
            raise UnsupportedError(f"{message}, which is no helper then, but a maker")


def set_environments(result: Any) -> None:
    """Tell the machine code of a kernel where the environments of its helpers are."""
    for environment in result._find_referenced_environments():
        result.library.codegen.set_env(environment.env_name, environment)

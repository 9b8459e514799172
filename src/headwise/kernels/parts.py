"""How helpers are compiled: as parts of kernels, without machine code of their own.

Numba makes machine code of every function that it compiles. Nobody runs that of a helper: kernels
take in its bitcode, and become machine code as a whole.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class PartLibrary(JITCodeLibrary):
    """The bitcode of a helper, for its callers."""

    @property
    def codegen(self) -> Any:
        """Where Numba wants to tell machine code about its module: `tell_parts` does it later."""
        return self

    def set_env(self, name: str, module: Any) -> None:
        """Nothing is told: there is no machine code."""

    def get_pointer_to_function(self, name: str) -> int:
        """Nowhere."""
        return 0

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class PartCompiler(Compiler):
    """Numba's compiler, which puts what it makes into a `PartLibrary`."""

    def define_pipelines(self) -> Any:
        """The steps of compilation, which are the usual ones."""
        codegen, name = self.state.targetctx.codegen(), self.state.func_id.func_qualname
        self.state.library = PartLibrary(codegen, name)
        return super().define_pipelines()


def tell_parts(result: Any) -> None:
    """Tell the machine code of a kernel where the modules of its parts are."""
    for module in result._find_referenced_environments():
        result.library.codegen.set_env(module.env_name, module)

"""Kernels return arrays and named tuples without running any Python code.

Numba finds the class of a result by a Python function, and calls that of a named tuple. If Ctrl-C
was pressed while the kernel ran, the interrupt is raised in there, and Numba does not check for
errors: the program crashes. In our kernels the classes are constants of the compiled code, and
`tuple.__new__` cannot be interrupted; so the interrupt is raised after the kernel has returned.
"""

from functools import partial
from typing import Any

from numba.core import boxing, types
from numba.core.pythonapi import PythonAPI, _BoxContext

from headwise.kernels.runtime.lowering import LeanCompiler


class KernelCompiler(LeanCompiler):
    """Numba's compiler, with other code for results."""

    def define_pipelines(self) -> Any:
        """The usual steps of compilation."""
        context = self.state.targetctx  # Numba's copy for this compilation alone
        context.get_python_api = partial(ResultAPI, context)
        return super().define_pipelines()


class ResultAPI(PythonAPI):
    """What a kernel calls Python with."""

    def from_native_value(self, typ: Any, val: Any, env_manager: Any = None) -> Any:
        """The compiled steps that turn a value into a Python object."""
        box = BOXES.get(type(typ))
        if box is None or env_manager is None:
            return super().from_native_value(typ, val, env_manager)
        return box(typ, val, _BoxContext(self.context, self.builder, self, env_manager))


def box_array(kind: Any, value: Any, context: Any) -> Any:
    """The compiled steps that turn an array into a Python object."""
    constants, python = context.env_manager, context.pyapi
    python.serialize_object = constants.add_const
    python.unserialize = constants.read_const
    array = boxing.box_array(kind, value, context)
    del python.serialize_object, python.unserialize
    return array


def box_named_tuple(kind: Any, value: Any, context: Any) -> Any:
    """The compiled steps that turn a named tuple into a Python object."""
    constants, python = context.env_manager, context.pyapi
    create = constants.add_const(partial(tuple.__new__, kind.instance_class))
    fields = boxing.box_tuple(kind, value, context)
    arguments = python.tuple_pack([fields])
    named = python.call(constants.read_const(create), arguments)
    python.decref(arguments)
    python.decref(fields)
    return named


BOXES: Any = {
    types.Array: box_array,
    types.NamedTuple: box_named_tuple,
    types.NamedUniTuple: box_named_tuple,
}

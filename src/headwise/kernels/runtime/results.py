"""Arrays and named tuples that kernels return, made without running any Python code.

Numba finds their classes through a Python function, and calls those of named tuples. If Ctrl-C was
pressed while the kernel ran, the interrupt is raised in there, and Numba does not look whether all
went well: the program crashes. Here classes are constants of the compiled code, and
`tuple.__new__` is not interrupted; so the interrupt is raised when the kernel has returned.
"""

from functools import partial
from typing import Any

from numba.core import boxing, types
from numba.core.pythonapi import _boxers


def box_array(kind: Any, value: Any, context: Any) -> Any:
    """The compiled steps that make a Python object of an array."""
    constants, python = context.env_manager, context.pyapi
    python.serialize_object = constants.add_const
    python.unserialize = constants.read_const
    array = boxing.box_array(kind, value, context)
    del python.serialize_object, python.unserialize
    return array


def box_named_tuple(kind: Any, value: Any, context: Any) -> Any:
    """The compiled steps that make a Python object of a named tuple."""
    constants, python = context.env_manager, context.pyapi
    make = constants.add_const(partial(tuple.__new__, kind.instance_class))
    fields = boxing.box_tuple(kind, value, context)
    arguments = python.tuple_pack([fields])
    named = python.call(constants.read_const(make), arguments)
    python.decref(arguments)
    python.decref(fields)
    return named


_boxers.functions.update(
    {
        types.Array: box_array,
        types.NamedTuple: box_named_tuple,
        types.NamedUniTuple: box_named_tuple,
    }
)

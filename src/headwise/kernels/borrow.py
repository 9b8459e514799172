# mypy: allow-untyped-defs
"""Arrays without reference counts.

Numba counts a reference whenever an array is given to a function or another name, by an atomic
operation that costs more than a short inner loop. `borrowed` gives the same array without an owner,
for which nothing is counted. Its owner must stay alive: arguments of a kernel do, as Python holds
them; arrays made in a kernel must be returned or `kept` after the last use of the borrowed one.
"""

from typing import Any

from numba import extending, types
from numba.core import cgutils

compiled_in: Any = extending.intrinsic  # whose type hints do not know how intrinsics are called


@compiled_in
def borrowed(typing_context, array):
    """The same array, without an owner."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(array)(context, builder, arguments[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), generate


@compiled_in
def kept(typing_context, array):
    """Do nothing, but after this the array is still alive."""

    def generate(context, builder, signature, arguments):
        return context.get_dummy_value()

    return types.void(array), generate

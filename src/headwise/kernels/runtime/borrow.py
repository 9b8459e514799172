# mypy: allow-untyped-defs
"""Arrays without reference counts.

Numba counts a reference whenever an array is given to a function, another name or taken from a
tuple, by an atomic operation that costs more than a short inner loop. `borrowed` gives the same
array (or tuple of arrays) without an owner, for which nothing is counted. The owner must live on:
arguments of a kernel do, as Python holds them; arrays made in a kernel must be returned or `kept`
after the last use of the borrowed ones.
"""

from typing import Any

from numba import extending, types
from numba.core import cgutils

compiled_in: Any = extending.intrinsic  # whose type hints do not know how intrinsics are called


def without_owner(context, builder, kind, value):
    """The same value, with the owners of all arrays in it struck out."""
    if isinstance(kind, types.BaseTuple):
        member_types: Any = kind
        members = [
            without_owner(context, builder, member, builder.extract_value(value, at))
            for at, member in enumerate(member_types)
        ]
        return context.make_tuple(builder, kind, members)
    if isinstance(kind, types.Array):
        view = context.make_array(kind)(context, builder, value)
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()
    return value


@compiled_in
def borrowed(typing_context, value):
    """The same array, or the same tuple of arrays and numbers, without an owner."""

    def generate(context, builder, signature, arguments):
        return without_owner(context, builder, value, arguments[0])

    return value(value), generate


@compiled_in
def kept(typing_context, value):
    """Do nothing, but after this the array, or tuple of arrays, is still alive."""

    def generate(context, builder, signature, arguments):
        return context.get_dummy_value()

    return types.void(value), generate

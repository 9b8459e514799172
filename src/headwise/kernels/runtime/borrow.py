# mypy: allow-untyped-defs
"""Arrays without reference counts.

Numba counts a reference whenever an array is passed to a function, assigned to another name or
taken from a tuple, by an atomic operation that costs more than a short inner loop. `borrowed` gives
the same array (or tuple of arrays) without an owner, for which nothing is counted. The owner must
stay alive: arguments of a kernel do, as Python holds them; arrays created in a kernel must be
returned or `kept` after the last use of the borrowed ones.

Where Numba's internals are not known (`versions`), arrays keep their owners.
"""

from typing import Any

import numba
from numba import types

from headwise.kernels.runtime.codegen import intrinsic, ir
from headwise.kernels.runtime.versions import internals_known


def without_owner(context, builder, kind, value):
    """The same value, with the owners of all arrays in it removed."""
    if isinstance(kind, types.BaseTuple):
        member_types: Any = kind
        members = [
            without_owner(context, builder, member, builder.extract_value(value, at))
            for at, member in enumerate(member_types)
        ]
        return context.make_tuple(builder, kind, members)
    if isinstance(kind, types.Array):
        view = context.make_array(kind)(context, builder, value)
        view.meminfo = ir.Constant(view.meminfo.type, None)
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()
    return value


def borrowed_intrinsic(typing_context, value):
    """The same array, or the same tuple of arrays and numbers, without an owner."""

    def generate(context, builder, signature, arguments):
        return without_owner(context, builder, value, arguments[0])

    return value(value), generate


def kept_intrinsic(typing_context, value):
    """Do nothing, but after this the array, or tuple of arrays, is still alive."""

    def generate(context, builder, signature, arguments):
        return context.get_dummy_value()

    return types.void(value), generate


def same(value):
    """The same value, with its owner."""
    return value


def nothing(value):
    """Do nothing, for arrays that have kept their owners."""


if internals_known():
    borrowed, kept = intrinsic(borrowed_intrinsic), intrinsic(kept_intrinsic)
else:
    borrowed, kept = numba.njit(nogil=True)(same), numba.njit(nogil=True)(nothing)

# mypy: allow-untyped-defs
"""What intrinsics are written with: LLVM's types and instructions, and addresses of array elements.

Numba offers `intrinsic` as a part of its public API, but what such functions are written in are
inner parts of Numba and llvmlite. Primitives take these from here.
"""

from typing import Any

from llvmlite import ir
from numba import extending

__all__ = ["address", "call_named", "intrinsic", "ir", "pointer_name", "vector_pointer"]

intrinsic: Any = extending.intrinsic  # whose type hints do not know how intrinsics are called


def address(context, builder, kind, array, index):
    """The address of an element of an array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


def vector_pointer(builder, pointer, vector):
    """The same address, of a vector."""
    return builder.bitcast(pointer, vector.as_pointer())


def pointer_name(vector):
    """How the names of LLVM's functions spell a pointer to a vector of float64.

    It depends on the version: pointers have a type up to LLVM 16.
    """
    typed = ir.DoubleType().as_pointer().intrinsic_name == "p0f64"
    return f"p0v{vector.count}f64" if typed else "p0"


def call_named(builder, name, result, arguments, fastmath=()):
    """Call one of LLVM's functions by its full name, which for vectors llvmlite cannot form."""
    module = builder.module
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    function = module.globals.get(name) or ir.Function(module, kind, name)
    return builder.call(function, arguments, fastmath=fastmath)

# mypy: allow-untyped-defs
"""Lines of sixteen weights, added as one vector.

The compiler does not turn short loops over rows of two arrays into vectors, as it cannot know that
they do not overlap. So the addition is written in its own language.
"""

from numba import types

from headwise.kernels.runtime.codegen import address, intrinsic, ir, vector_pointer

LINE = 16
"""How many weights a line holds: with four bytes each, one cache line."""

LEFT = 8
"""Lanes up to this one are of modifiers to the left."""

_ELEMENTS = {
    types.float32: ir.FloatType(),
    types.int8: ir.IntType(8),
    types.int16: ir.IntType(16),
    types.int32: ir.IntType(32),
}
_BYTES = {types.float32: 4, types.int8: 1, types.int16: 2, types.int32: 4}


@intrinsic
def add_line(typing_context, sums, start, table, line):
    """sums[start : start + 16] += table[line : line + 16], of the same or a narrower type.

    Both arrays have one dimension and no gaps. Nothing is checked.
    """
    to, source = sums.dtype, table.dtype

    def generate(context, builder, signature, arguments):
        wide, narrow = (ir.VectorType(_ELEMENTS[kind], LINE) for kind in (to, source))
        at = _pointer(context, builder, signature.args[0], arguments[0], arguments[1], wide)
        taken = _pointer(context, builder, signature.args[2], arguments[2], arguments[3], narrow)
        value = builder.load(taken, align=_BYTES[source])
        if source != to:
            value = builder.sext(value, wide)
        before = builder.load(at, align=_BYTES[to])
        add = builder.fadd if to == types.float32 else builder.add
        builder.store(add(before, value), at, align=_BYTES[to])
        return context.get_dummy_value()

    return types.void(sums, types.int64, table, types.int64), generate


@intrinsic
def prefetch(typing_context, table, index):
    """Ask for the memory of table[index] before it is needed. Nothing is checked."""

    def generate(context, builder, signature, arguments):
        byte = ir.IntType(8).as_pointer()
        whole = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, whole, whole, whole])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        place = address(context, builder, signature.args[0], *arguments)
        # For reading, to be kept in every cache, of the data.
        builder.call(function, [builder.bitcast(place, byte), whole(0), whole(3), whole(1)])
        return context.get_dummy_value()

    return types.void(table, types.uint64), generate


def _pointer(context, builder, array_type, array, offset, vector):
    return vector_pointer(builder, address(context, builder, array_type, array, offset), vector)

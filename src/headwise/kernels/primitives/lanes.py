# mypy: allow-untyped-defs
"""Eight numbers side by side, kept in a register.

The compiler turns a loop over columns of two tables into vectors only after asking whether the
tables overlap, which takes longer than a short loop itself, and it never turns rows into columns.
So vectors are a type of their own here. Nothing is checked: all places that are read must exist.
"""

from typing import Any

from numba import types
from numba.extending import models, register_model

from headwise.kernels.runtime.codegen import (
    address,
    call_named,
    intrinsic,
    ir,
    pointer_name,
    vector_pointer,
)

WIDTH = 8
"""How many numbers stand side by side."""

COLUMNS = 4
"""How many columns of a table are turned into rows at a time."""

_DOUBLE, _WHOLE, _SHORT = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
_VECTOR, _HALF = ir.VectorType(_DOUBLE, WIDTH), ir.VectorType(_DOUBLE, COLUMNS)


class Lanes(types.Type):
    """The type of eight float64."""

    def __init__(self) -> None:
        """Give it a name."""
        super().__init__(name="Lanes")


LANES = Lanes()


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """How compiled code keeps them."""

    def __init__(self, manager: Any, kind: Any) -> None:
        """Keep them as a vector."""
        super().__init__(manager, kind, _VECTOR)


@intrinsic
def load(typing_context, array, place):
    """array[place : place + 8]."""

    def generate(context, builder, signature, arguments):
        at = address(context, builder, signature.args[0], *arguments)
        return builder.load(vector_pointer(builder, at, _VECTOR), align=8)

    return LANES(array, types.int64), generate


@intrinsic
def load_within(typing_context, lanes, array, place, first, last):
    """The lanes given, but those from first to last - 1 from array[place : place + 8].

    The other places of the array are not read.
    """

    def generate(context, builder, signature, arguments):
        lanes, array, place, first, last = arguments
        at = address(context, builder, signature.args[1], array, place)
        mask = builder.and_(
            _before(builder, last, WIDTH), builder.not_(_before(builder, first, WIDTH))
        )
        return _masked_load(builder, vector_pointer(builder, at, _VECTOR), mask, lanes)

    whole = types.int64
    return LANES(LANES, array, whole, whole, whole), generate


@intrinsic
def store(typing_context, array, place, lanes):
    """Write array[place : place + 8]."""

    def generate(context, builder, signature, arguments):
        array, place, lanes = arguments
        at = address(context, builder, signature.args[0], array, place)
        builder.store(lanes, vector_pointer(builder, at, _VECTOR), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, LANES), generate


@intrinsic
def spread(typing_context, value):
    """The same number eight times."""

    def generate(context, builder, signature, arguments):
        return _splat(builder, arguments[0], _VECTOR)

    return LANES(types.float64), generate


@intrinsic
def added(typing_context, a, b):
    """The sums of two vectors."""

    def generate(context, builder, signature, arguments):
        return builder.fadd(*arguments)

    return LANES(LANES, LANES), generate


@intrinsic
def larger_of(typing_context, a, b):
    """The larger numbers of two vectors."""

    def generate(context, builder, signature, arguments):
        name = f"llvm.maxnum.v{WIDTH}f64"
        return call_named(builder, name, _VECTOR, arguments, fastmath=("nnan", "nsz"))

    return LANES(LANES, LANES), generate


@intrinsic
def turned(typing_context, table, start, length, rows, row, column):
    """Four columns of eight rows of a table.

    The table begins at a place of an array. Rows are taken from `row` on, after the last again from
    the first. Columns beyond the last are -inf.
    """
    columns = types.UniTuple(LANES, COLUMNS)

    def generate(context, builder, signature, arguments):
        table, start, length, rows, row, column = arguments
        place = builder.add(start, column)
        data = address(context, builder, signature.args[0], table, place)
        mask = _before(builder, builder.sub(length, column), COLUMNS)
        beyond = ir.Constant(_HALF, [_DOUBLE(float("-inf"))] * COLUMNS)
        offset, end = builder.mul(row, length), builder.mul(rows, length)
        taken = []
        for _ in range(WIDTH):
            at = vector_pointer(builder, builder.gep(data, [offset]), _HALF)
            taken.append(_masked_load(builder, at, mask, beyond))
            offset = builder.add(offset, length)
            offset = builder.select(builder.icmp_signed("==", offset, end), _WHOLE(0), offset)
        return context.make_tuple(builder, columns, _columns(builder, taken))

    whole = types.int64
    return columns(table, whole, whole, whole, whole, whole), generate


def _columns(builder, rows):
    """The columns of eight vectors of four, as four vectors of eight."""

    def shuffled(a, b, places):
        return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_SHORT, WIDTH), places))

    # Rows x and x + 4 side by side; then two rounds in which neighbours exchange every other entry.
    vectors = [shuffled(rows[x], rows[x + COLUMNS], list(range(WIDTH))) for x in range(COLUMNS)]
    for step in (1, 2):
        low = [WIDTH + k - step if k & step else k for k in range(WIDTH)]
        high = [WIDTH + k if k & step else k + step for k in range(WIDTH)]
        vectors = [
            shuffled(vectors[x & ~step], vectors[x | step], high if x & step else low)
            for x in range(COLUMNS)
        ]
    return vectors


def _before(builder, count, width):
    """Which lanes are the first so many."""
    wholes = ir.VectorType(_WHOLE, width)
    numbers = ir.Constant(wholes, list(range(width)))
    return builder.icmp_signed("<", numbers, _splat(builder, count, wholes))


def _masked_load(builder, pointer, mask, others):
    """Read some lanes; the others are given."""
    vector = others.type
    name = f"llvm.masked.load.v{vector.count}f64.{pointer_name(vector)}"
    return call_named(builder, name, vector, [pointer, _SHORT(8), mask, others])


def _splat(builder, value, kind):
    """The same value in every lane of a vector."""
    nothing = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(nothing, value, _SHORT(0))
    zeros = ir.Constant(ir.VectorType(_SHORT, kind.count), [0] * kind.count)
    return builder.shuffle_vector(one, nothing, zeros)

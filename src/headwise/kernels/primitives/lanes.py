# mypy: allow-untyped-defs
"""Eight numbers side by side, kept in a register.

The compiler turns a loop over columns of two tables into vectors only after asking whether the
tables overlap, which takes longer than a short loop itself, and it never turns rows into columns.
So vectors are a type of their own here. Nothing is checked: all places that are read must exist.
"""

from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.core.datamodel import models

compiled_in: Any = extending.intrinsic  # whose type hints do not know how intrinsics are called

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


@extending.register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """How compiled code keeps them."""

    def __init__(self, manager: Any, kind: Any) -> None:
        """Keep them as a vector."""
        super().__init__(manager, kind, _VECTOR)


@compiled_in
def load(typing_context, array, place):
    """array[place : place + 8]."""

    def generate(context, builder, signature, arguments):
        at = _place(context, builder, signature.args[0], *arguments)
        return builder.load(_as(builder, at, _VECTOR), align=8)

    return LANES(array, types.int64), generate


@compiled_in
def load_within(typing_context, lanes, array, place, first, last):
    """The lanes given, but those from first to last - 1 from array[place : place + 8].

    The other places of the array are not read.
    """

    def generate(context, builder, signature, arguments):
        lanes, array, place, first, last = arguments
        at = _place(context, builder, signature.args[1], array, place)
        mask = builder.and_(
            _before(builder, last, WIDTH), builder.not_(_before(builder, first, WIDTH))
        )
        return _masked_load(builder, _as(builder, at, _VECTOR), mask, lanes)

    whole = types.int64
    return LANES(LANES, array, whole, whole, whole), generate


@compiled_in
def store(typing_context, array, place, lanes):
    """Write array[place : place + 8]."""

    def generate(context, builder, signature, arguments):
        array, place, lanes = arguments
        at = _place(context, builder, signature.args[0], array, place)
        builder.store(lanes, _as(builder, at, _VECTOR), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, LANES), generate


@compiled_in
def spread(typing_context, value):
    """The same number eight times."""

    def generate(context, builder, signature, arguments):
        return _splat(builder, arguments[0], _VECTOR)

    return LANES(types.float64), generate


@compiled_in
def added(typing_context, a, b):
    """The sums of two vectors."""

    def generate(context, builder, signature, arguments):
        return builder.fadd(*arguments)

    return LANES(LANES, LANES), generate


@compiled_in
def larger_of(typing_context, a, b):
    """The larger numbers of two vectors."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR])
        name = f"llvm.maxnum.v{WIDTH}f64"
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.call(function, arguments, fastmath=("nnan", "nsz"))

    return LANES(LANES, LANES), generate


@compiled_in
def turned(typing_context, table, start, length, rows, row, column):
    """Four columns of eight rows of a table.

    The table begins at a place of an array. Rows are taken from `row` on, after the last again from
    the first. Columns beyond the last are -inf.
    """
    columns = types.UniTuple(LANES, COLUMNS)

    def generate(context, builder, signature, arguments):
        table, start, length, rows, row, column = arguments
        place = builder.add(start, column)
        data = _place(context, builder, signature.args[0], table, place)
        mask = _before(builder, builder.sub(length, column), COLUMNS)
        beyond = ir.Constant(_HALF, [_DOUBLE(float("-inf"))] * COLUMNS)
        offset, end = builder.mul(row, length), builder.mul(rows, length)
        taken = []
        for _ in range(WIDTH):
            at = _as(builder, builder.gep(data, [offset]), _HALF)
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
    kind = ir.FunctionType(others.type, [pointer.type, _SHORT, mask.type, others.type])
    name = f"llvm.masked.load.v{others.type.count}f64.p0"
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    return builder.call(function, [pointer, _SHORT(8), mask, others])


def _splat(builder, value, kind):
    """The same value in every lane of a vector."""
    nothing = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(nothing, value, _SHORT(0))
    zeros = ir.Constant(ir.VectorType(_SHORT, kind.count), [0] * kind.count)
    return builder.shuffle_vector(one, nothing, zeros)


def _place(context, builder, kind, array, place):
    """The address of a place of an array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [place])


def _as(builder, address, kind):
    """The same address, of a vector."""
    return builder.bitcast(address, kind.as_pointer())

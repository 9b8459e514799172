# mypy: allow-untyped-defs
"""Single instructions that Python has no name for."""

from numba import types

from headwise.kernels.runtime.codegen import intrinsic, ir


@intrinsic
def larger(typing_context, a, b):
    """The larger of two floats, in the form that the compiler turns into vectors.

    The plain comparison `b if b > a else a` never is, as it treats NaN and zeros with care.
    """

    def generate(context, builder, signature, arguments):
        left, right = arguments
        signature = ir.FunctionType(left.type, [left.type, left.type])
        function = builder.module.declare_intrinsic("llvm.maxnum", [left.type], signature)
        return builder.call(function, [left, right], fastmath=("nnan", "nsz"))

    return a(a, b), generate


@intrinsic
def float_from_bits(typing_context, bits):
    """The float64 that has these bits."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


@intrinsic
def bits_of_float(typing_context, value):
    """The bits of a float64."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate

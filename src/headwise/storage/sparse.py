"""Lossless compression of mostly-zero tables.

A table `NAME` becomes four arrays (or three):

    NAME.shape    its shape
    NAME.values   its non-zero values, in order
    NAME.gaps     uint8: the number of zeros before each value; 255 means 255 zeros and no value
    NAME.bits     instead of gaps where this is shorter: one bit per entry, lowest first

In tables of int8 or uint8, where values and gaps are mostly small, these arrays are deflated (RFC
1951) to half their size or less and called `NAME.values_deflated`, `NAME.gaps_deflated` or
`NAME.bits_deflated`; the first keeps the type of the values.
"""

import math
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError

MOST_BYTES = 1 << 30
"""Largest total size of the unpacked tables of a model. Zeros cost nothing in a file: larger tables
are taken for damage, or for an attempt to exhaust memory; training does not create them
(`learners.settings`)."""

_LONG_GAP = 255
_DEFLATED_TYPES = (np.int8, np.uint8)
_RAW_DEFLATE = -15
_PACKED = ("values", "gaps", "bits")
_PARTS = ("shape", *_PACKED, *(f"{part}_deflated" for part in _PACKED))
_MOST_DIMENSIONS = 8
_PIECE = 1 << 20
"""Gaps or bits decoded at a time; decoding all at once would take more memory than the table.
Smaller pieces would hold the interpreter lock more often (`pipeline/models.py`)."""
_INFLATES_TO = 8
"""Largest ratio of Huffman coding alone: one bit per byte."""
_SAME_SIZE = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def pack_sparse(name: str, table: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """A table as packed arrays; `unpack_sparse` restores it, including negative zeros."""
    flat = np.ascontiguousarray(table).reshape(-1)
    filled = flat.view(_SAME_SIZE[flat.itemsize]) != 0
    indices = np.flatnonzero(filled)
    packed = {"values": flat[indices]}
    gaps = _gaps(indices)
    if len(gaps) <= len(flat) // 8:
        packed["gaps"] = gaps
    else:
        packed["bits"] = np.packbits(filled, bitorder="little")
    if flat.dtype in _DEFLATED_TYPES:
        packed = {f"{part}_deflated": _deflate(array) for part, array in packed.items()}
    packed["shape"] = np.array(table.shape, np.int64)
    return {f"{name}.{part}": array for part, array in packed.items()}


def unpack_all(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays of a model with all packed tables unpacked."""
    shapes = (name.removesuffix(".shape") for name in arrays if name.endswith(".shape"))
    names = [name for name in shapes if _stored(arrays, f"{name}.values") is not None]
    parts = {f"{name}.{part}" for name in names for part in _PARTS}
    plain = {name: array for name, array in arrays.items() if name not in parts}
    if both := plain.keys() & names:
        raise ModelError(f"table {min(both)!r} exists twice")
    if sum(_bytes(arrays, name) for name in names) > MOST_BYTES:
        raise ModelError(f"its tables would take more than {MOST_BYTES:,} bytes")
    return plain | {name: unpack_sparse(name, arrays) for name in names}


def _stored(arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any] | None:
    """An array, deflated or not, if it is there."""
    return arrays.get(name, arrays.get(f"{name}_deflated"))


def unpack_sparse(
    name: str, arrays: Mapping[str, NDArray[Any]], expected: tuple[int, ...] | None = None
) -> NDArray[Any]:
    """The table packed under a name, or unpacked earlier by `unpack_all`.

    A table of another shape than expected is rejected before memory is allocated for it.
    """
    if name in arrays:
        return arrays[name]
    shape = _shape(arrays, name)
    if expected is not None and shape != expected:
        found, wanted = (", ".join(map(str, one)) for one in (shape, expected))
        raise ModelError(f"table {name!r} has the shape [{found}], not [{wanted}]")
    if expected is None and _bytes(arrays, name) > MOST_BYTES:
        raise ModelError(f"table {name!r} would take more than {MOST_BYTES:,} bytes")
    size = math.prod(shape)
    values = _array(arrays, f"{name}.values", size)
    if _stored(arrays, f"{name}.gaps") is not None:
        pieces = _indices_of_gaps(_array(arrays, f"{name}.gaps", size), size)
    else:
        pieces = _indices_of_bits(_array(arrays, f"{name}.bits", -(-size // 8)), size)
    flat = np.zeros(size, values.dtype)
    done = 0
    for indices in pieces:
        if (len(indices) and indices[-1] >= size) or done + len(indices) > len(values):
            raise ModelError(f"table {name!r} has more indices than values, or out of range")
        flat[indices] = values[done : done + len(indices)]
        done += len(indices)
    if done != len(values):
        raise ModelError(f"table {name!r} has more values than indices")
    return flat.reshape(shape)


def _deflate(array: NDArray[Any]) -> NDArray[Any]:
    """The bytes of an array, deflated by Huffman coding only, since nothing repeats."""
    deflating = zlib.compressobj(wbits=_RAW_DEFLATE, strategy=zlib.Z_HUFFMAN_ONLY)
    deflated = deflating.compress(array.tobytes()) + deflating.flush()
    return np.frombuffer(deflated, array.dtype)


def _array(arrays: Mapping[str, NDArray[Any]], name: str, maximum: int) -> NDArray[Any]:
    """A one-dimensional array of at most `maximum` entries, inflated if necessary."""
    deflated = arrays.get(f"{name}_deflated")
    array = arrays.get(name) if deflated is None else _inflated(deflated, name, maximum)
    if array is None or array.ndim != 1 or len(array) > maximum:
        raise ModelError(
            f"array {name!r} is missing, or not one-dimensional with at most {maximum}"
        )
    return array


def _inflated(deflated: NDArray[Any], name: str, maximum: int) -> NDArray[Any]:
    """The inflated array; stops at the largest size that `_deflate` can have packed."""
    if deflated.ndim != 1 or deflated.dtype not in _DEFLATED_TYPES:
        raise ModelError(f"array {name!r} is not a deflated array")
    inflating = zlib.decompressobj(_RAW_DEFLATE)
    try:
        maximum = min(maximum, _INFLATES_TO * len(deflated))
        inflated = inflating.decompress(deflated.tobytes(), maximum + 1)
    except zlib.error as error:
        raise ModelError(f"array {name!r} cannot be inflated: {error}") from error
    if not inflating.eof or inflating.unused_data:
        raise ModelError(f"array {name!r} cannot be inflated: it is too long, or truncated")
    return np.frombuffer(inflated, deflated.dtype)


def _shape(arrays: Mapping[str, NDArray[Any]], name: str) -> tuple[int, ...]:
    shape = _array(arrays, f"{name}.shape", _MOST_DIMENSIONS)
    lengths = tuple(map(int, shape)) if shape.dtype == np.int64 else (-1,)
    if min(lengths, default=0) < 0:
        raise ModelError(f"table {name!r} has an invalid shape")
    return lengths


def _bytes(arrays: Mapping[str, NDArray[Any]], name: str) -> int:
    """The size of a table after unpacking, in bytes."""
    values = _stored(arrays, f"{name}.values")
    if values is None:
        raise ModelError(f"array '{name}.values' is missing")
    return math.prod(_shape(arrays, name)) * values.itemsize


def _gaps(indices: NDArray[np.int64]) -> NDArray[np.uint8]:
    zeros = np.diff(indices, prepend=-1) - 1
    long = zeros // _LONG_GAP
    ends = np.cumsum(long + 1)
    gaps = np.full(ends[-1] if len(ends) else 0, _LONG_GAP, np.uint8)
    gaps[ends - 1] = zeros % _LONG_GAP
    return gaps


def _indices_of_gaps(gaps: NDArray[Any], size: int) -> Iterator[NDArray[np.int64]]:
    """The indices of the values after each gap, in pieces."""
    if gaps.dtype != np.uint8:
        raise ModelError("gaps of a table must be uint8")
    end = 0
    for start in range(0, len(gaps), _PIECE):
        piece = gaps[start : start + _PIECE]
        filled = piece != _LONG_GAP
        ends = np.cumsum(piece + filled.view(np.uint8), dtype=np.int64)
        ends += end
        end = int(ends[-1])
        if end > size:
            raise ModelError("the gaps of a table exceed its size")
        yield ends[filled] - 1


def _indices_of_bits(bits: NDArray[Any], size: int) -> Iterator[NDArray[np.int64]]:
    """The indices of set bits, in pieces."""
    if bits.dtype != np.uint8 or len(bits) != -(-size // 8):
        raise ModelError("the bits of a table must be uint8, one bit per entry")
    for start in range(0, len(bits), _PIECE // 8):
        piece = bits[start : start + _PIECE // 8]
        first, filled = 8 * start, np.unpackbits(piece, bitorder="little").view(np.bool_)
        # flatnonzero is three times as fast on booleans.
        yield np.flatnonzero(filled[: size - first]) + first

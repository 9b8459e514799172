"""Tables of mostly zeros, packed: only what is not zero is stored, and comes back bit by bit.

A table `NAME` becomes four arrays (or three):

    NAME.shape    its shape
    NAME.values   its non-zero numbers, in order
    NAME.gaps     uint8: the number of zeros before each of them; 255 stands for 255 zeros and
                  nothing after them
    NAME.bits     in the place of gaps where that is shorter: a bit for every number, lowest first

Small numbers of one byte are seldom large, and their gaps seldom long. So these arrays are deflated
(RFC 1951) in tables of int8 or uint8, to half their size or less. They are called
`NAME.values_deflated`, `NAME.gaps_deflated` or `NAME.bits_deflated` then; the first keeps the type
of the numbers.
"""

import math
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError

MOST_BYTES = 1 << 30
"""What all tables of a model take together, unpacked. Zeros cost nothing in a file: tables of more
are taken for damage, or for an attempt to fill the memory. Nobody trains larger ones
(`learners.settings`)."""

_LONG_GAP = 255
_DEFLATED_TYPES = (np.int8, np.uint8)
_RAW_DEFLATE = -15
_PACKED = ("values", "gaps", "bits")
_PARTS = ("shape", *_PACKED, *(f"{part}_deflated" for part in _PACKED))
_MOST_DIMENSIONS = 8
_PIECE = 1 << 20
"""So many gaps or bits are taken at a time: what is made of all would be larger than the table.
Fewer would cost turns of the interpreter, which others use meanwhile (`pipeline/models.py`)."""
_INFLATES_TO = 8
"""Huffman's code alone inflates to so many times its size at most: a bit stands for a byte."""
_SAME_SIZE = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def pack_sparse(name: str, table: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """A table as arrays for a model; `unpack_sparse` gives it back, negative zeros and all."""
    flat = np.ascontiguousarray(table).reshape(-1)
    filled = flat.view(_SAME_SIZE[flat.itemsize]) != 0
    places = np.flatnonzero(filled)
    packed = {"values": flat[places]}
    gaps = _gaps(places)
    if len(gaps) <= len(flat) // 8:
        packed["gaps"] = gaps
    else:
        packed["bits"] = np.packbits(filled, bitorder="little")
    if flat.dtype in _DEFLATED_TYPES:
        packed = {f"{part}_deflated": _deflate(array) for part, array in packed.items()}
    packed["shape"] = np.array(table.shape, np.int64)
    return {f"{name}.{part}": array for part, array in packed.items()}


def unpack_all(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Arrays of a model with all tables unpacked, each under its name."""
    shapes = (name.removesuffix(".shape") for name in arrays if name.endswith(".shape"))
    names = [name for name in shapes if _is_packed(name, arrays)]
    parts = {f"{name}.{part}" for name in names for part in _PARTS}
    plain = {name: array for name, array in arrays.items() if name not in parts}
    if both := plain.keys() & names:
        raise ModelError(f"there are two tables {min(both)!r}")
    if sum(_bytes(arrays, name) for name in names) > MOST_BYTES:
        raise ModelError(f"its tables would take more than {MOST_BYTES:,} bytes")
    return plain | {name: unpack_sparse(name, arrays) for name in names}


def _is_packed(name: str, arrays: Mapping[str, NDArray[Any]]) -> bool:
    return f"{name}.values" in arrays or f"{name}.values_deflated" in arrays


def unpack_sparse(
    name: str, arrays: Mapping[str, NDArray[Any]], expected: tuple[int, ...] | None = None
) -> NDArray[Any]:
    """The table that was packed under a name, or was unpacked before (`unpack_all`).

    A table of another shape than is expected is refused before any memory is taken for it.
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
    if f"{name}.gaps" in arrays or f"{name}.gaps_deflated" in arrays:
        pieces = _places_of_gaps(_array(arrays, f"{name}.gaps", size), size)
    else:
        pieces = _places_of_bits(_array(arrays, f"{name}.bits", -(-size // 8)), size)
    flat = np.zeros(size, values.dtype)
    done = 0
    for places in pieces:
        if (len(places) and places[-1] >= size) or done + len(places) > len(values):
            raise ModelError(f"table {name!r} has other numbers than places for them")
        flat[places] = values[done : done + len(places)]
        done += len(places)
    if done != len(values):
        raise ModelError(f"table {name!r} has other numbers than places for them")
    return flat.reshape(shape)


def _deflate(array: NDArray[Any]) -> NDArray[Any]:
    """The bytes of an array, deflated; nothing repeats in them, so nothing is looked for."""
    deflating = zlib.compressobj(wbits=_RAW_DEFLATE, strategy=zlib.Z_HUFFMAN_ONLY)
    deflated = deflating.compress(array.tobytes()) + deflating.flush()
    return np.frombuffer(deflated, array.dtype)


def _array(arrays: Mapping[str, NDArray[Any]], name: str, most: int) -> NDArray[Any]:
    """An array of one dimension, inflated if it was deflated, of so many numbers at most."""
    deflated = arrays.get(f"{name}_deflated")
    array = arrays.get(name) if deflated is None else _inflated(deflated, name, most)
    if array is None or array.ndim != 1 or len(array) > most:
        raise ModelError(f"there is no array {name!r} of one dimension and {most} numbers at most")
    return array


def _inflated(deflated: NDArray[Any], name: str, most: int) -> NDArray[Any]:
    """What was deflated; no more is inflated than `_deflate` can have made of it."""
    if deflated.ndim != 1 or deflated.dtype not in _DEFLATED_TYPES:
        raise ModelError(f"the array {name!r} is no deflated one")
    inflating = zlib.decompressobj(_RAW_DEFLATE)
    try:
        most = min(most, _INFLATES_TO * len(deflated))
        inflated = inflating.decompress(deflated.tobytes(), most + 1)
    except zlib.error as error:
        raise ModelError(f"the array {name!r} cannot be inflated: {error}") from error
    if not inflating.eof or inflating.unused_data:
        raise ModelError(f"the array {name!r} cannot be inflated: it is too long, or not whole")
    return np.frombuffer(inflated, deflated.dtype)


def _shape(arrays: Mapping[str, NDArray[Any]], name: str) -> tuple[int, ...]:
    shape = _array(arrays, f"{name}.shape", _MOST_DIMENSIONS)
    lengths = tuple(map(int, shape)) if shape.dtype == np.int64 else (-1,)
    if min(lengths, default=0) < 0:
        raise ModelError(f"table {name!r} has an impossible shape")
    return lengths


def _bytes(arrays: Mapping[str, NDArray[Any]], name: str) -> int:
    """What a packed table takes when it is unpacked."""
    values = arrays.get(f"{name}.values", arrays.get(f"{name}.values_deflated"))
    if values is None:
        raise ModelError(f"there is no array '{name}.values'")
    return math.prod(_shape(arrays, name)) * values.itemsize


def _gaps(places: NDArray[np.int64]) -> NDArray[np.uint8]:
    zeros = np.diff(places, prepend=-1) - 1
    long = zeros // _LONG_GAP
    ends = np.cumsum(long + 1)
    gaps = np.full(ends[-1] if len(ends) else 0, _LONG_GAP, np.uint8)
    gaps[ends - 1] = zeros % _LONG_GAP
    return gaps


def _places_of_gaps(gaps: NDArray[Any], size: int) -> Iterator[NDArray[np.int64]]:
    """Where the numbers stand that gaps lie before, piece by piece."""
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
            raise ModelError("a table has longer gaps than there is room for")
        yield ends[filled] - 1


def _places_of_bits(bits: NDArray[Any], size: int) -> Iterator[NDArray[np.int64]]:
    """Where the numbers stand whose bits are set, piece by piece."""
    if bits.dtype != np.uint8 or len(bits) != -(-size // 8):
        raise ModelError("bits of a table must be uint8, one bit for each number")
    for start in range(0, len(bits), _PIECE // 8):
        piece = bits[start : start + _PIECE // 8]
        first, filled = 8 * start, np.unpackbits(piece, bitorder="little").view(np.bool_)
        # Of truth values it is three times as fast.
        yield np.flatnonzero(filled[: size - first]) + first

"""The arrays of a safetensors file, each read into memory of its own.

The library that writes this format would read a copy of the whole file first, and give arrays that
cannot be written to, for which Numba would compile all kernels again.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from headwise.storage.modelconfig import TensorInfo, read_json

MAX_HEADER_BYTES = 1 << 24
"""Of names and shapes of arrays, which are in the config as well."""

METADATA = "__metadata__"

DTYPES = {
    "BOOL": "bool", "F16": "float16", "F32": "float32", "F64": "float64",
    "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64",
    "U8": "uint8", "U16": "uint16", "U32": "uint32", "U64": "uint64",
}  # fmt: skip
"""What the format calls the types of arrays."""


class DigestedStream:
    """A file that is read once, from its start to its end, with its checksum."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()

    def array(self, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """The next array."""
        found = np.empty(shape, dtype)
        data = found.reshape(-1).view(np.uint8).data
        if self._stream.readinto(data) < len(data):  # type: ignore[attr-defined]
            raise ValueError("it ends too early")
        self._digest.update(data)
        return found

    def sha256(self) -> str:
        """The checksum of the whole file, what has not been read yet included."""
        while rest := self._stream.read(1 << 20):
            self._digest.update(rest)
        return self._digest.hexdigest()


def read_arrays(
    stream: DigestedStream, size: int, expected: Mapping[str, TensorInfo]
) -> dict[str, NDArray[Any]]:
    """The arrays of a file of `size` bytes.

    Raises an error of Python if it does not have just those that are expected: all errors of names,
    types and shapes before memory is allocated.
    """
    length = int(stream.array("uint64", (1,))[0])
    if length > min(MAX_HEADER_BYTES, size - 8):
        raise ValueError("its header is too long")
    names = names_in_order(stream.array("uint8", (length,)).tobytes(), expected)
    if 8 + length + sum(one.bytes for one in expected.values()) != size:
        raise ValueError("it has more than its arrays")
    return {name: stream.array(expected[name].dtype, expected[name].shape) for name in names}


def names_in_order(header: bytes, expected: Mapping[str, TensorInfo]) -> list[str]:
    """The names of arrays as they follow one another in the file; raises as `read_arrays`."""
    entries = read_json(header.decode())
    entries.pop(METADATA, None)
    if entries.keys() != expected.keys():
        raise ValueError("it has other arrays")
    names, end = [], 0
    for name, entry in sorted(entries.items(), key=lambda pair: pair[1]["data_offsets"]):
        found, start = expected[name], end
        end += found.bytes
        if DTYPES[entry["dtype"]] != found.dtype or entry["shape"] != list(found.shape):
            raise ValueError(f"array {name!r} has another type or shape")
        if entry["data_offsets"] != [start, end]:
            raise ValueError(f"array {name!r} is not where the one before it ends")
        names.append(name)
    return names

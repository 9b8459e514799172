"""Arrays out of an `.npz` file that anyone may have made: within limits, and never pickles.

`numpy.load` believes what a file says of its sizes: some megabytes of zip would fill any memory.
"""

import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from headwise.errors import FormatError, InputError, LimitError, SourceLocation, UsageError

MAX_EXPANSION = 200
EXPANSION_FROM = 64 << 20
"""An array may be this many times as long as its part of the file, once it has this many bytes."""

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Those that NumPy writes; others take as much memory as a file asks for."""


def read_npz(path: Path, names: Collection[str]) -> dict[str, NDArray[Any]]:
    """Those of some arrays that a file has."""
    location = SourceLocation(str(path))
    try:
        stream = path.open("rb")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    with stream:
        try:
            return read_arrays(stream, names, location)
        except InputError:
            raise
        except MemoryError:
            raise LimitError("asks for more memory than there is", location) from None
        except Exception as error:  # damaged zip archives and headers of arrays raise many kinds
            message = f"cannot be read as .npz: {str(error)[:100]}"
            raise FormatError(message, location) from error


def read_arrays(
    stream: BinaryIO, names: Collection[str], location: SourceLocation
) -> dict[str, NDArray[Any]]:
    """Those of some arrays that an archive has."""
    with zipfile.ZipFile(stream) as file:
        members = {name: f"{name}.npy" for name in names if f"{name}.npy" in file.NameToInfo}
        for member in members.values():
            check_member(file.getinfo(member), location)
        found = {}
        for name, member in members.items():  # not more is read than the archive says that it has
            with file.open(member) as array:
                found[name] = np.lib.format.read_array(array, allow_pickle=False)
        return found


def check_member(member: zipfile.ZipInfo, location: SourceLocation) -> None:
    """Raise if an array is packed in another way, or grows too much."""
    if member.compress_type not in METHODS:
        raise FormatError(f"cannot be read as .npz: {member.filename} is packed oddly", location)
    if member.file_size > max(EXPANSION_FROM, MAX_EXPANSION * member.compress_size):
        raise LimitError(
            f"{member.filename} grows to more than {MAX_EXPANSION} times its size; if you trust "
            "the file, write it again without compression (numpy.savez)",
            location,
        )

"""The cache of a kernel's machine code, one file per signature, in place of Numba's own cache.

Files are named by what the code depends on: the kernel, the types of its arguments, the CPU and the
versions of Python and libraries. Neither the path of the sources nor their modification times
matter, so that folders can be copied. Code that came with the package (`shipped`) is found first. A
checksum finds files that are damaged or foreign; their code is compiled again. It is never an error
that code cannot be saved.
"""

import hashlib
import os
import pickle
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import NullCache
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from headwise.kernels.runtime.cachefolders import platform_tag, searched_folders, writable_folder
from headwise.kernels.runtime.lean import rebuild, reduce
from headwise.kernels.runtime.notice import say_compiling, say_not_saved
from headwise.kernels.runtime.shipped import file_of, usable_folder

FILE_MODE = 0o664
"""Permissions of a new file, whatever the umask: other users cannot change it."""

CHECKSUM_SIZE = hashlib.sha256().digest_size


class KernelCache(NullCache):
    """Where Numba looks for the code of a kernel before it compiles, and puts it afterwards."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """For a function that is not a closure: file names do not depend on its variables."""
        if function.__closure__:
            raise TypeError(f"{function.__qualname__} is a closure, which cannot be cached")
        self.code = function.__code__

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled code for a signature, or None if no folder has it."""
        rtsys.initialize(context)  # what allocates arrays; compiling makes the rest ready itself
        for path in self.files(signature):
            found = read(path, signature)
            if found is not None:
                return rebuild(context, found)
        say_compiling()  # Numba does so next
        return None

    def has(self, signature: Any) -> bool:
        """Whether there is a file for a signature."""
        return any(path.exists() for path in self.files(signature))

    def save_overload(self, signature: Any, result: Any) -> None:
        """Save compiled code, if there is a folder for it."""
        folder = writable_folder()
        if folder is None or result.lifted or result.library.has_dynamic_globals:
            return
        try:
            write(folder / self.file_name(signature), signature, reduce(result))
        except OSError as error:
            say_not_saved(folder, error)

    def files(self, signature: Any) -> Iterator[Path]:
        """The files in which the code for a signature may be, one after the other."""
        shipped = usable_folder()
        if shipped is not None:
            yield shipped / file_of(self.name(signature))
        for folder in searched_folders():
            if folder.trusted:
                yield folder.path / self.file_name(signature)

    def file_name(self, signature: Any) -> str:
        """The file for a kernel and a signature in a cache folder."""
        return f"{self.name(signature)}.{platform_tag()}.nbc"

    def name(self, signature: Any) -> str:
        """A name for a kernel and a signature, as far as types have different names."""
        source, line = Path(self.code.co_filename), self.code.co_firstlineno
        function = hashlib.sha256(f"{text_hash(source)} {line} {signature}".encode())
        return f"{source.stem}.{self.code.co_name}-{function.hexdigest()[:16]}"


@cache
def text_hash(source: Path) -> str:
    """A hash over a source file; that of a kernel elsewhere is no part of the folder's name."""
    return hashlib.sha256(source.read_bytes()).hexdigest()


def read(path: Path, signature: Any) -> Any:
    """What was written to a file for a signature, or None if it is not there or not whole."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, pickled = content[:CHECKSUM_SIZE], content[CHECKSUM_SIZE:]
    if hashlib.sha256(pickled).digest() != checksum:
        return None
    try:
        written_for, reduced = pickle.loads(pickled)
    except Exception:  # of any kind: perhaps a class has moved that the code refers to
        return None
    return reduced if written_for == signature else None


def write(path: Path, signature: Any, reduced: Any) -> None:
    """Write a file that other processes see whole or not at all."""
    pickled = dumps((signature, reduced))
    path.parent.mkdir(exist_ok=True)  # if another process has removed it as stale
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT, FILE_MODE), "wb") as file:
            file.write(hashlib.sha256(pickled).digest())
            file.write(pickled)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise

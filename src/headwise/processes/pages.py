"""Memory that a process gives back: it was needed to begin, and is hardly needed to go on."""

import ctypes
import mmap
from collections.abc import Iterator
from pathlib import Path

MAPPINGS = Path("/proc/self/maps")


def give_back() -> None:
    """Give back freed memory that malloc has kept, and the code of LLVM.

    Loading a kernel reads half of that code, and nothing else does until one is compiled; then it
    is read from its file again. Without Linux and glibc, nothing is given back.
    """
    if not MAPPINGS.exists():
        return
    own = ctypes.CDLL(None)
    if hasattr(own, "malloc_trim"):
        own.malloc_trim(0)
    if hasattr(own, "madvise"):
        for start, end in compiler_code():
            size = ctypes.c_size_t(end - start)
            own.madvise(ctypes.c_void_p(start), size, mmap.MADV_DONTNEED)


def compiler_code() -> Iterator[tuple[int, int]]:
    """Where the code of LLVM is in memory, as it is in its file: code is not written to."""
    for line in MAPPINGS.read_text(errors="replace").splitlines():
        place, access, *_, file = line.split(maxsplit=5)
        if access == "r-xp" and "llvm" in Path(file).name.lower():
            start, _, end = place.partition("-")
            yield int(start, 16), int(end, 16)

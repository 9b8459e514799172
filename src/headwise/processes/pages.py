"""Memory that a process gives back: it was needed to begin, and is hardly needed to go on."""

import ctypes
import mmap
import re
import sys
from functools import cache
from pathlib import Path

MAPPINGS = Path("/proc/self/smaps")
"""What is mapped where, and how much of it was changed: `proc(5)`."""

HEADING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ *(.*)")
OWN_PAGES = ("Private_Dirty", "Anonymous", "Swap")
"""What a mapping has besides pages of its file."""


def give_back() -> None:
    """Give back freed memory that malloc has kept, and what was read of LLVM.

    Loading a kernel reads half of that library, and nothing else does until one is compiled; then
    it is read from its file again. Without Linux and glibc, nothing is given back.
    """
    if not MAPPINGS.exists():
        return
    own = ctypes.CDLL(None)
    if hasattr(own, "malloc_trim"):
        own.malloc_trim(0)
    if hasattr(own, "madvise") and "llvmlite.binding" in sys.modules:
        for start, end in compiler_pages():
            size = ctypes.c_size_t(end - start)
            own.madvise(ctypes.c_void_p(start), size, mmap.MADV_DONTNEED)


@cache
def compiler_pages() -> tuple[tuple[int, int], ...]:
    """Where LLVM is in memory as it is in its file: nobody can write there, and nobody has."""
    return tuple(
        (start, end)
        for start, end, access, file, sizes in mappings(MAPPINGS.read_text(errors="replace"))
        if access in ("r-xp", "r--p")
        and "llvm" in Path(file).name.lower()
        and all(sizes.get(name) == "0" for name in OWN_PAGES)
    )


def mappings(text: str) -> list[tuple[int, int, str, str, dict[str, str]]]:
    """The start, end, access, file and sizes (kB) of all mappings."""
    found: list[tuple[int, int, str, str, dict[str, str]]] = []
    for line in text.splitlines():
        if heading := HEADING.fullmatch(line):
            start, end, access, file = heading.groups()
            found.append((int(start, 16), int(end, 16), access, file, {}))
        else:
            name, _, value = line.partition(":")
            found[-1][-1][name] = value.removesuffix("kB").strip()
    return found

"""Memory that is given back is gone, and what was in it is there again when it is needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from headwise.processes import pages
from headwise.processes.pages import give_back

SCRIPT = """
import re
from pathlib import Path
from numba import njit
from headwise.processes.pages import give_back

def pages_of_files():
    return int(re.search(r"RssFile:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1])

double = njit(lambda x: 2 * x)
assert double(2) == 4
before = pages_of_files()
give_back()
print(before, pages_of_files())
assert njit(lambda x: 3 * x)(2) == 6  # compiled with code that was given back
assert double(2.5) == 5.0
"""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="requires /proc")
def test_the_compiler_is_given_back_and_works_again():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    before, after = map(int, done.stdout.split())
    assert after < before - 10_000


def test_only_pages_of_the_compilers_file_are_given_back(tmp_path, monkeypatch):
    lines = []
    for place, access, file, own, swapped in (
        ("1000-2000", "r--p", "/a b/libllvmlite.so", 0, 0),
        ("2000-5000", "r-xp", "/a b/libllvmlite.so", 0, 0),
        ("5000-6000", "r--p", "/a b/libllvmlite.so", 4, 0),  # addresses that were filled in
        ("6000-7000", "r--p", "/a b/libllvmlite.so", 0, 4),
        ("7000-8000", "rw-p", "/a b/libllvmlite.so", 0, 0),
        ("8000-9000", "rwxp", "", 0, 0),
        ("9000-a000", "r-xp", "/usr/lib/libc.so.6", 0, 0),
        ("a000-b000", "r-xp", "[vdso]", 0, 0),
    ):
        lines += [f"{place} {access} 00000000 08:01 7     {file}", "Rss:          4 kB"]
        lines += [f"Private_Dirty: {own} kB", f"Anonymous: {own} kB", f"Swap: {swapped} kB"]
        lines += ["THPeligible:    0", "VmFlags: rd ex mr mw me sd"]
    maps = tmp_path / "smaps"
    maps.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(pages, "MAPPINGS", maps)
    assert pages.compiler_pages.__wrapped__() == ((0x1000, 0x2000), (0x2000, 0x5000))
    maps.write_text("1000-2000 r-xp 00000000 08:01 7     /a/libllvmlite.so\nRss: 4 kB\n")
    assert pages.compiler_pages.__wrapped__() == ()  # nobody says that nothing was changed


def test_elsewhere_nothing_is_given_back(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "MAPPINGS", tmp_path / "maps")
    give_back()

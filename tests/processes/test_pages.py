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


def test_only_code_of_the_compiler_is_given_back(tmp_path, monkeypatch):
    maps = tmp_path / "maps"
    maps.write_text(
        "1000-2000 r--p 00000000 08:01 7     /a b/libllvmlite.so\n"
        "2000-5000 r-xp 00001000 08:01 7     /a b/libllvmlite.so\n"
        "5000-6000 rw-p 00004000 08:01 7     /a b/libllvmlite.so\n"
        "6000-7000 rwxp 00000000 00:00 0 \n"
        "7000-8000 r-xp 00000000 08:01 8     /usr/lib/libc.so.6\n"
        "8000-9000 r-xp 00000000 00:00 0     [vdso]\n"
    )
    monkeypatch.setattr(pages, "MAPPINGS", maps)
    assert list(pages.compiler_code()) == [(0x2000, 0x5000)]


def test_elsewhere_nothing_is_given_back(tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "MAPPINGS", tmp_path / "maps")
    give_back()

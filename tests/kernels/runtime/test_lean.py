"""Machine code that was kept runs without the compiler, and beside what is compiled later."""

import os
import subprocess
import sys
from pathlib import Path

KEPT = """
import sys
import numpy as np
from headwise.kernels.primitives.hashmap import build_map
keys, values = build_map(np.arange(3, dtype=np.uint64), np.arange(3, dtype=np.int32))
print(type(keys).__name__, sorted(values.tolist()), "numba.np.arraymath" in sys.modules)
"""

COMPILED_LATER = """
from headwise.kernels.primitives.hashmap import look_up_all
found = look_up_all(keys, values, np.array([2, 7], np.uint64))
print(found.tolist(), "numba.np.arraymath" in sys.modules)
"""


def printed(script: str, folder: Path) -> list[str]:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    call = [sys.executable, "-c", script]
    run = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def test_kept_code_needs_no_compiler(tmp_path: Path) -> None:
    map_and_numbers = "ndarray [-1, -1, -1, -1, -1, 0, 1, 2]"
    assert printed(KEPT, tmp_path) == [f"{map_and_numbers} True"]
    assert printed(KEPT, tmp_path) == [f"{map_and_numbers} False"]
    later = printed(KEPT + COMPILED_LATER, tmp_path)
    assert later == [f"{map_and_numbers} False", "[2, -1] True"]


CALLED = """
import numba
@numba.njit
def twice(hashes, numbers):
    return build_map(hashes, numbers)[1].max(), build_map(hashes, numbers)[1].min()
print(twice(np.arange(3, dtype=np.uint64), np.arange(3, dtype=np.int32)))
"""


def test_kept_code_can_be_called_by_what_is_compiled(tmp_path: Path) -> None:
    printed(KEPT, tmp_path)
    not_loaded = "import numpy as np\nfrom headwise.kernels.primitives.hashmap import build_map\n"
    for before in (not_loaded, KEPT):
        assert printed(before + CALLED, tmp_path)[-1] == "(2, -1)"

"""Named tuples come out of kernels whole, and an interrupt comes after them."""

import os
import subprocess
import sys

import numpy as np
import pytest

from headwise.kernels.solvers.pairties import PairMap, map_pairs

INTERRUPTED = """
import os, signal, threading, time
import numpy as np
from headwise.kernels.solvers.pairties import map_pairs

pairs = np.arange(3_000_000)
map_pairs(pairs[:2], pairs[:2], 2)
for wait in (0.01, 0.03, 0.05):
    try:
        threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT)).start()
        map_pairs(pairs, pairs, len(pairs))
        time.sleep(1)
        print("lost")
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_a_named_tuple_has_its_class_and_its_fields():
    found = map_pairs(np.array([1, 2]), np.array([5, 7]), 9)
    assert type(found) is PairMap
    assert (found.words, sorted(found.values[found.values >= 0])) == (9, [0, 1])
    assert found == found._make(found)


@pytest.mark.parametrize("plain", ["", "1"])
def test_an_interrupt_while_a_kernel_runs_is_raised_afterwards(plain: str) -> None:
    environment = os.environ | {"HEADWISE_PLAIN_NUMBA": plain}
    call = [sys.executable, "-c", INTERRUPTED]
    result = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "interrupted\n" * 3)

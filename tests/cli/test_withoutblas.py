"""Commands let Numba find no BLAS, unless somebody else has it already."""

import subprocess
import sys


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_numba_finds_no_blas_and_others_do():
    code = (
        "import sys; from headwise.cli.withoutblas import without_blas; without_blas();"
        "print('scipy.linalg' in sys.modules); import numba.np.arraymath as m;"
        "print(m._HAVE_BLAS); import scipy.linalg; print(scipy.linalg.det([[2.0]]))"
    )
    assert run(code) == "False\nFalse\n2.0\n"


def test_what_is_there_is_left_alone():
    code = (
        "import scipy.linalg; from headwise.cli.withoutblas import without_blas; without_blas();"
        "import sys, numba.np.arraymath as m; print(m._HAVE_BLAS, 'scipy.linalg' in sys.modules)"
    )
    assert run(code) == "True True\n"

"""Numba without BLAS, which commands do not need and start sooner without."""

import sys


def without_blas() -> None:
    """Let Numba find no BLAS: kernels need none, and to load SciPy's takes a sixth of a second.

    Only for commands, which are alone in their process: other code there might want it.
    """
    if "scipy.linalg" in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        import numba.np.arraymath  # noqa: F401  (it looks for BLAS now, or never)
    finally:
        del sys.modules["scipy.linalg"]

"""Calling what only kernels call."""

from collections.abc import Callable
from typing import Any

import numba


def callable_from_python(helper: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls a helper of kernels, which Python cannot call itself."""

    @numba.njit
    def call(*arguments):
        return helper(*arguments)

    return call

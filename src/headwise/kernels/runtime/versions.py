"""Which versions of Numba Headwise knows from the inside.

Known versions get the fast path (`known`): kernels are compiled and cached in ways that rely on
Numba's internals. Any other version gets the plain path (`plain`), which uses Numba's public API
alone: slower, with the same results. `HEADWISE_PLAIN_NUMBA=1` chooses the plain path for any
version.
"""

import os
import re

import numba

OLDEST, END = (0, 60), (0, 69)
"""The first known version, and the first one after it that is not: the range in pyproject.toml."""

PLAIN = "HEADWISE_PLAIN_NUMBA"


def internals_known(version: str = numba.__version__) -> bool:
    """Whether a version of Numba gets the fast path."""
    return not os.environ.get(PLAIN) and is_known(version)


def is_known(version: str) -> bool:
    """Whether a version is in the known range. One without numbers, as of a checkout, is not."""
    numbers = re.match(r"(\d+)\.(\d+)", version)
    return numbers is not None and OLDEST <= tuple(map(int, numbers.groups())) < END


def known_range() -> str:
    """The known versions, as a message names them."""
    return f"{OLDEST[0]}.{OLDEST[1]} to {END[0]}.{END[1] - 1}"

"""Matrix products in one thread, while something is parsed.

OpenBLAS, which comes with NumPy, takes all cores for a product, and its threads wait busily for
each other: where cores are shared, with other work or with other threads of ours, that costs
several times what it saves. Whoever wants more cores asks for jobs or processes.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from threading import Lock

from numpy.linalg import _umath_linalg


class BlasThreads:
    """The number of threads of the OpenBLAS that NumPy is linked with; another BLAS is let be."""

    def __init__(self) -> None:
        """Find its functions, whose names depend on who built it."""
        library = ctypes.CDLL(_umath_linalg.__file__)  # a name is looked up in what it links, too
        self.get: Callable[[], int] = lambda: 1
        self.set: Callable[[int], object] = lambda number: None
        for prefix, suffix in product(("scipy_", ""), ("64_", "")):
            if hasattr(library, f"{prefix}openblas_set_num_threads{suffix}"):
                self.get = library[f"{prefix}openblas_get_num_threads{suffix}"]
                self.set = library[f"{prefix}openblas_set_num_threads{suffix}"]
        self.lock = Lock()
        self.at_work = 0  # how many need it to be one
        self.before = 1

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """Let there be one thread until nobody is at work any more."""
        with self.lock:
            self.before = self.before if self.at_work else self.get()
            self.at_work += 1
            self.set(1)
        try:
            yield
        finally:
            with self.lock:
                self.at_work -= 1
                if not self.at_work:
                    self.set(self.before)


blas_threads = BlasThreads()

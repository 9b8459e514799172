"""What all tests share. Data outside the repository is used where it is, and skipped where not."""

import gc
import os
import signal
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

# Machines are shared and noisy: a slow example is no failure. The same examples are tried every
# time, so that a change is judged by itself; the nightly run tries new ones (HYPOTHESIS=random).
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS", "same"))

# A shell that starts a process in the background makes it ignore Ctrl-C; some tests press it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Networks of tests are compiled once for all of them, and kept from one run to the next.
os.environ.setdefault(
    "JAX_COMPILATION_CACHE_DIR", str(Path(__file__).parents[1] / ".pytest_cache" / "jax")
)
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "0")

# They run for moments only: compiling them without optimisation takes a third of the time, and
# without generating fusions half of that. JAX would end at an option that it does not know.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
if find_spec("jaxlib") and version("jaxlib").startswith("0.10."):
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_use_fusion_emitters=false")

FIRST = (
    "test_robustness.py",
    "kernels/runtime/",
    "corpus/",
    "draw/",
    "evaluate/",
    "storage/",
    "kernels/nonprojective/",
)
"""What comes first: one process compiles the kernels of all kinds of parsers while the others are
at work on what needs none of them; otherwise each would compile the same. No long file is last.

For the same reason no file of tests calls a kernel when it is imported: processes import all."""

SHARED = Path(__file__).parents[2] / "shared"
TREEBANKS = SHARED / "treebanks"
NO_SHARED = "the shared treebanks (../shared/treebanks) are not here"


def pytest_configure(config: pytest.Config) -> None:
    """Keep the order of files; pytest-xdist would start with those of the most tests."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


def pytest_collection_finish() -> None:
    """Collect garbage rarely: compiling makes much of it, and a fifth of that time went there.

    The threshold is another one than that of the package, which tests look for.
    """
    gc.freeze()
    gc.set_threshold(50_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files of `FIRST` first."""
    items.sort(key=lambda item: place_in_order(item.nodeid.removeprefix("tests/")))


def place_in_order(name: str) -> int:
    """Where a file comes; files of one place stay in their order."""
    return next((at for at, start in enumerate(FIRST) if name.startswith(start)), len(FIRST))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that ask for `treebank_file` once for every shared CoNLL-U file."""
    if "treebank_file" in metafunc.fixturenames:
        files = sorted(TREEBANKS.glob("*/*.conllu.gz"))
        absent = pytest.param(None, marks=pytest.mark.skip(reason=NO_SHARED))
        metafunc.parametrize(
            "treebank_file", files or [absent], ids=lambda path: path.stem if path else "absent"
        )


@pytest.fixture
def treebanks() -> Path:
    """The folder of shared treebanks."""
    if not TREEBANKS.is_dir():
        pytest.skip(NO_SHARED)
    return TREEBANKS

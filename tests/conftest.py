"""What all tests share. Data outside the repository is used where it is, and skipped where not."""

from pathlib import Path

import pytest
from hypothesis import settings

# Machines are shared and noisy: a slow example is no failure. Failures are found again by seed.
settings.register_profile("headwise", deadline=None, derandomize=True)
settings.load_profile("headwise")

SHARED = Path(__file__).parents[2] / "shared"
TREEBANKS = SHARED / "treebanks"
NO_SHARED = "the shared treebanks (../shared/treebanks) are not here"


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

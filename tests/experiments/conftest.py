"""An experiment that is done once for all files."""

from pathlib import Path

import pytest
from smallworlds import finished, small_world


@pytest.fixture(scope="session")
def world(tmp_path_factory) -> Path:
    path = small_world(tmp_path_factory.mktemp("world"))
    finished(path)
    return path

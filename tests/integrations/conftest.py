"""A small model that all integrations parse with."""

from pathlib import Path

import pytest

from toypipelines import toy_pipeline


@pytest.fixture(scope="session")
def toy_model(tmp_path_factory) -> Path:
    """The folder of a pipeline that was trained in a moment."""
    folder = tmp_path_factory.mktemp("models") / "toy"
    toy_pipeline().save(folder)
    return folder

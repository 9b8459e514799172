"""Files of vectors are what `--vectors` reads."""

from pathlib import Path

import numpy as np
import pytest

from headwise.errors import UsageError
from headwise.scoring.neural.vectors import read_vectors
from headwise.text.similarity.vectorfiles import check_vector_path, write_vectors

WORDS = ["der", "straße", "10"]
MATRIX = np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32)


@pytest.mark.parametrize("name", ["v.npz", "v.txt", "v.vec", "v.txt.gz", "v.vec.xz"])
def test_what_is_written_is_read(name, tmp_path):
    check_vector_path(tmp_path / name, force=False)
    write_vectors(tmp_path / name, WORDS, MATRIX)
    found = read_vectors(tmp_path / name)
    assert list(found.words) == WORDS
    scaled = MATRIX / np.sqrt(np.mean(MATRIX**2))
    assert found.as_floats()[1:] == pytest.approx(scaled, abs=0.02)


def test_names_that_are_refused(tmp_path):
    (tmp_path / "there.npz").touch()
    (tmp_path / "folder.npz").mkdir()
    for name, message in (
        ("v.bin", "ends in"),
        ("there.npz", "already exists"),
        ("folder.npz", "is a folder"),
        ("none/v.npz", "no folder"),
    ):
        with pytest.raises(UsageError, match=message):
            check_vector_path(tmp_path / Path(name), force=False)
    check_vector_path(tmp_path / "there.npz", force=True)

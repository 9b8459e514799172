import gzip

import numpy as np
import pytest

from headwise.errors import FormatError, HeadwiseError, UsageError
from headwise.scoring.neural.vectors import WordVectors, read_vectors

TEXT = "the 1 2 3\ndogs -1 0.5 0\n. . 1 1 1\n"


def ratios(found: WordVectors) -> dict[str, np.ndarray]:
    floats = found.as_floats()[1:]
    return {word: row / np.abs(floats).max() for word, row in zip(found.words, floats, strict=True)}


@pytest.mark.parametrize("name", ["v.vec", "v.txt", "v.txt.gz"])
@pytest.mark.parametrize("header", ["", "3 3\n"])
def test_text_with_and_without_a_header(tmp_path, name, header):
    data = (header + TEXT).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found = read_vectors(tmp_path / name)
    assert found.words == ("the", "dogs", ". .")
    assert ratios(found)["the"] == pytest.approx([1 / 3, 2 / 3, 1], abs=0.01)
    assert ratios(found)["dogs"] == pytest.approx([-1 / 3, 1 / 6, 0], abs=0.01)
    assert not found.numbers[0].any()


def test_npz_of_floats_of_bytes_and_of_strings(tmp_path):
    matrix = np.array([[1.0, 2.0], [-2.0, 0.0]])
    np.savez(tmp_path / "a.npz", words=np.array(["x", "y"]), vectors=matrix)
    np.savez(
        tmp_path / "b.npz",
        words=np.frombuffer(b"x\ny", np.uint8),
        vectors=np.array([[10, 20], [-20, 0]], np.int8),
        scale=np.array([0.1, 0.1], np.float32),
    )
    a, b = read_vectors(tmp_path / "a.npz"), read_vectors(tmp_path / "b.npz")
    assert a.words == b.words == ("x", "y")
    assert a.as_floats() == pytest.approx(b.as_floats(), abs=1e-6)


def test_the_mean_square_is_1(tmp_path):
    (tmp_path / "v.txt").write_text(TEXT)
    floats = read_vectors(tmp_path / "v.txt").as_floats()[1:]
    assert np.mean(floats**2) == pytest.approx(1.0, rel=0.02)


def test_the_first_and_those_that_are_needed(tmp_path):
    (tmp_path / "v.txt").write_text("a 1\nb 2\nc 3\nd 4\nb 9\n")
    assert read_vectors(tmp_path / "v.txt", {"d"}, maximum=2).words == ("a", "b", "d")


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("a 1 2\nb 1\n", ":2", "1 numbers follow the word, not 2"),
        ("a 1 2\nb 1 x\n", ":2", "the vector of 'b' is not 2 numbers"),
        ("a 1 2\nb 1 nan\n", "", "NaN or huge"),
        ("a 1 1e30\n", "", "NaN or huge"),
        ("word\n", ":1", "1 to 512 dimensions, not 0"),
        ("", "", "there are no vectors"),
        ("2 100000\n", ":1", "not 100000"),
        (f"2 {'9' * 5000}\n", "", "NaN or huge"),
    ],
)
def test_damaged_text_is_named_with_its_line(tmp_path, text, where, message):
    (tmp_path / "v.txt").write_text(text)
    with pytest.raises(FormatError, match=message) as error:
        read_vectors(tmp_path / "v.txt")
    assert f"v.txt{where}" in str(error.value)


@pytest.mark.parametrize(
    "arrays",
    [
        {"words": np.array(["x"])},
        {"words": np.array(["x"]), "vectors": np.zeros((2, 3))},
        {"words": np.array(["x"]), "vectors": np.zeros(3)},
        {"words": np.array(["x"]), "vectors": np.zeros((1, 3)), "scale": np.zeros(2)},
        {"words": np.array(["x"]), "vectors": np.zeros((1, 3)), "scale": np.array("x")},
        {"words": np.array(["x"]), "vectors": np.zeros((1, 3)), "scale": np.array(1j)},
        {"words": np.array([1.0]), "vectors": np.zeros((1, 3))},
        {"words": np.array([255], np.uint8), "vectors": np.zeros((1, 3))},
    ],
)
def test_npz_that_does_not_hold_together(tmp_path, arrays):
    np.savez(tmp_path / "v.npz", **arrays)
    with pytest.raises(FormatError):
        read_vectors(tmp_path / "v.npz")


def test_pickles_and_other_files_are_refused(tmp_path):
    np.savez(tmp_path / "v.npz", words=np.array(["x"], object), vectors=np.zeros((1, 2)))
    (tmp_path / "w.npz").write_bytes(b"PK\x03\x04 not a zip")
    for name in ("v.npz", "w.npz"):
        with pytest.raises(FormatError, match="cannot be read as .npz"):
            read_vectors(tmp_path / name)
    with pytest.raises(UsageError, match="there is no file of vectors"):
        read_vectors(tmp_path / "absent.vec")
    (tmp_path / "bad.txt.gz").write_bytes(gzip.compress(b"a 1 2\n" * 1000)[:-20])
    with pytest.raises(HeadwiseError):
        read_vectors(tmp_path / "bad.txt.gz")


def test_words_that_no_model_can_hold_are_left_out(tmp_path):
    np.savez(tmp_path / "v.npz", words=np.array(["\ud800", "x"]), vectors=np.ones((2, 3)))
    assert read_vectors(tmp_path / "v.npz").words == ("x",)

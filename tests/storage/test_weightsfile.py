"""Arrays come back from a file as they were, in memory of their own; other files are refused."""

import io
import json

import numpy as np
import pytest
from safetensors.numpy import load, save

from headwise.storage.modelconfig import TensorInfo
from headwise.storage.weightsfile import DigestedStream, read_arrays

ARRAYS = {
    "b": np.arange(6, dtype=np.float32).reshape(2, 3),
    "none": np.zeros((0, 3), np.int64),
    "a": np.array([1, -1, 5], np.int8),
    "one": np.array(2.5),
}
INFO = {name: TensorInfo(array.dtype.name, array.shape) for name, array in ARRAYS.items()}


def read(data: bytes) -> dict[str, np.ndarray]:
    return read_arrays(DigestedStream(io.BytesIO(data)), len(data), INFO)


def with_header(change) -> bytes:
    """The file, its header changed."""
    data = save(ARRAYS)
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    changed = change(header)
    text = json.dumps(header if changed is None else changed).encode()
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


def test_arrays_have_memory_of_their_own():
    data = save(ARRAYS)
    found, wanted = read(data), load(data)
    assert found.keys() == wanted.keys()
    for name, array in found.items():
        assert array.dtype == wanted[name].dtype
        assert array.tobytes() == wanted[name].tobytes()
        assert array.shape == wanted[name].shape
        assert array.flags.writeable
        assert array.flags.owndata
        assert array.flags.c_contiguous


def test_the_checksum_is_that_of_the_whole_file():
    from hashlib import sha256

    data = save(ARRAYS)
    stream = DigestedStream(io.BytesIO(data))
    assert stream.sha256() == sha256(data).hexdigest()
    stream = DigestedStream(io.BytesIO(data))
    stream.array("uint8", (11,))
    assert stream.sha256() == sha256(data).hexdigest()


def test_metadata_does_not_matter():
    data = with_header(lambda header: {"__metadata__": {"made": "elsewhere"}, **header})
    assert read(data)["a"].tolist() == [1, -1, 5]


@pytest.mark.parametrize(
    "change",
    [
        lambda header: {},
        lambda header: [1],
        lambda header: header.pop("a") and None,
        lambda header: header | {"more": header["a"]},
        lambda header: header | {"a": 1},
        lambda header: header["a"].update(dtype="U8"),
        lambda header: header["a"].update(dtype=["I8"]),
        lambda header: header["a"].update(shape=[4]),
        lambda header: header["a"].update(data_offsets=header["none"]["data_offsets"]),
        lambda header: header["a"].update(data_offsets="0, 3"),
        lambda header: header["a"].update(data_offsets=[0]),
        lambda header: header["a"].update(data_offsets=[-1, 2]),
        lambda header: header["b"].update(data_offsets=[1 << 60, (1 << 60) + 24]),
    ],
    ids=range(13),
)
def test_other_arrays_are_refused(change):
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        read(with_header(change))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"1234567",
        (1 << 63).to_bytes(8, "little"),
        (1 << 20).to_bytes(8, "little") + b"[" * (1 << 20),
        save(ARRAYS)[:-1],
        save(ARRAYS) + b" ",
    ],
    ids=range(6),
)
def test_damaged_files_are_refused(data):
    with pytest.raises((ValueError, RecursionError)):
        read(data)

import pickle
import struct
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from headwise.errors import FormatError, InputError, LimitError, UsageError
from headwise.storage.npzfile import read_npz


def member(shape: str, data: bytes = b"", kind: str = "'<f4'") -> bytes:
    """An array as files hold it, whatever its header says."""
    header = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def packed(path, data: bytes, method: int = zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("a.npy", data)
    return path


def test_arrays_are_read_as_they_were_written(tmp_path):
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.array(["x", "yy"]), "c": np.array(5)}
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "v.npz", **arrays)
        found = read_npz(tmp_path / "v.npz", ["a", "b", "other"])
        assert found.keys() == {"a", "b"}
        assert all(np.array_equal(one, arrays[name]) for name, one in found.items())


@pytest.mark.parametrize(
    "data",
    [
        b"", b"hello", member("(2, 2)"), member("(-2, 2)", bytes(16)), member(f"({1 << 70}, 2)"),
        member("(" * 50 + ")" * 50), member("2"), member("(1,)", bytes(8), "'O'"),
        member("(1,)", bytes(8), "5"), b"\x93NUMPY\x09\x09xxxx", pickle.dumps([1]),
    ],
    ids=range(11),
)  # fmt: skip
def test_damaged_arrays_are_refused(tmp_path, data):
    with pytest.raises(FormatError, match="cannot be read as .npz"):
        read_npz(packed(tmp_path / "v.npz", data), ["a"])


def test_what_is_no_archive_is_refused(tmp_path):
    np.save(tmp_path / "v.npy", np.ones(3))
    whole = packed(tmp_path / "w.npz", member("(2, 2)", bytes(16))).read_bytes()
    for data in (
        (tmp_path / "v.npy").read_bytes(),
        b"",
        b"PK\x03\x04 not",
        whole[: len(whole) // 2],
    ):
        (tmp_path / "x.npz").write_bytes(data)
        with pytest.raises(FormatError, match="cannot be read as .npz"):
            read_npz(tmp_path / "x.npz", ["a"])
    with pytest.raises(UsageError, match="cannot read"):
        read_npz(tmp_path / "none.npz", ["a"])


def test_any_byte_may_be_wrong(tmp_path):
    np.savez_compressed(tmp_path / "v.npz", a=np.arange(40))
    whole = (tmp_path / "v.npz").read_bytes()
    for at in range(len(whole)):
        for other in (whole[at] ^ 1, whole[at] ^ 0x80, 0xFF):
            (tmp_path / "w.npz").write_bytes(whole[:at] + bytes([other]) + whole[at + 1 :])
            with suppress(InputError):
                read_npz(tmp_path / "w.npz", ["a"])


def test_small_files_that_ask_for_much_memory_are_refused(tmp_path):
    huge = member(f"({1 << 47}, 2)")
    with pytest.raises(LimitError, match="more memory than there is"):
        read_npz(packed(tmp_path / "v.npz", huge), ["a"])
    zeros = member(f"({100 << 20},)", bytes(100 << 20), "'|u1'")
    with pytest.raises(LimitError, match="grows to more than 200 times"):
        read_npz(packed(tmp_path / "w.npz", zeros), ["a"])
    small = member("(1,)", bytes(4))
    with pytest.raises(FormatError, match="packed oddly"):
        read_npz(packed(tmp_path / "x.npz", small, zipfile.ZIP_LZMA), ["a"])

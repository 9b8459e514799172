"""Packed tables come back as they were, bit by bit."""

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from headwise.errors import ModelError
from headwise.storage import sparse
from headwise.storage.sparse import MOST_BYTES, pack_sparse, unpack_all, unpack_sparse

KINDS = st.sampled_from([np.float32, np.float16, np.int8, np.int32, np.uint64, np.bool_])
MOSTLY_ZEROS = KINDS.flatmap(
    lambda kind: npst.arrays(
        kind, npst.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=300), fill=st.just(0)
    )
)


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@given(MOSTLY_ZEROS)
def test_what_is_packed_comes_back(table):
    assert same_bits(unpack_sparse("t", pack_sparse("t", table)), table)


@given(st.lists(st.integers(0, 5000), max_size=20), st.integers(0, 1200))
def test_gaps_of_any_length(gaps, rest):
    places = np.cumsum(np.array(gaps, np.int64) + 1) - 1
    table = np.zeros((int(places[-1]) + 1 if gaps else 0) + rest, np.int8)
    table[places] = 7
    packed = pack_sparse("t", table)
    assert same_bits(unpack_sparse("t", packed), table)


@pytest.mark.parametrize(("share", "way"), [(0.0, "gaps"), (0.02, "gaps"), (0.5, "bits")])
def test_the_shorter_way_is_taken(share, way):
    table = (np.random.default_rng(1).random(40_000) < share).astype(np.float32)
    packed = pack_sparse("t", table)
    assert set(packed) == {"t.shape", "t.values", f"t.{way}"}
    assert packed[f"t.{way}"].nbytes <= len(table) // 8
    assert same_bits(unpack_sparse("t", packed), table)


@pytest.mark.parametrize("kind", [np.int8, np.uint8])
@pytest.mark.parametrize(("share", "way"), [(0.0, "gaps"), (0.02, "gaps"), (0.5, "bits")])
def test_small_numbers_are_deflated(kind, share, way):
    random = np.random.default_rng(1)
    table = (random.random(40_000) < share) * random.integers(1, 4, 40_000).astype(kind)
    packed = pack_sparse("t", table)
    assert set(packed) == {"t.shape", "t.values_deflated", f"t.{way}_deflated"}
    assert packed["t.values_deflated"].dtype == kind
    assert packed["t.values_deflated"].nbytes <= np.count_nonzero(table) // 2 + 20
    assert same_bits(unpack_sparse("t", packed), table)


def test_small_numbers_of_older_models_are_read():
    arrays = {
        "t.shape": np.array([6]),
        "t.values": np.array([5, -5], np.int8),
        "t.gaps": np.array([1, 2], np.uint8),
    }
    assert unpack_sparse("t", arrays).tolist() == [0, 5, 0, 0, -5, 0]


def test_other_orders_of_memory_are_packed_alike():
    table = np.arange(12, dtype=np.float32).reshape(3, 4)
    one, other = pack_sparse("t", table), pack_sparse("t", np.asfortranarray(table))
    assert all(same_bits(one[name], other[name]) for name in one)


def test_negative_zeros_and_nans_survive():
    table = np.array([0.0, -0.0, np.nan, 1.0], np.float32)
    assert same_bits(unpack_sparse("t", pack_sparse("t", table)), table)


def test_tables_of_a_model_are_unpacked_and_other_arrays_kept():
    table, plain = np.array([[0, 3], [0, 0]], np.int8), np.arange(3)
    arrays = pack_sparse("t", table) | {"t.other": plain, "shape": plain, "u.shape": plain}
    unpacked = unpack_all(arrays)
    assert set(unpacked) == {"t", "t.other", "shape", "u.shape"}
    assert same_bits(unpacked["t"], table)
    assert unpack_sparse("t", unpacked) is unpacked["t"]


def test_a_name_stands_for_one_table():
    arrays = pack_sparse("t", np.ones(3, np.int8)) | {"t": np.ones(3)}
    with pytest.raises(ModelError, match="table 't' exists twice"):
        unpack_all(arrays)


def test_tables_are_not_too_large_together():
    arrays = {}
    for name in "abc":
        arrays |= zeros(name, MOST_BYTES // 2 // 8, np.float64)
    with pytest.raises(ModelError, match="its tables would take more than 1,073,741,824 bytes"):
        unpack_all(arrays)


def zeros(name, length, dtype):
    """A packed table of zeros, which takes next to nothing in a file."""
    packed = pack_sparse(name, np.zeros(8, dtype))
    return packed | {f"{name}.shape": np.array([length])}


@pytest.mark.parametrize("dtype", [np.int8, np.float32])
def test_zeros_do_not_fill_the_memory(dtype):
    arrays = zeros("t", MOST_BYTES // np.dtype(dtype).itemsize + 1, dtype)
    with pytest.raises(ModelError, match="table 't' would take more than"):
        unpack_sparse("t", arrays)


def test_a_table_of_another_shape_is_refused_before_it_is_made():
    arrays = zeros("t", 1 << 60, np.float64)
    with pytest.raises(ModelError, match=r"table 't' has the shape \[\d+\], not \[8, 2\]"):
        unpack_sparse("t", arrays, (8, 2))
    table = np.ones((8, 2), np.float32)
    assert same_bits(unpack_sparse("t", pack_sparse("t", table), (8, 2)), table)


@pytest.mark.parametrize("dtype", [np.int8, np.float32])
@pytest.mark.parametrize("share", [0.9, 0.01])
def test_tables_of_several_pieces(monkeypatch, dtype, share):
    monkeypatch.setattr(sparse, "_PIECE", 64)
    chances = np.random.default_rng(0)
    table = (chances.random(5003) < share).astype(dtype) * chances.integers(1, 100, 5003)
    table = table.astype(dtype)
    assert same_bits(unpack_sparse("t", pack_sparse("t", table)), table)


def packed(**changes):
    table = np.zeros(1000, np.float32)
    table[[3, 700]] = 1, 2
    arrays = pack_sparse("t", table) | {f"t.{name}": array for name, array in changes.items()}
    return {name: array for name, array in arrays.items() if array is not None}


@pytest.mark.parametrize(
    "changes",
    [
        {"values": None},
        {"shape": None},
        {"gaps": None},
        {"values": np.zeros(3, np.float32)},
        {"values": np.zeros((1, 2), np.float32)},
        {"shape": np.array([700])},
        {"shape": np.array([-1, -1000])},
        {"shape": np.array([np.inf])},
        {"shape": np.array([MOST_BYTES, 2])},
        {"shape": np.array([1] * 70)},
        {"gaps": np.array([3, 4], np.int64)},
        {"gaps": np.array([3], np.uint8)},
        {"gaps": np.array([[3, 4]], np.uint8)},
        {"gaps": None, "bits": np.zeros(3, np.uint8)},
        {"gaps": None, "bits": np.zeros(125, np.uint8)},
        {"gaps": None, "bits": np.zeros(125, np.int8)},
    ],
    ids=str,
)
def test_what_does_not_fit_together_is_refused(changes):
    assert unpack_sparse("t", packed()).sum() == 3
    with pytest.raises(ModelError):
        unpack_sparse("t", packed(**changes))


def deflated(**changes):
    table = np.zeros(1000, np.int8)
    table[[3, 700]] = 1, 2
    arrays = pack_sparse("t", table) | {f"t.{name}": array for name, array in changes.items()}
    return {name: array for name, array in arrays.items() if array is not None}


def test_no_more_is_inflated_than_can_have_been_deflated():
    # Repeats of repeats: a thousand bytes for each one that is stored.
    bomb = np.frombuffer(zlib.compress(b"\xff" * 10**6, wbits=-15), np.uint8)
    shape = np.array([1 << 28])
    for name in ("values", "gaps"):
        arrays = deflated(shape=shape) | {
            f"t.{name}_deflated": bomb.view(np.int8 if name == "values" else np.uint8)
        }
        with pytest.raises(ModelError, match="too long"):
            unpack_sparse("t", arrays)


def test_gaps_that_are_longer_than_the_table_are_refused():
    long = pack_sparse("t", np.full(1000, 255, np.uint8))["t.values_deflated"]
    with pytest.raises(ModelError, match="gaps of a table exceed"):
        unpack_sparse("t", deflated(gaps_deflated=long))


def test_a_spoilt_deflated_array_is_refused():
    good = deflated()
    assert unpack_sparse("t", good).sum() == 3
    for name in ("values_deflated", "gaps_deflated"):
        array = good[f"t.{name}"]
        endless = pack_sparse("t", np.ones(10**6, np.int8))["t.values_deflated"]
        for bad in (
            None,
            array[:-1],
            np.concatenate([array, array]),
            array.astype(np.int16),
            array[None],
            np.full(9, 255, np.uint8).view(array.dtype),
            endless.astype(array.dtype),
        ):
            with pytest.raises(ModelError):
                unpack_sparse("t", deflated(**{name: bad}))

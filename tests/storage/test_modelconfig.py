"""A config comes back as it was; nothing else passes for one."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.storage.modelconfig import (
    MAX_CONFIG_BYTES,
    ModelInfo,
    TensorInfo,
    parse_config,
    render_config,
)

TEXT = st.text(st.characters(codec="utf-8"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
)
HERE = SourceLocation("model/config.json")


def info(**changes) -> ModelInfo:
    fields = {
        "kind": "parser",
        "settings": {"labels": ["nsubj", "名"], "rate": 0.1},
        "tensors": {"table": TensorInfo("float32", (3, 2))},
        "weights_bytes": 24,
        "weights_sha256": "ab" * 32,
        "headwise_version": "0.1.0",
    }
    return ModelInfo(**(fields | changes))


DATA = render_config(info())


def signed(config: object) -> bytes:
    """A config of anyone's making with the right checksum."""
    text = json.dumps(config | {"checksum": "0" * 64}).encode()
    return text.replace(b"0" * 64, hashlib.sha256(text).hexdigest().encode(), 1)


@given(st.dictionaries(TEXT, JSON, max_size=4))
def test_any_settings_come_back(settings):
    there = info(settings=settings)
    assert parse_config(render_config(there), HERE) == there


def test_settings_cannot_be_mistaken_for_the_checksum():
    there = info(settings={"a": "0" * 64, "\x00": "0" * 64})
    assert parse_config(render_config(there), HERE) == there


def test_the_format_version_is_that_of_the_file():
    assert parse_config(render_config(info(format_version=1)), HERE).format_version == 1


@pytest.mark.parametrize("where", [(), ("weights",), ("weights", "tensors", "table")])
def test_keys_that_no_version_has_written_are_refused(where):
    config = json.loads(DATA)
    inner = config
    for key in where:
        inner = inner[key]
    inner["extra"] = 1
    with pytest.raises(ModelError, match=r"extra: unknown key"):
        parse_config(signed(config), HERE)


def test_no_flipped_bit_goes_unseen():
    for position in range(len(DATA)):
        for bit in range(8):
            changed = bytearray(DATA)
            changed[position] ^= 1 << bit
            with pytest.raises(ModelError):
                parse_config(bytes(changed), HERE)


@given(st.integers(0, len(DATA)), st.integers(0, len(DATA)), st.binary(max_size=40))
def test_no_change_goes_unseen(start, end, new):
    changed = DATA[:start] + new + DATA[end:]
    if changed != DATA:
        with pytest.raises(ModelError):
            parse_config(changed, HERE)


FIELDS = ["kind", "settings", "weights", "headwise_version", "format_version", "format"]


@given(st.sampled_from(FIELDS), JSON | TEXT)
def test_other_fields_are_checked_though_the_checksum_be_right(field, value):
    try:
        found = parse_config(signed(json.loads(DATA) | {field: value}), HERE)
    except ModelError:
        return
    assert getattr(found, field) == value


@given(st.sampled_from(["bytes", "sha256", "tensors"]), JSON | st.dictionaries(TEXT, JSON))
def test_fields_of_weights_are_checked_though_the_checksum_be_right(field, value):
    config = json.loads(DATA)
    config["weights"][field] = value
    try:
        found = parse_config(signed(config), HERE)
    except ModelError:
        return
    assert value == {} or found.weights_bytes == value


@pytest.mark.parametrize(
    "tensor",
    [
        {},
        {"dtype": "float32"},
        {"dtype": "object", "shape": [1]},
        {"dtype": "float32", "shape": [-1]},
        {"dtype": "float32", "shape": [True]},
        {"dtype": "float32", "shape": [1.0]},
    ],
    ids=str,
)
def test_tensors_are_checked_though_the_checksum_be_right(tensor):
    config = json.loads(DATA)
    config["weights"]["tensors"]["table"] = tensor
    with pytest.raises(ModelError):
        parse_config(signed(config), HERE)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 10_000,
        b'{"format": "headwise-model", "format_version": NaN}',
        b'{"architectures": ["BertModel"]}',
        b"[]",
        b" " * (MAX_CONFIG_BYTES + 1),
    ],
    ids=range(8),
)
def test_foreign_and_hostile_files(data):
    with pytest.raises(ModelError, match="model/config.json: "):
        parse_config(data, HERE)


@pytest.mark.parametrize(
    "value",
    ["1e999", "-1e999", "NaN", "Infinity", "9" * 101, "9" * 5000, "[" * 100_000 + "]" * 100_000],
    ids=["large", "small", "NaN", "infinite", "digits", "more digits", "deep"],
)
def test_numbers_and_depths_beyond_limits_are_refused(value):
    text = DATA.decode().replace('"rate": 0.1', f'"rate": {value}')
    with pytest.raises(ModelError, match="is not JSON"):
        parse_config(text.encode(), SourceLocation("config.json"))


def test_numbers_that_could_not_be_read_again_are_not_written():
    with pytest.raises(UsageError, match="a number of 101 digits"):
        render_config(info(settings={"seed": 10**100}))

"""Models come back as they were, or not at all."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from headwise.errors import ModelError, UsageError
from headwise.storage import modelfile
from headwise.storage.modelconfig import BYTES_OF, FORMAT_VERSION, MAX_CONFIG_BYTES
from headwise.storage.modelfile import (
    CARD,
    CONFIG,
    FILES,
    MAX_CARD_BYTES,
    WEIGHTS,
    ModelFile,
    check_model_path,
    describe_model,
    load_model,
    read_card,
    save_model,
)

SMALL = ModelFile(
    "parser",
    {"seed": 1, "labels": ["nsubj", "名"], "rate": 0.1, "deep": {"none": None, "yes": True}},
    {"table": np.arange(3, dtype=np.float32), "bits": np.array([True, False])},
    "# A parser\n",
)
SHAPES = {name: array.shape for name, array in SMALL.arrays.items()}


@pytest.fixture
def small(tmp_path) -> Path:
    save_model(tmp_path / "model", SMALL)
    return tmp_path / "model"


def with_config(folder: Path, **changes) -> None:
    """Change fields of the config, and make its checksum right again."""
    config = json.loads((folder / CONFIG).read_bytes()) | changes | {"checksum": "0" * 64}
    text = json.dumps(config)
    checksum = hashlib.sha256(text.encode()).hexdigest()
    (folder / CONFIG).write_text(text.replace("0" * 64, checksum, 1))


def with_weights(folder: Path, data: bytes, **changes) -> None:
    """Put other weights into a model, and make its checksums right again."""
    (folder / WEIGHTS).write_bytes(data)
    weights = json.loads((folder / CONFIG).read_bytes())["weights"]
    sums = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    with_config(folder, weights=weights | sums | changes)


def assert_same(one: ModelFile, other: ModelFile) -> None:
    assert (one.kind, one.settings, one.card) == (other.kind, other.settings, other.card)
    assert set(one.arrays) == set(other.arrays)
    for name, array in one.arrays.items():
        assert array.dtype == other.arrays[name].dtype
        assert array.shape == other.arrays[name].shape
        assert array.tobytes() == other.arrays[name].tobytes()


def test_a_model_comes_back(small):
    assert_same(load_model(small, "parser"), SMALL)
    assert sorted(entry.name for entry in small.parent.iterdir()) == ["model"]
    assert sorted(entry.name for entry in small.iterdir()) == sorted(FILES)


@pytest.mark.parametrize("dtype", BYTES_OF)
def test_every_type_of_numbers_comes_back(dtype, tmp_path):
    kinds = {
        "flat": np.array([0, 1, 1], dtype),
        "empty": np.zeros((0, 4), dtype),
        "one": np.array(1, dtype),
        "turned": np.asfortranarray(np.eye(3, 5, dtype=dtype)),
        "step": np.eye(4, dtype=dtype)[::2, ::-1],
        "big-endian": np.array([[0, 1]], np.dtype(dtype).newbyteorder(">")),
    }
    save_model(tmp_path / "m", ModelFile("k", {}, kinds, ""))
    found = load_model(tmp_path / "m").arrays
    for name, array in kinds.items():
        assert found[name].dtype == np.dtype(dtype)
        assert found[name].shape == array.shape
        assert (found[name] == array).all()


def test_the_same_model_gives_the_same_bytes(small, tmp_path):
    turned = ModelFile(
        SMALL.kind,
        dict(reversed(SMALL.settings.items())),
        dict(reversed(SMALL.arrays.items())),
        SMALL.card,
    )
    save_model(tmp_path / "again", turned)
    for name in FILES:
        assert (small / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_a_description_needs_no_weights(small):
    (small / WEIGHTS).unlink()
    info = describe_model(small)
    assert info.kind == "parser"
    assert info.settings == SMALL.settings
    assert info.format_version == FORMAT_VERSION
    assert (info.tensors["table"].shape, info.tensors["table"].bytes) == ((3,), 12)


def test_the_card_may_be_edited_or_taken_away(small):
    (small / CARD).write_bytes(b"my \xff notes")
    assert load_model(small).card == read_card(small) == "my \ufffd notes"
    (small / CARD).unlink()
    assert load_model(small).card == ""


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS])
def test_no_flipped_bit_goes_unseen(small, name):
    data = (small / name).read_bytes()
    for position in range(len(data)):
        changed = bytearray(data)
        changed[position] ^= 1 << position % 8
        (small / name).write_bytes(changed)
        with pytest.raises(ModelError):
            load_model(small)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS])
def test_no_truncation_goes_unseen(small, name):
    data = (small / name).read_bytes()
    for length in range(len(data)):
        (small / name).write_bytes(data[:length])
        with pytest.raises(ModelError):
            load_model(small)
    (small / name).write_bytes(data + b" ")
    with pytest.raises(ModelError):
        load_model(small)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_other_header_is_refused_though_the_checksum_be_right(small, data):
    weights = bytearray(save(SMALL.arrays))
    header = 8 + int.from_bytes(weights[:8], "little")
    weights[data.draw(st.integers(0, header - 1))] = data.draw(st.integers(0, 255))
    with_weights(small, bytes(weights))
    try:
        found = load_model(small)
    except ModelError:
        return
    assert {name: array.shape for name, array in found.arrays.items()} == SHAPES


def test_a_kind_that_was_not_asked_for(small):
    with pytest.raises(ModelError, match="is a parser, not a tagger"):
        load_model(small, "tagger")


def test_a_newer_format_says_who_made_it(small):
    with_config(small, format_version=FORMAT_VERSION + 1, headwise_version="9.1\x1b[2J", new=[])
    with pytest.raises(ModelError, match=f"Headwise 9.1␛.*format {FORMAT_VERSION + 1};.*upgrade"):
        load_model(small)


def test_an_older_format_is_read(small):
    with_config(small, format_version=1)
    assert load_model(small).kind == "parser"


def test_paths_that_are_no_models(tmp_path):
    (tmp_path / "file").write_text("{}")
    (tmp_path / "empty").mkdir()
    for path in ("nothing", "file", "file/below", "zero\0byte", "x" * 5000):
        with pytest.raises(UsageError, match="there is no model|is no path"):
            load_model(tmp_path / path)
    with pytest.raises(ModelError, match="is missing: not a model, or an incomplete one"):
        load_model(tmp_path / "empty")


@pytest.mark.parametrize(
    "weights",
    [
        b"",
        b"\xff" * 8,
        (1 << 40).to_bytes(8, "little"),
        (1 << 20).to_bytes(8, "little") + b"[" * (1 << 20),
        save({"table": np.zeros(3, np.float32)}),
        save({"table": np.zeros(3, np.float64), "bits": np.zeros(2, bool)}),
        save({"table": np.zeros(3, np.complex64), "bits": np.zeros(2, bool)}),
        save({**SMALL.arrays, "more": np.zeros(1)}),
    ],
    ids=range(8),
)
def test_foreign_and_hostile_weights(small, weights):
    with_weights(small, weights)
    with pytest.raises(ModelError):
        load_model(small)


@pytest.mark.parametrize("name", ["../up", "a/../b", "/root", "", "sp ace", "x" * 300])
def test_names_that_arrays_cannot_have(small, tmp_path, name):
    arrays = {name: np.zeros(1, np.float32)}
    with pytest.raises(UsageError, match="invalid array name"):
        save_model(tmp_path / "other", ModelFile("k", {}, arrays, ""))
    with_weights(small, save(arrays), tensors={name: {"dtype": "float32", "shape": [1]}})
    with pytest.raises(ModelError, match="invalid array name"):
        load_model(small)


@pytest.mark.parametrize("name", FILES)
def test_links_and_pipes_are_refused(small, tmp_path, name):
    (small / name).rename(tmp_path / "elsewhere")
    (small / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ModelError, match="regular files"):
        load_model(small)
    (small / name).unlink()
    os.mkfifo(small / name)
    with pytest.raises(ModelError, match="regular files"):
        load_model(small)


def test_a_link_to_a_model_is_a_model(small, tmp_path):
    (tmp_path / "link").symlink_to(small)
    save_model(tmp_path / "link", ModelFile("tagger", {}, {}, ""), force=True)
    assert (tmp_path / "link").is_symlink()
    assert load_model(small).kind == "tagger"


@pytest.mark.parametrize(
    "model",
    [
        ModelFile("Parser!", {}, {}, ""),
        ModelFile("k", {"a": (1, 2)}, {}, ""),
        ModelFile("k", {1: 2}, {}, ""),
        ModelFile("k", {"a": float("nan")}, {}, ""),
        ModelFile("k", {"a": object()}, {}, ""),
        ModelFile("k", {"a": "\ud800"}, {}, ""),
        ModelFile("k", {"a": "x" * MAX_CONFIG_BYTES}, {}, ""),
        ModelFile("k", {}, {"a": np.zeros(2, np.complex64)}, ""),
        ModelFile("k", {}, {"a": np.array(["text"])}, ""),
        ModelFile("k", {}, {"a": np.array([object()])}, ""),
        ModelFile("k", {}, {}, "x" * (MAX_CARD_BYTES + 1)),
    ],
    ids=range(11),
)
def test_what_cannot_be_saved(model, tmp_path):
    with pytest.raises(UsageError):
        save_model(tmp_path / "m", model)
    assert list(tmp_path.iterdir()) == []


def test_an_array_that_must_be_there(small):
    model = load_model(small)
    assert len(model.array("table")) == 3
    with pytest.raises(ModelError, match="array 'more' is missing"):
        model.array("more")


def test_a_model_whose_replacement_was_cut_short_is_found(small):
    small.rename(small.parent / ".model.headwise-old")
    assert_same(load_model(small, "parser"), SMALL)
    with pytest.raises(UsageError, match="already exists"):
        check_model_path(small)
    save_model(small, ModelFile("tagger", {}, {}, ""), force=True)
    assert load_model(small).kind == "tagger"
    assert [entry.name for entry in small.parent.iterdir()] == ["model"]


def test_asking_before_training(small, tmp_path):
    check_model_path(tmp_path / "new" / "below")
    check_model_path(small, force=True)
    with pytest.raises(UsageError, match="already exists"):
        check_model_path(small)
    shutil.copy(__file__, small / "notes.txt")
    with pytest.raises(UsageError, match="notes.txt"):
        check_model_path(small, force=True)


def test_a_model_that_is_replaced_meanwhile_is_read_again(tmp_path, monkeypatch):
    """Its files would be of two models."""
    models = [ModelFile("toy", {"n": n}, {"a": np.full(n, n)}, f"card {n}") for n in (1, 2, 3)]
    save_model(tmp_path / "m", models[0])
    read, left = modelfile._read_weights, models[1:]

    def replacing(path, info):
        if left:
            save_model(path, left.pop(0), force=True)
        return read(path, info)

    monkeypatch.setattr(modelfile, "_read_weights", replacing)
    found = load_model(tmp_path / "m")
    assert (found.settings, found.array("a").tolist(), found.card) == (
        {"n": 3},
        [3, 3, 3],
        "card 3",
    )


def test_a_damaged_model_is_not_read_again(tmp_path, monkeypatch):
    save_model(tmp_path / "m", ModelFile("toy", {}, {}, ""))
    (tmp_path / "m" / WEIGHTS).write_bytes(b"")
    read, done = modelfile._read_weights, []
    monkeypatch.setattr(modelfile, "_read_weights", lambda *given: done.append(1) or read(*given))
    with pytest.raises(ModelError):
        load_model(tmp_path / "m")
    assert done == [1]

"""A model is a folder of data; loading it never runs code.

    config.json           what the model is, its settings, and checksums of everything but the card
    weights.safetensors   its arrays
    README.md             the card, for people: it may be edited

Every kind of model (parser, tagger, …) is stored this way. docs/models.md describes the format.
"""

import hashlib
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from headwise.errors import FormatError, ModelError, SourceLocation, UsageError
from headwise.storage import wholefolder
from headwise.storage.modelconfig import (
    MAX_CONFIG_BYTES,
    ModelInfo,
    TensorInfo,
    check_names,
    parse_config,
    render_config,
)

CONFIG = "config.json"
WEIGHTS = "weights.safetensors"
CARD = "README.md"
FILES = (CONFIG, WEIGHTS, CARD)
VERSION_DIGITS = 12
MAX_CARD_BYTES = 1 << 20
MAX_HEADER_BYTES = 1 << 24
"""Of the weights: names and shapes of arrays, which stand in the config once more."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """What a model is made of.

    kind: what it does, as `parser`.
    settings: what JSON can hold; tuples must be lists.
    arrays: its numbers. Tables of mostly zeros are packed first (`headwise.storage.sparse`).
    card: Markdown for people.
    version: of a model that was loaded, the beginning of its checksum.
    """

    kind: str
    settings: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]
    card: str
    version: str = ""

    def array(self, name: str) -> NDArray[Any]:
        """An array that the model must have."""
        return needed_array(self.arrays, name)


def needed_array(arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    """An array that must be there."""
    if name not in arrays:
        raise ModelError(f"there is no array {name!r}: the model is damaged, or of another kind")
    return arrays[name]


def check_model_path(path: str | Path, *, force: bool = False) -> None:
    """Raise if a model could not be saved there; worth asking before long training."""
    wholefolder.check_destination(path, FILES, force=force)


def save_model(path: str | Path, model: ModelFile, *, force: bool = False) -> None:
    """Save a model as a folder, whole or not at all; `force` replaces a model that is there.

    The same model gives the same bytes.
    """
    from safetensors.numpy import save

    arrays = {name: _plain(array) for name, array in model.arrays.items()}
    tensors = {name: _tensor_info(array) for name, array in arrays.items()}
    check_names(model.kind, tensors)
    card = model.card.encode(errors="replace")
    if len(card) > MAX_CARD_BYTES:
        raise UsageError(f"the card is too long: {len(card)} bytes")
    weights = save(arrays)
    info = ModelInfo(
        kind=model.kind,
        settings=model.settings,
        tensors=tensors,
        weights_bytes=len(weights),
        weights_sha256=hashlib.sha256(weights).hexdigest(),
        headwise_version=version("headwise"),
    )
    config = render_config(info)
    with wholefolder.whole_folder(path, FILES, force=force) as folder:
        wholefolder.write_durably(folder / WEIGHTS, weights)
        wholefolder.write_durably(folder / CARD, card)
        wholefolder.write_durably(folder / CONFIG, config)


def remove_model(path: str | Path) -> None:
    """Remove a model, if it is there, and what a killed writer left of it."""
    wholefolder.remove_folder(path, FILES)


def load_model(path: str | Path, kind: str | None = None) -> ModelFile:
    """Load a model, of a kind if one is given, after checking every byte of it."""
    info = describe_model(path)
    if kind is not None and info.kind != kind:
        raise ModelError(f"is a {info.kind}, not a {kind}", SourceLocation(str(path)))
    arrays = _arrays(_read_weights(path, info), info, SourceLocation(_name(path, WEIGHTS)))
    version = info.weights_sha256[:VERSION_DIGITS]
    return ModelFile(info.kind, info.settings, arrays, read_card(path), version)


@contextmanager
def holding_together(what: str, location: SourceLocation) -> Iterator[None]:
    """Whatever is amiss in a model while it is taken apart is an error that says where."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, FormatError) as error:
        raise ModelError(f"is no {what} that holds together: {error}", location) from error
    except ModelError as error:
        raise ModelError(error.message, location) from error


def describe_model(path: str | Path) -> ModelInfo:
    """What a model says of itself, without reading its weights."""
    try:
        is_folder = wholefolder.standing_folder(Path(path)).is_dir()
    except (OSError, ValueError):
        is_folder = False
    if not is_folder:
        raise UsageError(f"there is no model {path}: a model is a folder")
    return parse_config(_read(path, CONFIG, MAX_CONFIG_BYTES), SourceLocation(_name(path, CONFIG)))


def read_card(path: str | Path) -> str:
    """The card of a model; empty if someone took it away."""
    if not (wholefolder.standing_folder(Path(path)) / CARD).exists():
        return ""
    return _read(path, CARD, MAX_CARD_BYTES).decode(errors="replace")


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    """The array as safetensors stores it: in one piece, little end first."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(array.shape)


def _tensor_info(array: NDArray[Any]) -> TensorInfo:
    return TensorInfo(array.dtype.name, array.shape)


def _name(path: str | Path, name: str) -> str:
    return str(Path(path) / name)


def _read(path: str | Path, name: str, limit: int) -> bytes:
    """The bytes of a file of the model, if it is a plain file of at most that many."""
    location = SourceLocation(_name(path, name))
    file = wholefolder.standing_folder(Path(path)) / name
    try:
        found = file.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise ModelError("is a link or a device; a model holds plain files only", location)
        if found.st_size > limit:
            raise ModelError(f"is too long: {found.st_size} bytes instead of {limit}", location)
        return file.read_bytes()
    except FileNotFoundError:
        raise ModelError("is not there: this is no model, or a part of one", location) from None
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", location) from error


def _read_weights(path: str | Path, info: ModelInfo) -> bytes:
    location = SourceLocation(_name(path, WEIGHTS))
    data = _read(path, WEIGHTS, info.weights_bytes)
    if len(data) < info.weights_bytes:
        message = f"is cut short: {len(data)} bytes of {info.weights_bytes}"
        raise ModelError(message, location)
    if hashlib.sha256(data).hexdigest() != info.weights_sha256:
        raise ModelError("does not match its checksum: it is damaged or was changed", location)
    return data


def _arrays(data: bytes, info: ModelInfo, location: SourceLocation) -> dict[str, NDArray[Any]]:
    """The arrays, if they are those of the config: the checksum may be right and they not."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    if int.from_bytes(data[:8], "little") > MAX_HEADER_BYTES:
        raise ModelError("has too long a header", location)
    try:
        arrays: dict[str, NDArray[Any]] = load(data)
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise ModelError("is no safetensors file", location) from error
    if {name: _tensor_info(array) for name, array in arrays.items()} != info.tensors:
        raise ModelError(f"does not hold the arrays that {CONFIG} names", location)
    return arrays


P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Storage(Generic[P]):
    """How parsers of a kind become models, with notes for their card, and come back."""

    kind: str
    to_model: Callable[[P, dict[str, Any] | None], ModelFile]
    of_model: Callable[[ModelFile, SourceLocation], P]

    def save(
        self, path: str | Path, parser: P, *, about: dict[str, Any] | None, force: bool
    ) -> None:
        """Save a parser as a model folder; `about` is for its card (the treebank …)."""
        save_model(path, self.to_model(parser, about), force=force)

    def load(self, path: str | Path) -> P:
        """A parser that was saved."""
        return self.of_model(load_model(path, self.kind), SourceLocation(str(path)))

"""A model is a folder of data; loading it never runs code.

    config.json           kind, settings, and checksums of everything but the card
    weights.safetensors   arrays
    README.md             the model card, which may be edited

Every kind of model (parser, tagger, …) is stored this way. docs/models.md describes the format.
"""

import hashlib
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from headwise import __version__
from headwise.errors import FormatError, ModelError, SourceLocation, UsageError
from headwise.parameters import as_path
from headwise.storage import wholefolder
from headwise.storage.modelconfig import (
    MAX_CONFIG_BYTES,
    ModelInfo,
    TensorInfo,
    check_names,
    parse_config,
    render_config,
)
from headwise.storage.weightsfile import DigestedStream, read_arrays

CONFIG = "config.json"
WEIGHTS = "weights.safetensors"
CARD = "README.md"
FILES = (CONFIG, WEIGHTS, CARD)
VERSION_DIGITS = 12
MAX_CARD_BYTES = 1 << 20
READINGS = 10
"""How often a model is read anew that others are replacing."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """The contents of a model.

    kind: such as `parser`.
    settings: JSON data; tuples must be lists.
    arrays: mostly-zero tables are packed first (`headwise.storage.sparse`).
    card: Markdown.
    version: of a loaded model, the beginning of its checksum.
    """

    kind: str
    settings: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]
    card: str
    version: str = ""

    def array(self, name: str) -> NDArray[Any]:
        """An array that the model must have."""
        return needed_array(self.arrays, name)

    def part(self, start: str, kind: str, settings: Mapping[str, Any]) -> "ModelFile":
        """A model within this one: the names of its arrays begin with `start` here."""
        own = {
            name.removeprefix(start): array
            for name, array in self.arrays.items()
            if name.startswith(start)
        }
        return ModelFile(kind, settings, own, "")


def needed_array(arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    """An array that must exist."""
    if name not in arrays:
        raise ModelError(f"array {name!r} is missing: the model is damaged, or of another kind")
    return arrays[name]


def check_model_path(path: str | Path, *, force: bool = False) -> None:
    """Raise if a model cannot be saved there; call this before a long training."""
    wholefolder.check_destination(path, FILES, force=force)


def save_model(path: str | Path, model: ModelFile, *, force: bool = False) -> None:
    """Save a model as a folder, atomically; `force` overwrites an existing model.

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
        headwise_version=__version__,
    )
    config = render_config(info)
    with wholefolder.whole_folder(path, FILES, force=force) as folder:
        wholefolder.write_durably(folder / WEIGHTS, weights)
        wholefolder.write_durably(folder / CARD, card)
        wholefolder.write_durably(folder / CONFIG, config)


def file_checksum(path: Path) -> str:
    """A checksum of a whole file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:VERSION_DIGITS]


def remove_model(path: str | Path) -> None:
    """Remove a model, if it exists, and leftovers of a killed writer."""
    wholefolder.remove_folder(path, FILES)


def load_model(path: str | Path, kind: str | None = None) -> ModelFile:
    """Load a model, of a certain kind if given, and verify its checksums.

    One that is being replaced meanwhile is read again: its files would be of two models.
    """
    for _ in range(READINGS):
        before = wholefolder.identity(as_path(path))
        try:
            model = _load_model(path, kind)
        except (ModelError, UsageError):
            if wholefolder.identity(as_path(path)) == before:
                raise
        else:
            if wholefolder.identity(as_path(path)) == before:
                return model
    return _load_model(path, kind)


def _load_model(path: str | Path, kind: str | None) -> ModelFile:
    info = describe_model(path)
    if kind is not None and info.kind != kind:
        raise ModelError(f"is a {info.kind}, not a {kind}", SourceLocation(str(path)))
    arrays = _read_weights(path, info)
    version = info.weights_sha256[:VERSION_DIGITS]
    return ModelFile(info.kind, info.settings, arrays, read_card(path), version)


@contextmanager
def reporting_damage(what: str, location: SourceLocation) -> Iterator[None]:
    """Report errors while a model is being decoded as a damaged model, with its location."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, FormatError) as error:
        raise ModelError(f"is not a valid {what}: {error}", location) from error
    except ModelError as error:
        raise ModelError(error.message, location) from error


def describe_model(path: str | Path) -> ModelInfo:
    """The description of a model, without reading its weights."""
    folder = as_path(path)
    try:
        is_folder = wholefolder.current_folder(folder).is_dir()
    except (OSError, ValueError):
        is_folder = False
    if not is_folder:
        raise UsageError(
            f"there is no model {path}: a model is a folder; headwise.load also takes the name of "
            "an included one"
        )
    return parse_config(_read(path, CONFIG, MAX_CONFIG_BYTES), SourceLocation(_name(path, CONFIG)))


def read_card(path: str | Path) -> str:
    """The card of a model; empty if it was removed."""
    if not (wholefolder.current_folder(Path(path)) / CARD).exists():
        return ""
    return _read(path, CARD, MAX_CARD_BYTES).decode(errors="replace")


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    """The array as safetensors stores it: contiguous and little-endian."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(array.shape)


def _tensor_info(array: NDArray[Any]) -> TensorInfo:
    return TensorInfo(array.dtype.name, array.shape)


def _name(path: str | Path, name: str) -> str:
    return str(Path(path) / name)


@contextmanager
def _opened(path: str | Path, name: str, limit: int) -> Iterator[tuple[BinaryIO, int]]:
    """A file of the model and its size; it must be a regular file of at most `limit` bytes."""
    location = SourceLocation(_name(path, name))
    file = wholefolder.current_folder(Path(path)) / name
    try:
        found = file.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise ModelError("is a link or a device; models consist of regular files", location)
        if found.st_size > limit:
            raise ModelError(f"is too long: {found.st_size} bytes instead of {limit}", location)
        with file.open("rb") as stream:
            yield stream, found.st_size
    except FileNotFoundError:
        raise ModelError("is missing: not a model, or an incomplete one", location) from None
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", location) from error


def _read(path: str | Path, name: str, limit: int) -> bytes:
    """The bytes of a file of the model."""
    with _opened(path, name, limit) as (stream, _):
        return stream.read()


def _read_weights(path: str | Path, info: ModelInfo) -> dict[str, NDArray[Any]]:
    """The arrays, checked against the config: the checksum may match although they do not."""
    location = SourceLocation(_name(path, WEIGHTS))
    with _opened(path, WEIGHTS, info.weights_bytes) as (file, size):
        if size < info.weights_bytes:
            message = f"is truncated: {size} bytes of {info.weights_bytes}"
            raise ModelError(message, location)
        stream, problem, arrays = DigestedStream(file), None, {}
        try:
            arrays = read_arrays(stream, size, info.tensors)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            problem = error
        if stream.sha256() != info.weights_sha256:
            raise ModelError("does not match its checksum: it is damaged or was changed", location)
    if problem is not None:
        message = f"does not contain the arrays listed in {CONFIG}"
        raise ModelError(message, location) from problem
    return arrays

"""The `config.json` of a model: its contents, how it is written, and how it is validated.

The same contents always give the same bytes, and any change is detected: the field `checksum` is
the SHA-256 of the file itself, computed with 64 zeros in place of the checksum.
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.safe import safe_text

FORMAT = "headwise-model"
FORMAT_VERSION = 2
"""Since 2, tables of 8-bit integers may be deflated (see `sparse`); 1 can still be read."""

MAX_CONFIG_BYTES = 1 << 24
"""Larger data belongs into the weights."""

BYTES_OF = {
    "bool": 1,
    "float16": 2,
    "float32": 4,
    "float64": 8,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "uint8": 1,
    "uint16": 2,
    "uint32": 4,
    "uint64": 8,
}
"""The types of arrays that a model may have, and their sizes in bytes."""

_KIND = re.compile(r"[a-z][a-z0-9-]{0,39}")
_TENSOR = re.compile(r"(?!.*\.\.)[A-Za-z_][A-Za-z0-9_./-]{0,199}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NO_DIGEST = b"0" * 64
_MOST_DIGITS = 100

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """The type and shape of an array."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """The size of the array in bytes."""
        return math.prod(self.shape) * BYTES_OF[self.dtype]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The description of a model, without its arrays."""

    kind: str
    settings: Mapping[str, Any]
    tensors: Mapping[str, TensorInfo]
    weights_bytes: int
    weights_sha256: str
    headwise_version: str
    format_version: int = FORMAT_VERSION

    @property
    def about(self) -> Mapping[str, Any]:
        """What its maker says of a model: language, licence …"""
        found = self.settings.get("about")
        return found if isinstance(found, Mapping) else {}


def check_names(kind: str, tensors: Mapping[str, TensorInfo]) -> None:
    """Raise if the name of a kind or an array, or the type of an array, is not allowed."""
    if not _KIND.fullmatch(kind):
        raise UsageError(f"invalid kind {kind[:40]!r}: use lowercase letters, digits and hyphens")
    for name, tensor in tensors.items():
        if not _TENSOR.fullmatch(name):
            message = "use letters, digits, _ - . and /"
            raise UsageError(f"invalid array name {name[:40]!r}: {message}")
        if tensor.dtype not in BYTES_OF:
            raise UsageError(f"array {name!r}: a model cannot contain {tensor.dtype[:40]}")


def render_config(info: ModelInfo) -> bytes:
    """The bytes of `config.json`."""
    contents = {
        "checksum": _NO_DIGEST.decode(),
        "format": FORMAT,
        "format_version": info.format_version,
        "headwise_version": info.headwise_version,
        "kind": info.kind,
        "settings": info.settings,
        "weights": {
            "bytes": info.weights_bytes,
            "sha256": info.weights_sha256,
            "tensors": {
                name: {"dtype": tensor.dtype, "shape": list(tensor.shape)}
                for name, tensor in info.tensors.items()
            },
        },
    }
    text = _as_json(contents)
    try:
        same = _read_json(text)["settings"] == info.settings
    except ValueError as error:
        raise UsageError(f"settings cannot be read back: {error}") from error
    if not same:
        raise UsageError(
            "settings change in JSON: use lists instead of tuples, and strings as keys"
        )
    data = text.encode()
    if len(data) > MAX_CONFIG_BYTES:
        raise UsageError(f"settings are too long ({len(data)} bytes): store them as arrays")
    return data.replace(_NO_DIGEST, hashlib.sha256(data).hexdigest().encode(), 1)


def _as_json(contents: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(contents, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True)
        text.encode()  # lone surrogates have no bytes
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"settings cannot be written as JSON: {error}") from error
    return text + "\n"


def parse_config(data: bytes, location: SourceLocation) -> ModelInfo:
    """Parse and validate the bytes of a `config.json`."""
    if len(data) > MAX_CONFIG_BYTES:
        raise ModelError("is too large for a Headwise model", location)
    try:
        config = _read_json(data.decode())
    except (ValueError, RecursionError) as error:
        raise ModelError("is not JSON: it is damaged, or not a Headwise model", location) from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise ModelError("is not the config of a Headwise model, or it is damaged", location)
    _check_version(config, location)
    _check_sum(config, data, location)
    return _Checked(config, location).info()


def _read_json(text: str) -> Any:
    """Parse JSON whose numbers must be finite and not too long."""
    return json.loads(text, parse_constant=_refuse, parse_int=_short, parse_float=_finite)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _short(text: str) -> int:
    """An integer, unless it is absurdly long."""
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)


def _finite(text: str) -> float:
    """A number, unless it overflows."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is too large")
    return number


def _check_version(config: Mapping[str, Any], location: SourceLocation) -> None:
    found = config.get("format_version")
    if type(found) is not int or found < 1:
        raise ModelError("has no format version: it is damaged", location)
    if found > FORMAT_VERSION:
        maker = safe_text(str(config.get("headwise_version"))[:40])
        raise ModelError(
            f"was made by Headwise {maker} in format {found}; this Headwise reads formats up to "
            f"{FORMAT_VERSION}: upgrade it",
            location,
        )


def _check_sum(config: Mapping[str, Any], data: bytes, location: SourceLocation) -> None:
    stated = config.get("checksum")
    if isinstance(stated, str) and _DIGEST.fullmatch(stated):
        blanked = data.replace(stated.encode(), _NO_DIGEST, 1)
        if hashlib.sha256(blanked).hexdigest() == stated:
            return
    raise ModelError("does not match its checksum: it is damaged or was changed", location)


@dataclass(frozen=True, slots=True)
class _Checked:
    """The fields of a config with a valid checksum, which anyone may have written."""

    config: Mapping[str, Any]
    location: SourceLocation

    def info(self) -> ModelInfo:
        weights = self._get(self.config, "weights", dict)
        tensors = self._get(weights, "tensors", dict)
        info = ModelInfo(
            kind=self._get(self.config, "kind", str),
            settings=self._get(self.config, "settings", dict),
            tensors={name: self._tensor(tensors, name) for name in tensors},
            weights_bytes=self._get(weights, "bytes", int),
            weights_sha256=self._get(weights, "sha256", str),
            headwise_version=self._get(self.config, "headwise_version", str),
        )
        try:
            check_names(info.kind, info.tensors)
        except UsageError as error:
            raise ModelError(safe_text(str(error)), self.location) from None
        return info

    def _tensor(self, tensors: Mapping[str, Any], name: str) -> TensorInfo:
        tensor = self._get(tensors, name, dict)
        shape = self._get(tensor, "shape", list)
        if not all(type(length) is int and length >= 0 for length in shape):
            self._fail("shape")
        return TensorInfo(self._get(tensor, "dtype", str), tuple(shape))

    def _get(self, fields: Mapping[str, Any], name: str, kind: type[T]) -> T:
        value = fields.get(name)
        if type(value) is not kind:
            self._fail(name)
        return value

    def _fail(self, name: str) -> NoReturn:
        raise ModelError(f"field {safe_text(name[:40])!r} is missing or invalid", self.location)

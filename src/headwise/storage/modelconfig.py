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
from typing import Any, NoReturn

from headwise.errors import FormatError, ModelError, SourceLocation, UsageError
from headwise.safe import safe_text
from headwise.storage.settings import from_mapping, to_mapping

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


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """The type and shape of an array."""

    dtype: str
    shape: tuple[int, ...]

    def check(self) -> None:
        """Raise if a length is negative."""
        if min(self.shape, default=0) < 0:
            raise UsageError("the shape of an array has a negative length")

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


@dataclass(frozen=True, slots=True)
class _Weights:
    """What the file says of the arrays."""

    bytes: int
    sha256: str
    tensors: dict[str, TensorInfo]


@dataclass(frozen=True, slots=True)
class _Config:
    """The fields of the file."""

    kind: str
    settings: dict[str, Any]
    weights: _Weights
    headwise_version: str
    format_version: int
    format: str = FORMAT
    checksum: str = _NO_DIGEST.decode()


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
    weights = _Weights(info.weights_bytes, info.weights_sha256, dict(info.tensors))
    config = _Config(info.kind, {}, weights, info.headwise_version, info.format_version)
    # Settings are taken as they are: tuples in them must not become lists unseen.
    contents = to_mapping(config) | {"settings": info.settings}
    text = _as_json(contents)
    try:
        same = read_json(text)["settings"] == info.settings
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
        config = read_json(data.decode())
    except (ValueError, RecursionError) as error:
        raise ModelError("is not JSON: it is damaged, or not a Headwise model", location) from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise ModelError("is not the config of a Headwise model, or it is damaged", location)
    _check_version(config, location)
    _check_sum(config, data, location)
    try:
        stored = from_mapping(_Config, config)
        weights = stored.weights
        check_names(stored.kind, weights.tensors)
    except (FormatError, UsageError) as error:
        raise ModelError(safe_text(str(error)), location) from None
    return ModelInfo(
        stored.kind,
        stored.settings,
        weights.tensors,
        weights.bytes,
        weights.sha256,
        stored.headwise_version,
        stored.format_version,
    )


def read_json(text: str) -> Any:
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

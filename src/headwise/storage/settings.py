"""Settings are dataclasses, read from TOML files and models and checked strictly.

    @dataclass
    class Training:                                        epochs = 5
        epochs: int = 10                                   learner = "perceptron"
        learner: Literal["perceptron", "mira"] = "mira"    [words]
        words: WordRules = WORD_RULES                      lowercase = true

Instances made in Python are checked equally strictly by `check_types`.

Fields may be `bool`, `int`, `float`, `str`, `Literal`, `tuple`, `dict` with string keys, other
dataclasses, unions of these such as `int | None`, and `Any`. Numbers are finite, and integers below
2⁶³ in magnitude; where a type has `Literal["inf"]`, infinity is that. Unknown keys and values of
another type are errors. A class may validate its values further in a method `check`, which raises
`UsageError`; with a method `elsewhere` it may say where a key belongs that it does not know.
`former_names` of a class are what its fields were called before: stored settings may still have
them, elsewhere they are errors that name the new ones. A field of type `Changes[Training]` has some
settings of `Training`, and records which.
"""

import contextlib
import difflib
import functools
import math
import operator
import reprlib
from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    Generic,
    Literal,
    NoReturn,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from headwise.errors import NOWHERE, FormatError, SourceLocation, UsageError
from headwise.parameters import python_number
from headwise.storage.tomlfile import Keys, line_of, read_toml

LARGEST_INT = (1 << 63) - 1
"""Integers in settings fit 64 bits: no count, size or seed is larger."""

MAX_EPOCHS = 1_000_000
MAX_MEMBERS = 10_000
MAX_NEIGHBOURS = 10_000
"""Larger values are certainly mistakes."""

T = TypeVar("T")

_NAMES: dict[Any, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "a table",
    NoneType: "nothing",
}


_GENERIC = (Literal, Union, UnionType, tuple, dict)
"""Types of fields that contain other types."""


@dataclass(frozen=True, slots=True)
class Changes(Generic[T]):
    """Explicit settings of a class; all others keep their values."""

    values: dict[str, Any] = field(default_factory=dict)


def read_settings(
    path: str | Path | None,
    cls: type[T],
    *,
    changes: Mapping[str, Any] | None = None,
    besides: Collection[str] = (),
    table: str = "",
) -> T:
    """Settings from a TOML file, changed by those of a call, with defaults for missing keys.

    Keys in `besides` are allowed and ignored. `table` is the part of the file that is read.
    """
    text, mapping = read_toml(path) if path is not None else ("", {})
    mapping, changed = _merged(mapping, changes or {}), changes or {}
    keys: Keys = (table,) if table else ()
    if table:
        mapping = mapping.get(table, {})
    else:
        own = {one.name for one in fields(cls)}  # type: ignore[arg-type]
        mapping = {key: mapping[key] for key in mapping if key in own or key not in besides}
    source = _Source(SourceLocation(None if path is None else str(path)), text, changed)
    try:
        return cast("T", source.table(cls, mapping, keys))
    except FormatError as error:
        if error.location is None or error.location.path is None:  # the call is wrong, not the file
            raise UsageError(error.message) from None
        raise


def _merged(table: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A table under changes, which go down into tables within it."""
    found = dict(table)
    for key, value in changes.items():
        before = found.get(key)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        found[key] = _merged(before, value) if both else value  # type: ignore[arg-type]
    return found


def from_mapping(cls: type[T], mapping: Mapping[str, Any], location: SourceLocation = NOWHERE) -> T:
    """Settings that were stored, as `to_mapping` or a JSON parser returns them."""
    return cast("T", _Source(location, is_stored=True).table(cls, mapping, ()))


def check_types(settings: Any) -> None:
    """Raise unless the parameters of an instance have the types that their class declares.

    NumPy scalars become Python numbers. Classes call this first in `check`, which `fit` calls.
    """
    try:
        _Arguments(NOWHERE).convert(settings, ())
    except FormatError as error:
        raise UsageError(error.message) from None


def check_counts(settings: Any, bounds: Mapping[str, tuple[int, int]]) -> None:
    """Raise unless integer settings are within bounds, or None.

    Classes bound their numbers in `check`: larger values would exhaust memory or never finish.
    """
    for name, (minimum, maximum) in bounds.items():
        value = getattr(settings, name)
        if value is not None and value < minimum:
            raise UsageError(f"{name} must be {minimum} or more, not {reprlib.repr(value)}")
        if value is not None and value > maximum:
            raise UsageError(f"{name} must be {maximum:,} or less: choose a smaller number")


def check_positive(settings: Any, *names: str) -> None:
    """Raise unless numbers of settings are above 0."""
    for name in names:
        if not getattr(settings, name) > 0:
            raise UsageError(f"{name} must be above 0, not {getattr(settings, name)}")


def check_not_negative(settings: Any, *names: str) -> None:
    """Raise unless numbers of settings are 0 or more."""
    for name in names:
        if not getattr(settings, name) >= 0:
            raise UsageError(f"{name} must be 0 or more, not {getattr(settings, name)}")


def to_mapping(settings: Any) -> dict[str, Any]:
    """Settings as JSON data; the inverse of `from_mapping`."""
    return {own.name: _to_json(getattr(settings, own.name)) for own in fields(settings) if own.init}


def _to_json(value: Any) -> Any:
    if is_dataclass(value):
        return to_mapping(value)
    if isinstance(value, tuple):
        return [_to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _to_json(item) for key, item in value.items()}
    return python_number(value)


@functools.cache
def types_of(cls: Any) -> dict[str, Any]:
    """The types of the fields of a class; some are read from as many rows as a treebank has."""
    return get_type_hints(cls)


@dataclass(frozen=True, slots=True)
class _Source:
    """A source of settings; its methods convert values to the types of fields, or raise.

    They recurse as types are nested, which is as deep as the classes are.
    """

    location: SourceLocation
    text: str = field(default="", repr=False)
    changed: Mapping[str, Any] = field(default_factory=dict)
    is_stored: bool = False

    def fail(self, keys: Keys, message: str) -> NoReturn:
        name = ".".join(map(str, keys))
        line = line_of(keys, self.text) or self.location.line
        location = SourceLocation(self.location.path, line, self.location.sentence_id)
        told = f"{name}: {message}" if name else message
        change = self.change(keys)
        if change is not None and (keys or change):
            # A table is what the file and the call say together: either may be wrong.
            if self.location.path is not None and isinstance(change, Mapping):
                told = f"{self.location.path}, with the settings of this call: {told}"
            location = NOWHERE
        raise FormatError(told, location)

    def change(self, keys: Keys) -> Any:
        """What the call says of what stands under keys; None if nothing."""
        found: Any = self.changed
        for key in keys:
            if not isinstance(found, Mapping):
                return found
            found = found.get(key)
        return found

    def table(self, cls: Any, value: Any, keys: Keys) -> Any:
        """An instance of a dataclass."""
        given = self.given(cls, value, keys)
        for one in fields(cls):
            needed = one.init and one.default is MISSING and one.default_factory is MISSING
            if needed and one.name not in given:
                hint = f": write {one.name} = …" if self.text else ""
                self.fail(keys, f"{one.name!r} is missing{hint}")
        try:
            instance = cls(**given)
            if hasattr(instance, "check"):
                instance.check()
        except UsageError as error:
            self.fail(keys, str(error))
        return instance

    def given(self, cls: Any, value: Any, keys: Keys) -> dict[str, Any]:
        """The fields of a dataclass that a table sets."""
        if not isinstance(value, Mapping):
            self.expected("a table", value, keys)
        types = types_of(cls)
        own = [one.name for one in fields(cls) if one.init]
        former: Mapping[str, str] = getattr(cls, "former_names", {})
        if self.is_stored:
            value = {former.get(key, key): item for key, item in value.items()}
        for key in value:
            if key in former:
                self.fail((*keys, key), f"is called {former[key]} now")
            if key not in own:
                elsewhere = getattr(cls, "elsewhere", lambda _: None)(key)
                self.fail((*keys, key), elsewhere or _unknown(str(key), own, types))
        return {key: self.value(types[key], item, (*keys, key)) for key, item in value.items()}

    def value(self, kind: Any, value: Any, keys: Keys) -> Any:
        """A value converted to a type."""
        if kind is Any:
            return value
        origin = get_origin(kind)
        if origin is Changes:
            return Changes(self.given(get_args(kind)[0], value, keys))
        if is_dataclass(kind):
            return self.table(kind, value, keys)
        if origin in (Union, UnionType):
            return self.member(kind, value, keys)
        if origin is tuple:
            return self.items(kind, value, keys)
        if origin is dict:
            if not isinstance(value, Mapping):
                self.expected("a table", value, keys)
            return {key: self.value(get_args(kind)[1], value[key], (*keys, key)) for key in value}
        if origin is Literal:
            if value == math.inf:  # JSON has no such number
                value = "inf"
            if not any(value == one and type(value) is type(one) for one in get_args(kind)):
                self.expected(type_name(kind), value, keys)
            return value
        return self.plain(kind, value, keys)

    def plain(self, kind: Any, value: Any, keys: Keys) -> Any:
        """A number, string or boolean; none is converted into another."""
        if type(value) is int and kind in (int, float) and not -LARGEST_INT <= value <= LARGEST_INT:
            self.fail(keys, "expected a number below 2⁶³ in size, not a larger one")
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            self.expected(type_name(kind), value, keys)
        if kind is float and not math.isfinite(value):
            self.fail(keys, f"expected a finite number, not {value}")
        return value

    def items(self, kind: Any, value: Any, keys: Keys) -> tuple[Any, ...]:
        """A tuple; of any length if its type ends with an ellipsis."""
        kinds = get_args(kind)
        if not isinstance(value, list):
            self.expected("a list", value, keys)
        if kinds[-1] is Ellipsis:
            if kinds[0] is str and all(type(item) is str for item in value):
                return tuple(value)  # fast: there may be many
            kinds = kinds[:1] * len(value)
        if len(kinds) != len(value):
            self.fail(keys, f"expected a list of {len(kinds)}, not of {len(value)}")
        return tuple(
            self.value(kind, item, (*keys, index))
            for index, (kind, item) in enumerate(zip(kinds, value, strict=True))
        )

    def member(self, union: Any, value: Any, keys: Keys) -> Any:
        """A value converted to the first member of a union that accepts it."""
        members = _members(union)
        if value is None and len(members) < len(get_args(union)):
            return None
        if len(members) == 1:
            return self.value(members[0], value, keys)
        for kind in members:
            with contextlib.suppress(FormatError):
                return self.value(kind, value, keys)
        return self.expected(self.union_name(union), value, keys)

    def union_name(self, union: Any) -> str:
        """What the types of a union are called in messages."""
        return type_name(union)

    def expected(self, what: str, value: Any, keys: Keys) -> NoReturn:
        found = _NAMES.get(type(value), f"a {type(value).__name__}")
        self.fail(keys, f"expected {what}, not {reprlib.repr(value)} ({found})")


class _Arguments(_Source):
    """Parameters given in Python: instances instead of tables, tuples as well as lists."""

    __slots__ = ()

    def convert(self, settings: Any, keys: Keys) -> None:
        """Give the parameters of an instance the types that its class names."""
        for name, kind in _parameter_types(settings.__class__).items():
            given = getattr(settings, name)
            value = self.value(kind, given, (*keys, name))
            if value is not given:
                object.__setattr__(settings, name, value)

    def value(self, kind: Any, value: Any, keys: Keys) -> Any:
        """A value converted to a type; types that cannot be in a file are not checked."""
        if not (kind in _NAMES or get_origin(kind) in _GENERIC or is_dataclass(kind)):
            return value
        return _Source.value(self, kind, python_number(value), keys)

    def table(self, cls: Any, value: Any, keys: Keys) -> Any:
        """An instance of a dataclass, checked recursively."""
        if not isinstance(value, cls):
            self.expected(f"a {cls.__name__}", value, keys)
        self.convert(value, keys)
        return value

    def member(self, union: Any, value: Any, keys: Keys) -> Any:
        """A value as a member of a union; an instance is that of its own class."""
        for kind in _members(union):
            if is_dataclass(kind) and isinstance(value, kind):  # type: ignore[arg-type]
                return self.table(kind, value, keys)
        return _Source.member(self, union, value, keys)

    def union_name(self, union: Any) -> str:
        """What the types of a union are called: in Python, tables are instances."""
        return " or ".join(
            f"a {kind.__name__}"
            if isinstance(kind, type) and is_dataclass(kind)
            else type_name(kind)
            for kind in _members(union)
        )

    def expected(self, what: str, value: Any, keys: Keys) -> NoReturn:
        """Raise; whoever gives a class where an object belongs has forgotten to call it."""
        if isinstance(value, type):
            self.fail(keys, f"expected {what}, not the class {value.__name__}: call it")
        _Source.expected(self, what, value, keys)

    def items(self, kind: Any, value: Any, keys: Keys) -> tuple[Any, ...]:
        """A tuple; the same object if its items need no conversion."""
        found = _Source.items(self, kind, list(value) if isinstance(value, tuple) else value, keys)
        same = isinstance(value, tuple) and all(map(operator.is_, found, value))
        return value if same else found


@functools.cache
def _parameter_types(cls: type) -> dict[str, Any]:
    types = get_type_hints(cls.__init__)  # type: ignore[misc]
    types.pop("return", None)
    return types


def type_name(kind: Any) -> str:
    """What a type is called in messages."""
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(repr, get_args(kind)))
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(map(type_name, _members(kind)))
    if is_dataclass(kind):
        return _NAMES[dict]
    return _NAMES.get(get_origin(kind) or kind, "a list")


def _members(union: Any) -> list[Any]:
    """The types of a union without None, which a file expresses by omitting the key."""
    return [kind for kind in get_args(union) if kind is not NoneType]


def _unknown(key: str, known: list[str], types: Mapping[str, Any]) -> str:
    """What is wrong with a key, and which was probably meant: it may be in one of the tables."""
    tables = [name for name in known if key in _keys_of(types[name])]
    nearest = [f"{name}.{key}" for name in tables] or difflib.get_close_matches(key, known, 1)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
    return f"unknown key{hint} (known here: {', '.join(known) or 'none'})"


def _keys_of(kind: Any) -> list[str]:
    """The keys of a table; none of other types."""
    return [one.name for one in fields(kind) if one.init] if is_dataclass(kind) else []

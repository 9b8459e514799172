"""What there is to set: names, types, defaults and meanings, out of classes of settings.

Meanings are those of docstrings, which say of each field

    name, another: what it is,
        and more of it.
"""

import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Any, get_type_hints

from headwise.storage.settings import to_mapping, type_name

_ENTRY = re.compile(r"(\w+(?:, \w+)*): (.*)")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its name, with dots in tables, its type and default as in TOML, its meaning."""

    name: str
    type: str
    default: str
    meaning: str


def settings_in(cls: Any, within: str = "", default: Any = None) -> Iterator[Setting]:
    """The settings of a class, those of tables in it too; `default` is an instance of it."""
    types, meanings = get_type_hints(cls), meanings_of(cls)
    for one in fields(cls):
        if not one.init:
            continue
        value = _default(one) if default is None else getattr(default, one.name)
        name, kind = f"{within}{one.name}", types[one.name]
        if is_dataclass(kind):
            yield from settings_in(kind, f"{name}.", value)
        else:
            yield Setting(name, type_name(kind), toml_text(value), meanings.get(one.name, ""))


def meanings_of(cls: type) -> dict[str, str]:
    """What the docstrings of a class, and of those it inherits from, say of its fields."""
    found: dict[str, str] = {}
    for own in reversed(cls.__mro__):
        found |= _entries(inspect.cleandoc(own.__doc__ or ""))
    return found


def toml_text(value: Any) -> str:
    """A value as it is written in TOML; what is not set has no text."""
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=to_mapping)


def _default(one: Field[Any]) -> Any:
    if one.default_factory is not MISSING:
        return one.default_factory()
    return None if one.default is MISSING else one.default


def _entries(doc: str) -> dict[str, str]:
    found: dict[str, str] = {}
    names: list[str] = []
    for line in doc.splitlines():
        entry = _ENTRY.fullmatch(line)
        if entry:
            names = entry[1].split(", ")
            found |= dict.fromkeys(names, entry[2])
        elif line.startswith("    ") and names:
            found |= {name: f"{found[name]} {line.strip()}" for name in names}
        else:
            names = []
    return found

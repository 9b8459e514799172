"""Checks of parameters, and scikit-learn's get_params and set_params."""

import reprlib
from collections.abc import Mapping
from dataclasses import fields
from os import PathLike, fsencode
from pathlib import Path
from typing import Any, Self

from headwise.errors import UsageError, quoted


def python_number(value: Any) -> Any:
    """A NumPy scalar as a Python number; anything else unchanged."""
    return value.item() if getattr(value, "ndim", None) == 0 else value


def whole_number(name: str, value: object, minimum: int = 1, maximum: int | None = None) -> int:
    """The value of a parameter, checked to be an integer within bounds."""
    number = python_number(value)
    if type(number) is int and minimum <= number and (maximum is None or number <= maximum):
        return number
    bounds = f"of {minimum} or more" if maximum is None else f"from {minimum} to {maximum}"
    raise UsageError(f"{name} must be an integer {bounds}, not {reprlib.repr(number)}")


def as_path(path: object) -> Path:
    """The path that a caller names: an open file is none, and not every text is one."""
    if not isinstance(path, str | PathLike):
        raise UsageError(
            f"a file or folder is given by its path (str or Path), not as {type(path).__name__}"
        )
    found = Path(path)
    try:
        fsencode(found)
    except UnicodeEncodeError:
        raise UsageError(f"{quoted(str(path))} is no path: it has half a character") from None
    if "\0" in str(found):
        raise UsageError(f"{quoted(str(path))} is no path: it has a null character")
    return found


def flag(name: str, value: object) -> bool:
    """The value of a parameter, checked to be True or False: "no", as any text, would be true."""
    found = python_number(value)
    if type(found) is bool:
        return found
    raise UsageError(f"{name} must be True or False, not {reprlib.repr(found)}")


def parameters_of(model: Any) -> dict[str, Any]:
    """The constructor parameters of a model or a settings object, by name."""
    return {one.name: getattr(model, one.name) for one in fields(model) if one.init}


def set_parameters(model: Any, parameters: Mapping[str, Any]) -> None:
    """Set parameters of a model; if any name is unknown, none is changed."""
    known = parameters_of(model)
    for name in parameters:
        if name not in known:
            raise UsageError(f"unknown parameter {name!r}; choose from {', '.join(known)}")
    for name, value in parameters.items():
        setattr(model, name, value)


class Parametrised:
    """Something whose constructor parameters can be asked for and changed, as in scikit-learn."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, RUF100
        """The parameters as they were given."""
        return parameters_of(self)

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters; they count from the next `fit` on."""
        set_parameters(self, parameters)
        return self

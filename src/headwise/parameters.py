"""Parameters: what a caller gives, as whole numbers and in scikit-learn's manners."""

import reprlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from headwise.errors import UsageError


def python_number(value: Any) -> Any:
    """A number of NumPy (or whatever has no dimensions) as Python's own; all else as it is."""
    return value.item() if getattr(value, "ndim", None) == 0 else value


def whole_number(name: str, value: object, least: int = 1, most: int | None = None) -> int:
    """The value of a parameter that is a whole number within bounds."""
    number = python_number(value)
    if type(number) is int and least <= number and (most is None or number <= most):
        return number
    bounds = f"of {least} or more" if most is None else f"from {least} to {most}"
    raise UsageError(f"{name} must be a whole number {bounds}, not {reprlib.repr(number)}")


def parameters_of(model: Any) -> dict[str, Any]:
    """The parameters of a model as they were given, or settings as those of a model."""
    return {one.name: getattr(model, one.name) for one in fields(model) if one.init}


def set_parameters(model: Any, parameters: Mapping[str, Any]) -> None:
    """Change parameters of a model; none if one of them is not known."""
    known = parameters_of(model)
    for name in parameters:
        if name not in known:
            raise UsageError(f"there is no parameter {name!r}; there are {', '.join(known)}")
    for name, value in parameters.items():
        setattr(model, name, value)

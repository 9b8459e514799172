"""Parameters in scikit-learn's manners: the fields of a dataclass that its caller gives."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from headwise.errors import UsageError


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

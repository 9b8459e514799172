"""A classifier of scikit-learn by its name and arguments, for settings."""

import ast
from importlib import import_module
from typing import Any

from headwise.errors import UsageError, quoted

PACKAGE = "sklearn"


def call_of(text: str) -> tuple[str, str, dict[str, Any]]:
    """The module, the class and the arguments of `sklearn.linear_model.LogisticRegression(C=1)`."""
    message = (
        f"base {quoted(text)} must be a class of scikit-learn with its arguments, such as "
        "sklearn.linear_model.LogisticRegression(C=0.5)"
    )
    try:
        found = ast.parse(text.strip(), mode="eval").body
        call = found if isinstance(found, ast.Call) else ast.Call(found, [], [])
        module, _, name = ast.unparse(call.func).rpartition(".")
        arguments = {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise UsageError(message) from None
    path = module.split(".")
    if (
        call.args
        or not all(one.arg for one in call.keywords)
        or path[0] != PACKAGE
        or not all(one.isidentifier() for one in (*path, name))
    ):
        raise UsageError(message)
    return module, name, arguments


def classifier_of(text: str) -> Any:
    """The classifier that a setting describes."""
    module, name, arguments = call_of(text)
    try:
        return getattr(import_module(module), name)(**arguments)
    except ImportError as error:
        raise UsageError(
            f"base {quoted(text)} needs scikit-learn: pip install scikit-learn"
        ) from error
    except (AttributeError, TypeError) as error:
        raise UsageError(f"base {quoted(text)}: {error}") from error

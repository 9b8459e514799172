"""Libraries that come with an extra: imported when needed, or an error says how to install them."""

from importlib import import_module
from typing import Any

from headwise.errors import UsageError

EXTRAS = {
    "spacy": "spacy",
    "pandas": "data",
    "pyarrow": "data",
    "pyarrow.parquet": "data",
    "ray": "ray",
    "nltk.parse.dependencygraph": "graphs",
    "networkx": "graphs",
}
"""Each library, and the extra that installs it."""


def library(name: str) -> Any:
    """A library of an extra; raises an error with the command that installs it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != name.partition(".")[0]:
            raise
        raise UsageError(
            f"this needs {name.partition('.')[0]}, which is not installed: "
            f"pip install 'headwise[{EXTRAS[name]}]'"
        ) from None

"""JSON files of ours that anyone may have altered, read within limits."""

import json
from pathlib import Path
from typing import Any

from headwise.errors import FormatError, LimitError, SourceLocation, UsageError

MAX_BYTES = 1 << 27
"""Of a file; parsed, it takes ten to thirty times as much memory."""


def read_json_file(path: Path) -> Any:
    """What a file holds; raise if it is not there, too long, or not JSON."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    location = SourceLocation(str(path))
    if len(data) > MAX_BYTES:
        raise LimitError(f"is too long (limit: {MAX_BYTES:,} bytes)", location)
    return parsed_json(data, location)


def parsed_json(data: bytes, location: SourceLocation) -> Any:
    """The value of JSON; raise if it is none, nested too deeply, or has huge numbers."""
    try:
        return json.loads(data.decode("utf-8"))
    except RecursionError:
        raise FormatError("is not JSON: it is nested too deeply", location) from None
    except json.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", location) from None
    except UnicodeDecodeError:
        raise FormatError("is not JSON: it is not UTF-8", location) from None
    except ValueError:  # thousands of digits
        raise FormatError("is not JSON: a number is too long", location) from None

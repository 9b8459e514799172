"""Lists of names as byte arrays, as models store them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError, UsageError
from headwise.storage.arraychecks import check_array


def pack_names(names: Sequence[str]) -> NDArray[np.uint8]:
    """Names as bytes, separated by newlines."""
    if any("\n" in name for name in names):
        raise UsageError("a name with a line break cannot be stored")
    return np.frombuffer("\n".join(names).encode(errors="surrogatepass"), np.uint8)


def unpack_names(array: NDArray[Any]) -> tuple[str, ...]:
    """The stored names, which must be distinct."""
    check_array("names", array, np.uint8, (None,))
    try:
        text = array.tobytes().decode(errors="surrogatepass")
    except UnicodeDecodeError as error:
        raise ModelError("its names are not UTF-8: the model is damaged") from error
    names = tuple(text.split("\n")) if text else ()
    if len(set(names)) != len(names):
        raise ModelError("its names have duplicates: the model is damaged")
    return names

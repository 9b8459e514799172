"""Names of decoding methods, for trees of any kind.

map          the most probable tree
mbr          the tree of minimum Bayes risk (Titov & Henderson 2006, equation 1)
mbr-rerank   the candidate of minimum Bayes risk (equation 2)
"""

from typing import Literal

from headwise.errors import UsageError

DecodeName = Literal["map", "mbr", "mbr-rerank"]
DECODE_NAMES: tuple[DecodeName, ...] = ("map", "mbr", "mbr-rerank")


def decode_name(name: str) -> DecodeName:
    """A valid name of a decoding method."""
    for known in DECODE_NAMES:
        if name == known:
            return known
    raise UsageError(f"unknown decoding {name!r}; choose from {', '.join(DECODE_NAMES)}")

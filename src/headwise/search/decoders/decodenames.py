"""THE names of ways to make one tree of a distribution over trees, of any kind of trees.

map          the most probable tree
mbr          the tree of minimum Bayes risk (equation 1 of paper 004)
mbr-rerank   the candidate of minimum Bayes risk (equation 2)
"""

from typing import Literal

from headwise.errors import UsageError

DecodeName = Literal["map", "mbr", "mbr-rerank"]
DECODE_NAMES: tuple[DecodeName, ...] = ("map", "mbr", "mbr-rerank")


def decode_name(name: str) -> DecodeName:
    """The name of a way to decode."""
    for known in DECODE_NAMES:
        if name == known:
            return known
    raise UsageError(f"there is no decoding {name!r}; there are {', '.join(DECODE_NAMES)}")

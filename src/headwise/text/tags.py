"""Tags, and how weights see them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.text.tag_search import TagWeights
from headwise.kernels.text.wordhash import hash_words
from headwise.text.characters import encode_forms


class Tag(NamedTuple):
    """What one word gets."""

    upos: str
    xpos: str
    feats: str


NO_GAP = (1 << 30) - 1
"""A gap that keeps all tags."""


def tag_weights(tags: Sequence[Tag], table: NDArray[Any], gap: int = NO_GAP) -> TagWeights:
    """Weights over tags, each made of three parts: all of it, UPOS with XPOS, and UPOS.

    gap: by how much a tag may score less than the best one of its token and be looked at.
    """
    numbers: dict[str, int] = {}
    part_of = [[numbers.setdefault(text, len(numbers)) for text in _parts(tag)] for tag in tags]
    keys = _hashes(list(numbers))
    outside = _hashes(["outside"])
    middle = np.array([parts[1] for parts in part_of])
    coarse = np.array([parts[2] for parts in part_of])
    return TagWeights(
        table=table,
        shift=np.uint64(65 - len(table).bit_length()),
        part_of=np.array(part_of, np.int32),
        part_keys=keys,
        transition_keys=np.concatenate([keys[middle], outside]),
        coarse_keys=np.concatenate([keys[coarse], outside]),
        gap=np.int32(gap),
    )


def _parts(tag: Tag) -> tuple[str, str, str]:
    whole = "\t".join(("whole", *tag))
    return whole, f"both\t{tag.upos}\t{tag.xpos}", f"upos\t{tag.upos}"


def upos_hashes(tags: Sequence[Tag]) -> NDArray[np.uint64]:
    """Hashes of the UPOS of tags."""
    return _hashes([tag.upos for tag in tags])


def _hashes(texts: Sequence[str]) -> NDArray[np.uint64]:
    hashes: NDArray[np.uint64] = hash_words(encode_forms(texts)).form
    return hashes

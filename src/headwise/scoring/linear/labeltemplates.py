"""Templates of label features: which properties of an arc and its context are used.

A template is a row of views, whose values are hashed together. Views of words:

    side, far      direction; direction and distance
    edge           whether the modifier is the first or last word
    between        the set of UPOS between head and modifier
    m.x, h.x, g.x  an atom of the modifier, its head, the head's head (g.side: its direction)
    before.x, after.x, before2.x, after2.x, h-before.x, h-after.x
                   an atom of a word before or after the modifier, or beside the head

Views of the tree, for a labeller that is applied after the search:

    left.x, right.x           an atom of the leftmost and the rightmost child of the modifier
    children, child-kinds     UPOS of its children, in order; as a set
    child-count               the number of them
    left-frame, right-frame   its children on one side: lemmas of function words, UPOS of others
    previous.x, next.x        an atom of the sibling before and after the modifier
    second.lemma              LEMMA of the second child of the modifier from the left
    h-left-frame              children before the head: lemmas of function words, UPOS of others
    coordination              whether the modifier, or a sibling after it, has a conjunction
    rank                      the number of siblings before and after the modifier
    twins                     the number of siblings before and after it that have its UPOS
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.files import packaged_text
from headwise.errors import FormatError, quoted
from headwise.kernels.labels import features as label_features
from headwise.scoring.linear.texttable import hash_text

WORD_VIEWS = (
    "side", "far", "edge", "between",
    "m.word", "m.backoff", "m.lemma", "m.upos", "m.tag", "m.feats",
    "h.word", "h.backoff", "h.lemma", "h.upos", "h.tag", "h.feats",
    "g.lemma", "g.upos", "g.tag", "g.side",
    "before.word", "before.upos", "before.tag", "after.word", "after.upos", "after.tag",
    "before2.upos", "after2.upos", "h-before.upos", "h-after.upos",
)  # fmt: skip
TREE_VIEWS = (
    "left.lemma", "left.tag", "right.lemma", "right.tag", "children", "child-kinds", "left-frame",
    "right-frame", "child-count",
    "previous.lemma", "previous.tag", "next.lemma", "next.tag", "rank", "twins",
    "h-left-frame", "second.lemma", "coordination",
)  # fmt: skip
VIEWS = WORD_VIEWS + TREE_VIEWS
"""The views, in the order of `kernels.label_features`."""

assert len(VIEWS) == label_features.VIEWS

ATOMS = frozenset({"word", "backoff", "lemma", "upos", "tag", "feats"})
"""The atoms that views use."""

MAX_VIEWS = 6
"""Largest number of views of a template."""

FUNCTION_WORDS = ("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ")
"""UPOS of words that are represented by their lemmas in frames."""

CONJUNCTIONS = ("CCONJ", "CONJ")
"""UPOS of coordinating conjunctions."""

ARC_TEMPLATES = tuple(packaged_text("labelfeatures", "arcs").splitlines())
"""Templates of labels of arcs before the tree is known."""

TREE_TEMPLATES = (*ARC_TEMPLATES, *packaged_text("labelfeatures", "trees").splitlines())
"""Templates of labels of the arcs of a complete tree."""


def compiled_templates(
    rows: Sequence[str],
) -> tuple[NDArray[np.int8], NDArray[np.uint64]]:
    """Templates as arrays for the kernels: the indices of their views, and a seed for each."""
    numbers = {name: number for number, name in enumerate(VIEWS)}
    table = np.full((len(rows), MAX_VIEWS), -1, np.int8)
    for row, text in enumerate(rows):
        views = text.split()
        if not 1 <= len(views) <= MAX_VIEWS:
            raise FormatError(f"a label template has 1 to {MAX_VIEWS} views: {quoted(text)}")
        for column, view in enumerate(views):
            if view not in numbers:
                raise FormatError(f"unknown view {quoted(view)} in a label template")
            table[row, column] = numbers[view]
    seeds = [hash_text(f"label template\0{text}") for text in rows]
    return table, np.array(seeds, np.uint64)

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

ARC_TEMPLATES = """
side
m.tag side
h.tag side
m.tag h.tag side
m.tag h.tag far
m.upos h.upos far
m.word side
h.word side
m.lemma m.tag
h.lemma h.tag
m.word h.tag side
m.tag h.word side
m.tag h.lemma side
m.word h.word side
m.lemma h.lemma side
m.feats m.tag side
h.feats m.upos h.upos m.tag side
m.feats h.feats m.upos h.upos side
m.lemma h.upos far
h.lemma m.upos far
m.tag h.tag side before.upos
m.tag h.tag side after.upos
m.tag before.upos after.upos side
m.tag h.tag side h-before.upos
m.tag h.tag side h-after.upos
m.word side before.word
m.word side after.word
m.tag h.tag side between
m.tag h.tag side edge
m.backoff h.tag side
"""
"""Templates of labels of arcs before the tree is known."""

TREE_TEMPLATES = (
    ARC_TEMPLATES
    + """
m.word
m.tag h.tag side left.tag
m.tag h.tag side right.tag
m.upos h.upos side left.lemma
m.upos h.upos side right.lemma
m.upos h.lemma side left.lemma
m.lemma h.upos side left.lemma
m.upos h.upos side children
m.tag h.tag side left-frame
m.upos h.upos side child-kinds
m.tag h.tag side child-count
m.tag h.tag side previous.tag
m.tag h.tag side next.tag
m.upos h.upos side previous.lemma
m.upos h.upos side next.lemma
m.upos h.upos side previous.tag next.tag
m.tag h.tag side twins
m.tag h.tag side h-left-frame
m.tag h.tag side rank
m.tag h.tag side g.tag g.side
m.upos h.upos side g.lemma
m.lemma h.upos side g.upos g.side
m.feats m.upos h.upos side left-frame
m.lemma children side
m.upos h.upos side right-frame
m.upos h.upos side left-frame right-frame
m.lemma left-frame h.upos side
h.lemma left-frame m.upos side
m.tag h.tag side coordination
m.upos h.upos side coordination left.lemma
m.upos h.upos far coordination
m.upos h.upos side left.lemma second.lemma
m.upos h.lemma side second.lemma
"""
)
"""Templates of labels of the arcs of a complete tree."""


def template_rows(text: str) -> tuple[str, ...]:
    """The non-empty lines of a text."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


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

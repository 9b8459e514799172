# mypy: allow-untyped-defs
"""Features of arcs as slots of hashed weight tables.

A template looks at atoms (hashed values) of the head, of the modifier, perhaps of a word between
them. What it sees of one token is hashed once per token (a *side*); for an arc, the sides of its
head and its modifier are combined:

    line = ((side of head ^ side of modifier ^ seed of template [^ what is between]) · K) >> shift

A line of the *wide* table holds sixteen weights: one for each direction, then one for each
direction and bucket of distance, of which an arc uses two. A *plain* template has one weight for
both directions, kept twice. A line of the *narrow* table holds one weight for each direction.

Templates that look at both ends, and at more than their tags, apply to *plausible* arcs only (see
`plausible`): of the others there is no more to be learnt than what tags and single words say.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import embedded, helper, inlined

Ints = NDArray[np.int64]
Hashes = NDArray[np.uint64]

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
BETWEEN = np.uint64(0xD6E8FEB86659FD93)
BEFORE_ALL = np.uint64(0x2545F4914F6CDD1D)
AFTER_ALL = np.uint64(0x9FB21C651E98DF25)

BUCKETS = 7
"""Distances 1, 2, 3, 4, 5, 6 to 10, and more."""

COARSE = 3
"""The row of atoms that has coarse tags."""

COUNTED = 3
"""Kinds of words that are counted between head and modifier: verbs, punctuation, conjunctions."""
MOST_COUNTED = 3


class EncodedTokens(NamedTuple):
    """The tokens of a sentence, root first."""

    atoms: Hashes  # [atom, token]
    tags: Hashes  # [token]: what tag-like atoms depend on
    backed_off: NDArray[np.bool_]  # [token]: whether the word has a back-off
    counted: NDArray[np.uint8]  # [kind, token]
    guide: Ints  # [token]: its head in another parser's tree, or -1


class Sides(NamedTuple):
    """What templates see of one token: lists of atoms at offsets, one after the other."""

    start: Ints  # [side + 1]
    atom: Ints
    offset: Ints
    salt: Hashes  # [side]


class ArcTemplates(NamedTuple):
    """The templates of arcs, sorted by how they are scored (see `Scoring` in `kinds`)."""

    sides: Sides
    bounds: Ints  # where the templates of each kind of scoring start
    head: Ints  # [template]: side
    modifier: Ints
    between: Ints  # [template]: atom of the words between, or -1
    seed: Hashes
    plain: NDArray[np.bool_]
    head_backs_off: NDArray[np.bool_]  # looks at what words back off to: used only where one
    modifier_backs_off: NDArray[np.bool_]  # of these does
    group: Ints  # [template]: filter that knows whether the words were ever seen together, or -1
    filters: Ints  # [group]: atom of head and modifier


@inlined
def part_of(tokens, a, b):
    """The tokens from a up to and without b."""
    return EncodedTokens(
        tokens.atoms[:, a:b],
        tokens.tags[a:b],
        tokens.backed_off[a:b],
        tokens.counted[:, a:b],
        tokens.guide[a:b],
    )


@helper
def bucket(distance):
    """The bucket of a distance between two tokens."""
    if distance <= 5:
        return distance - 1
    return 5 if distance <= 10 else 6


@helper
def lane_of(h, m):
    """Where in a wide line the weight for direction and distance is."""
    return 2 + BUCKETS * np.int64(m > h) + bucket(abs(m - h))


@inlined
def lanes_around(size):
    """The lanes of modifiers so far from their head, plus size."""
    lanes = np.zeros(2 * size, np.uint64)
    for position in range(2 * size):
        if position != size:
            lanes[position] = lane_of(size, position)
    return lanes


@helper
def line_at(combined, shift):
    """The line of combined sides in a table of 2^(64 - shift) lines."""
    return np.int64((combined * MULTIPLIER) >> shift)


@helper
def hash_sides(sides, atoms, out):
    """What every side sees of every token: OUT out[side, token]."""
    size = atoms.shape[1]
    for side in range(len(sides.salt)):
        own = out[side]
        for i in range(size):
            own[i] = sides.salt[side]
        for k in range(sides.start[side], sides.start[side + 1]):
            offset, values = sides.offset[k], atoms[sides.atom[k]]
            first, last = max(0, -offset), max(0, size - max(0, offset))
            for i in range(min(first, size)):
                own[i] = mixed(own[i] ^ BEFORE_ALL)
            mix_in(own[first:last], values[first + offset :])
            for i in range(last, size):
                own[i] = mixed(own[i] ^ AFTER_ALL)


@helper
def mix_in(hashes, values):
    """Mix values into hashes: OUT hashes. The compiler makes vectors of it."""
    for i in range(len(hashes)):
        hashes[i] = mixed(hashes[i] ^ values[i])


@embedded
def mixed(x):
    """The bits of a hash, mixed."""
    x *= MULTIPLIER
    return x ^ (x >> np.uint64(32))


@helper
def count_before(counted, out):
    """How many words of each kind come before each token: OUT out[kind, token]."""
    for kind in range(COUNTED):
        out[kind, 0] = 0
        for i in range(1, out.shape[1]):
            out[kind, i] = out[kind, i - 1] + np.int64(counted[kind, i - 1])


@helper
def counts_key(before, low, high):
    """The hash of how many words of each kind are between two tokens."""
    key = 0
    for kind in range(COUNTED):
        between = before[kind, high] - before[kind, low + 1]
        key = key * (MOST_COUNTED + 1) + min(between, MOST_COUNTED)
    return np.uint64(key + 1) * BETWEEN


@helper
def filter_bit(head, modifier, shift):
    """The bit that says whether two words were ever seen together."""
    return ((head * BETWEEN ^ modifier) * MULTIPLIER) >> shift


@inlined
def is_used(templates, tokens, t, h, m):
    """Whether a template applies: if it looks at back-offs, one of the words must have one."""
    of_head, of_modifier = templates.head_backs_off[t], templates.modifier_backs_off[t]
    if not (of_head or of_modifier):
        return True
    return (of_head and tokens.backed_off[h]) or (of_modifier and tokens.backed_off[m])

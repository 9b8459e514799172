# mypy: allow-untyped-defs
"""What is seen of an arc of a finished tree, and the labels that it may have.

As the tree is known, an arc's features may look at all of it: the words around head and modifier,
their children, the siblings of the modifier, the head's own head.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.primitives.hashmap import ABSENT, look_up
from headwise.kernels.runtime.jit import helper, inlined, kernel, maker
from headwise.kernels.text.wordhash import MULTIPLIER, Hashes, mixed

WORD, BACKOFF, LEMMA, UPOS, XPOS, TAG, FEATS = range(7)
"""The rows of atoms, in the order of `headwise.scoring.linear.atoms.ATOMS`."""

(
    SIDE, FAR, EDGE, BETWEEN,
    M_WORD, M_BACKOFF, M_LEMMA, M_UPOS, M_TAG, M_FEATS,
    H_WORD, H_BACKOFF, H_LEMMA, H_UPOS, H_TAG, H_FEATS,
    G_LEMMA, G_UPOS, G_TAG, G_SIDE,
    BEFORE_WORD, BEFORE_UPOS, BEFORE_TAG, AFTER_WORD, AFTER_UPOS, AFTER_TAG,
    BEFORE2_UPOS, AFTER2_UPOS, H_BEFORE_UPOS, H_AFTER_UPOS,
    LEFT_LEMMA, LEFT_TAG, RIGHT_LEMMA, RIGHT_TAG, CHILDREN, CHILD_KINDS, LEFT_FRAME, RIGHT_FRAME,
    CHILD_COUNT,
    PREVIOUS_LEMMA, PREVIOUS_TAG, NEXT_LEMMA, NEXT_TAG, RANK, TWINS,
    H_LEFT_FRAME, SECOND_LEMMA, COORDINATION,
) = range(48)  # fmt: skip
"""What templates can look at, in the order of `headwise.scoring.linear.labeltemplates.VIEWS`."""

VIEWS = 48

CONTENT, FUNCTION, CONJUNCTION = range(3)
"""Kinds of words; coordinating conjunctions are function words of their own kind."""

LEVELS = 4
"""Labels are listed for (tag, tag of head, direction), or else (tag, direction), tag, anything."""

NOTHING = np.uint64(0x5851F42D4C957F2D)
"""Stands for a token that is not there."""


class LabelLists(NamedTuple):
    """The labels that arcs may have, by what is seen of them. List 0 has all labels but root's."""

    keys: Hashes
    values: NDArray[np.int32]  # number of the list
    starts: NDArray[np.int32]
    labels: NDArray[np.int32]


class TreeRows(NamedTuple):
    """The children of all tokens of a sentence, left to right, one list after the other.

    Arrays fit the longest sentence; what is beyond a shorter one means nothing.
    """

    starts: NDArray[np.int64]  # [token + 1], and one more
    children: NDArray[np.int64]
    position: NDArray[np.int64]  # [token]: where it stands in `children`; the root has none


@maker
def allocate_children(longest):
    """Arrays for the children of the tokens of a sentence of up to `longest` tokens."""
    return TreeRows(
        np.empty(longest + 2, np.int64), np.empty(longest, np.int64), np.empty(longest, np.int64)
    )


@helper
def list_children(heads, rows):
    """The children of all tokens under a tree: OUT rows.

    While they are listed, starts[h + 1] is where the next child of h goes. At last it is where the
    children of h end, and those of h + 1 start.
    """
    starts, size = rows.starts, len(heads)
    starts[: size + 2] = 0
    for m in range(1, size):
        starts[heads[m] + 2] += 1
    for h in range(1, size + 1):
        starts[h + 1] += starts[h]
    for m in range(1, size):
        at = starts[heads[m] + 1]
        rows.position[m], rows.children[at] = at, m
        starts[heads[m] + 1] = at + 1


@helper
def list_key(atoms, h, m, level):
    """What the labels of an arc are listed under."""
    direction = np.uint64(1 + (m > h))
    key = np.uint64(level)
    if level < 3:
        key = mixed(key, atoms[TAG, m])
    if level == 0:
        key = mixed(key, atoms[TAG, h])
    if level < 2:
        key = mixed(key, direction)
    return key


@helper
def labels_of(keys, values, atoms, h, m):
    """The number of the list of labels that an arc may have."""
    for level in range(LEVELS - 1):
        found = look_up(keys, values, list_key(atoms, h, m, level))
        if found != ABSENT:
            return found
    return np.int32(0)


@kernel
def arc_keys(atoms, starts, heads):
    """What the labels of all arcs of trees are listed under, at every level; 0 for root's arcs."""
    keys = np.zeros((LEVELS - 1, atoms.shape[1]), np.uint64)
    for s in range(len(starts) - 1):
        own = atoms[:, starts[s] : starts[s + 1]]
        for m in range(1, own.shape[1]):
            h = heads[starts[s] + m]
            for level in range(LEVELS - 1):
                if h > 0:
                    keys[level, starts[s] + m] = list_key(own, h, m, level)
    return keys


@helper
def atom_at(atoms, atom, i):
    """An atom of a token, or of none."""
    return atoms[atom, i] if 0 <= i < atoms.shape[1] else NOTHING


@helper
def distance_of(h, m):
    """Direction and distance in one small number."""
    d = abs(h - m)
    bucket = d if d < 5 else (5 if d < 8 else (6 if d < 15 else 7))
    return np.uint64(16 * (1 + (m > h)) + bucket)


@helper
def kind_bit(upos):
    """A bit for each UPOS, shared by some."""
    return np.uint64(1) << (upos >> np.uint64(58))


@helper
def see_words(atoms, grand, h, m, seen):
    """What is seen of head and modifier, of the words beside and between them: OUT seen.

    The head's own head is -1 where it is not known.
    """
    seen[SIDE], seen[FAR] = np.uint64(1 + (m > h)), distance_of(h, m)
    seen[EDGE] = np.uint64(m == 1) + np.uint64(2 * (m == atoms.shape[1] - 1))
    between = np.uint64(0)
    low, high = min(h, m), max(h, m)
    for i in range(low + 1, high):
        between |= kind_bit(atoms[UPOS, i])
    seen[BETWEEN] = between
    seen[M_WORD], seen[M_BACKOFF], seen[M_LEMMA] = (
        atoms[WORD, m],
        atoms[BACKOFF, m],
        atoms[LEMMA, m],
    )
    seen[M_UPOS], seen[M_TAG], seen[M_FEATS] = atoms[UPOS, m], atoms[TAG, m], atoms[FEATS, m]
    seen[H_WORD], seen[H_BACKOFF], seen[H_LEMMA] = (
        atoms[WORD, h],
        atoms[BACKOFF, h],
        atoms[LEMMA, h],
    )
    seen[H_UPOS], seen[H_TAG], seen[H_FEATS] = atoms[UPOS, h], atoms[TAG, h], atoms[FEATS, h]
    seen[G_LEMMA], seen[G_UPOS] = atom_at(atoms, LEMMA, grand), atom_at(atoms, UPOS, grand)
    seen[G_TAG], seen[G_SIDE] = atom_at(atoms, TAG, grand), np.uint64(1 + (h > grand))
    seen[BEFORE_WORD], seen[AFTER_WORD] = atom_at(atoms, WORD, m - 1), atom_at(atoms, WORD, m + 1)
    seen[BEFORE_UPOS], seen[AFTER_UPOS] = atom_at(atoms, UPOS, m - 1), atom_at(atoms, UPOS, m + 1)
    seen[BEFORE_TAG], seen[AFTER_TAG] = atom_at(atoms, TAG, m - 1), atom_at(atoms, TAG, m + 1)
    seen[BEFORE2_UPOS], seen[AFTER2_UPOS] = atom_at(atoms, UPOS, m - 2), atom_at(atoms, UPOS, m + 2)
    seen[H_BEFORE_UPOS] = atom_at(atoms, UPOS, h - 1)
    seen[H_AFTER_UPOS] = atom_at(atoms, UPOS, h + 1)


@inlined
def see_family(atoms, kinds, heads, rows, m, seen):
    """What is seen of the modifier's children and siblings: OUT seen."""
    h = heads[m]
    first, last = rows.starts[m], rows.starts[m + 1]
    see_children(atoms, kinds, rows.children[first:last], m, seen)
    first, last = rows.starts[h], rows.starts[h + 1]
    see_siblings(atoms, kinds, rows.children[first:last], rows.position[m] - first, h, seen)
    see_coordination(kinds, rows.starts, rows.children, rows.position[m], last, seen)


@helper
def see_children(atoms, kinds, children, m, seen):
    """What is seen of the children of the modifier: OUT seen."""
    count = len(children)
    left = children[0] if count else -1
    right = children[count - 1] if count else -1
    seen[SECOND_LEMMA] = atom_at(atoms, LEMMA, children[1] if count > 1 else -1)
    seen[LEFT_LEMMA], seen[LEFT_TAG] = atom_at(atoms, LEMMA, left), atom_at(atoms, TAG, left)
    seen[RIGHT_LEMMA], seen[RIGHT_TAG] = atom_at(atoms, LEMMA, right), atom_at(atoms, TAG, right)
    sequence, before, after, found = NOTHING, NOTHING, NOTHING, np.uint64(0)
    for c in children:
        sequence = mixed(sequence, atoms[UPOS, c] + np.uint64(c > m))
        found |= kind_bit(atoms[UPOS, c])
        look = atoms[LEMMA, c] if kinds[c] != CONTENT else atoms[UPOS, c]
        if c < m:
            before = mixed(before, look)
        else:
            after = mixed(after, look)
    seen[CHILDREN], seen[CHILD_KINDS] = sequence, found
    seen[LEFT_FRAME], seen[RIGHT_FRAME] = before, after
    seen[CHILD_COUNT] = np.uint64(min(count, 4))


@helper
def see_siblings(atoms, kinds, children, own, h, seen):
    """What is seen of the children of the head, of which one is the modifier: OUT seen."""
    count, m = len(children), children[own]
    previous = children[own - 1] if own > 0 else -1
    following = children[own + 1] if own + 1 < count else -1
    seen[PREVIOUS_LEMMA] = atom_at(atoms, LEMMA, previous)
    seen[PREVIOUS_TAG] = atom_at(atoms, TAG, previous) + np.uint64(previous < h)
    seen[NEXT_LEMMA] = atom_at(atoms, LEMMA, following)
    seen[NEXT_TAG] = atom_at(atoms, TAG, following) + np.uint64(following < h)
    seen[RANK] = np.uint64(8 * min(own, 5) + min(count - own, 5))
    before, twins = NOTHING, 0
    for c in children:
        if c < h:
            look = atoms[LEMMA, c] if kinds[c] != CONTENT and c != m else atoms[UPOS, c]
            before = mixed(before, look + np.uint64(2 * (c == m)))
        if c != m and atoms[UPOS, c] == atoms[UPOS, m]:
            twins += 1 if c < m else 8
    seen[H_LEFT_FRAME], seen[TWINS] = before, np.uint64(twins)


@helper
def see_coordination(kinds, starts, children, own, last, seen):
    """Whether the modifier has a conjunction, and whether a sibling after it has: OUT seen."""
    found = np.uint64(0)
    for k in range(own, last):
        c = children[k]
        for j in range(starts[c], starts[c + 1]):
            if kinds[children[j]] == CONJUNCTION:
                found |= np.uint64(1 if k == own else 2)
    seen[COORDINATION] = found


@helper
def hash_features(templates, seeds, shift, seen, row):
    """Where the weights of the features of an arc are, one a template: OUT row.

    The weight for a label is in the same slot, but for the last bits (see `search`).
    """
    for t in range(len(seeds)):
        x = seeds[t]
        for k in range(templates.shape[1]):
            view = templates[t, k]
            if view < 0:
                break
            x = mixed(x, seen[view])
        row[t] = slot_of(x, shift)


@helper
def slot_of(x, shift):
    """Where the weights of a feature are."""
    return np.uint32((x * MULTIPLIER) >> shift)

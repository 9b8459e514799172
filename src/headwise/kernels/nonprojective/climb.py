# mypy: allow-untyped-defs
"""Hill-climbing from tree to tree by re-attaching one word at a time (McDonald & Pereira 2006).

A tree's score is a sum over the sides of its heads: all parts of the modifiers on that side, and
its STOP. Giving word m the new head b instead of a changes four of them: the sides of a and b on
which m stands, and, as their grandparent changes, both sides of m. The best change is made again
and again, until none makes the tree better. What a change gains stays the same until one of a, b
and m gains or loses a modifier or gets another head, so few gains are found anew after a change.

With a single root, no single head can change at the root. So there is one more kind of change: a
word takes the root, and the word that had it becomes its modifier.

Brackets (words that form one subtree) stay kept: no arc may leave one, and a word's new head must
be in the same brackets of that word's as its old one, or a second arc would enter.

Parts are those of `PartRows`, which should have been compressed with `crossing`: a part that has no
score there cannot be.
"""

import numpy as np

from headwise.kernels.nonprojective.mst_kbest import number_subtrees
from headwise.kernels.parts.lookup import context_of_part
from headwise.kernels.parts.pruned_rows import pairs_before
from headwise.kernels.primitives.semiring import INFINITY
from headwise.kernels.runtime.borrow import borrowed
from headwise.kernels.runtime.jit import helper, kernel, maker

LEAST_GAIN = 1e-12
"""A change must gain more than this part of all scores, or rounding might lead in circles."""


@helper
def part_value(table, at):
    """The score of a part; nothing if its type is not scored."""
    return np.float64(table[at]) if len(table) > 0 else 0.0


@helper
def side_value(rows, scores, heads, g, h, side):
    """The sum of all parts of the modifiers of h on one side, g being the head of h."""
    row = 2 * h + side
    start = rows.row_start[row]
    total = 0.0
    i, k = -1, -1  # the positions of the last two modifiers in the row
    for arc in range(start, rows.row_start[row + 1]):
        if heads[rows.arc_modifier[arc]] != h:
            continue
        j = arc - start
        inner = 0 if i < 0 else 1 + pairs_before(i) + k + 1
        total += scores.arc[h, rows.arc_modifier[arc]]
        total += part_value(scores.sibling, rows.sibling_start[arc] + i + 1)
        total += part_value(scores.tri_sibling, rows.tri_start[arc] + inner)
        if rows.grand:
            c = context_of_part(rows, g, h, arc)
            if c < 0:
                return -INFINITY
            total += part_value(scores.grandchild, rows.grand_start[arc] + c)
            at = rows.grand_sibling_start[arc] + c * (j + 1) + i + 1
            total += part_value(scores.grand_sibling, at)
            at = rows.grand_tri_start[arc] + c * (1 + pairs_before(j)) + inner
            total += part_value(scores.grand_tri_sibling, at)
        i, k = j, i
    return total + part_value(scores.stop, start + row + i + 1)


@helper
def find_values(rows, scores, heads, values):
    """Find the values of both sides of all tokens. OUT: values."""
    for h in range(len(heads)):
        for side in range(2):
            g = heads[h] if h > 0 else 0
            values[h, side] = side_value(rows, scores, heads, g, h, side)


@helper
def find_gains(rows, scores, shared, heads, values, touched, gains):
    """Find anew what changes gain that have to do with tokens touched. IN/OUT: gains[head, word].

    `shared[m, h]` is how many brackets hold both: as they nest, equal numbers mean the same ones.
    It does not matter here whether a change would lead to a tree.
    """
    for m in range(1, len(heads)):
        a = heads[m]
        left = 0.0  # the gain of a, found when it is first needed
        known = False
        for b in range(len(heads)):
            if b in (a, m) or rows.arc_id[b, m] < 0 or shared[m, a] != shared[m, b]:
                gains[b, m] = -INFINITY
            elif touched[a] or touched[b] or touched[m]:
                heads[m] = b
                if not known:
                    g = heads[a] if a > 0 else 0
                    left = side_value(rows, scores, heads, g, a, int(m > a))
                    left -= values[a, int(m > a)]
                    known = True
                gains[b, m] = left + gain_of_new_head(rows, scores, heads, values, m)
                heads[m] = a


@helper
def gain_of_new_head(rows, scores, heads, values, m):
    """What the side of m's new head gains; and the sides of m, if they know their grandparent."""
    b = heads[m]
    g = heads[b] if b > 0 else 0
    gain = side_value(rows, scores, heads, g, b, int(m > b)) - values[b, int(m > b)]
    if rows.grand:
        for side in range(2):
            gain += side_value(rows, scores, heads, b, m, side) - values[m, side]
    return gain


@maker
def best_change(single_root, heads, gains):
    """The gain, the word and the new head of the best change that leads to a tree."""
    first, beyond = number_subtrees(heads)
    gain, word, head = 0.0, 0, 0
    for m in range(1, len(heads)):
        if single_root and heads[m] == 0:
            continue
        for b in range(1 if single_root else 0, len(heads)):
            below = first[m] <= first[b] < beyond[m]
            if gains[b, m] > gain and not below:
                gain, word, head = gains[b, m], m, b
    return gain, word, head


@helper
def around_root(rows, scores, heads, a, m, root):
    """The value of both sides of the root, of its word, of m and of m's former head a."""
    total = 0.0
    for side in range(2):
        total += side_value(rows, scores, heads, 0, 0, side)
        total += side_value(rows, scores, heads, heads[m], m, side)
        total += side_value(rows, scores, heads, heads[root], root, side)
        if a != root:
            total += side_value(rows, scores, heads, heads[a], a, side)
    return total


@helper
def best_root_change(rows, scores, heads, root):
    """The gain and the word of the best exchange of the root word. IN: heads, left as they were."""
    gain, word = 0.0, 0
    for m in range(1, len(heads)):
        if m != root and rows.arc_id[0, m] >= 0 and rows.arc_id[m, root] >= 0:
            a = heads[m]
            old = around_root(rows, scores, heads, a, m, root)
            heads[m], heads[root] = 0, m
            new = around_root(rows, scores, heads, a, m, root)
            heads[m], heads[root] = a, 0
            if new - old > gain:
                gain, word = new - old, m
    return gain, word


@kernel
def climb(owned_rows, owned_scores, single_root, owned_shared, owned_heads):
    """Change heads to a tree that no change makes better. Returns the number of changes.

    IN: shared, the number of brackets that hold both of two tokens; scores, in which arcs that
    leave a bracket are -inf. IN/OUT: heads, a tree of finite score.
    """
    rows, scores = borrowed(owned_rows), borrowed(owned_scores)
    shared, heads = borrowed(owned_shared), borrowed(owned_heads)
    size = len(heads)
    values = np.empty((size, 2))
    gains = np.full((size, size), -INFINITY)
    touched = np.ones(size, np.bool_)
    changes = 0
    while True:
        find_values(rows, scores, heads, values)
        find_gains(rows, scores, shared, heads, values, touched, gains)
        touched[:] = False
        gain, word, head = best_change(single_root, heads, gains)
        root = 0
        if single_root:
            while heads[root] != 0:
                root += 1
            root_gain, root_word = best_root_change(rows, scores, heads, root)
            if root_gain > gain:
                gain, word, head = root_gain, root_word, 0
        if gain <= LEAST_GAIN * np.abs(values).sum():
            return changes
        touched[word] = touched[head] = touched[heads[word]] = True
        heads[word] = head
        if single_root and head == 0:
            touched[root] = True
            heads[root] = word
        changes += 1

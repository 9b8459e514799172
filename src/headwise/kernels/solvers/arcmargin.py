# mypy: allow-untyped-defs
"""Local margins: every arc that is not in the tree stays behind its neighbours in the tree.

The gold tree and an arc h → m that is not in it make a cycle, on the path in the tree from h to m.
The arcs of that path at its two ends are the ones the arc must not replace (Wang 2008, (6.2)):

    s(gold arc at h) ≥ s(h, m) + 1        s(gold arc at m) ≥ s(h, m) + 1

An arc of the tree turned round has one neighbour, itself. Arcs of the tree are named by their
modifiers.
"""

import numpy as np

from headwise.kernels.runtime.jit import helper, kernel


@kernel
def path_ends(gold):
    """`near[a, b]`: the arc of the tree that begins the path from a to b."""
    size = len(gold)
    near = np.empty((size, size), np.int64)
    for a in range(size):
        near[a] = a  # upwards, unless b is below a
    for b in range(1, size):
        child, above = b, gold[b]
        while above >= 0:
            near[above, b] = child
            child, above = above, gold[above]
    return near


@kernel
def local_hinge(arc, gold, near):
    """Σ over all local margins of what is missing to 1."""
    total = 0.0
    for m in range(1, len(gold)):
        for h in range(len(gold)):
            if h != m and gold[m] != h:
                first, second = near[h, m], near[m, h]
                total += max(0.0, 1.0 - arc[gold[first], first] + arc[h, m])
                if second != first:
                    total += max(0.0, 1.0 - arc[gold[second], second] + arc[h, m])
    return total


@kernel
def ascend(rows, row_of, gold, near, weights, alphas, beta):
    """Visit each local margin once, by coordinate ascent on the dual.

        maximise Σ α - ½ β ‖θ‖²   over 0 ≤ α ≤ 1,   θ = Σ α (features of gold - of arc) / β

    `rows` are the features of arcs, `row_of[h, m]` the row of each. IN/OUT weights, those of the
    columns of `rows`, and alphas [end, head, modifier]. What the margins missed before.
    """
    scratch = np.zeros(len(weights))
    lost = 0.0
    for m in range(1, len(gold)):
        for h in range(len(gold)):
            if h == m or gold[m] == h:
                continue
            first, second = near[h, m], near[m, h]
            for end in range(2 if first != second else 1):
                tree = first if end == 0 else second
                better, worse = row_of[gold[tree], tree], row_of[h, m]
                missing = 1.0 - along(rows, better, weights) + along(rows, worse, weights)
                lost += max(0.0, missing)
                alpha = alphas[end, h, m]
                if (missing <= 0.0 and alpha == 0.0) or (missing >= 0.0 and alpha == 1.0):
                    continue
                length = squared_distance(rows, better, worse, scratch)
                if length == 0.0:  # no weight tells the two arcs apart
                    alphas[end, h, m] = 1.0
                    continue
                new = np.float32(min(max(alpha + missing * beta / length, 0.0), 1.0))
                alphas[end, h, m] = new
                add_row(rows, better, (new - alpha) / beta, weights)
                add_row(rows, worse, (alpha - new) / beta, weights)
    return lost


@helper
def along(rows, row, weights):
    """The product of a row with weights."""
    total = 0.0
    for k in range(rows.start[row], rows.start[row + 1]):
        total += rows.value[k] * weights[rows.column[k]]
    return total


@helper
def add_row(rows, row, factor, weights):
    """Add a multiple of a row to weights."""
    for k in range(rows.start[row], rows.start[row + 1]):
        weights[rows.column[k]] += factor * rows.value[k]


@helper
def squared_distance(rows, one, other, scratch):
    """‖one row - another‖²; scratch is all zeros, before and after."""
    add_row(rows, one, 1.0, scratch)
    add_row(rows, other, -1.0, scratch)
    total = 0.0
    for row in (one, other):
        for k in range(rows.start[row], rows.start[row + 1]):
            c = rows.column[k]
            total += scratch[c] * scratch[c]
            scratch[c] = 0.0
    return total

# mypy: allow-untyped-defs
"""Whole parses of orders two to four over unpruned arcs, many sentences in one call."""

import numpy as np

# higher_hyperedges: imported so that backtrace finds the hyperedges of a HigherChart.
from headwise.kernels.charts import backtrace, higher_hyperedges  # noqa: F401
from headwise.kernels.charts.higher import fill
from headwise.kernels.charts.higher_chart import PartScores, new_chart
from headwise.kernels.parts import pruned_rows
from headwise.kernels.parts import scores as part_scores
from headwise.kernels.primitives.runs import copy_run
from headwise.kernels.primitives.semiring import INFINITY, MAX
from headwise.kernels.runtime.jit import inner, kernel

NO_TREE = -2

compress, score_parts = inner(pruned_rows.compress), inner(part_scores.score_parts)
best_tree = inner(backtrace.best_tree)


@kernel
def list_unpruned(unpruned, sizes):
    """The unpruned arcs of many sentences in the order of their rows: heads, modifiers, starts."""
    count = np.count_nonzero(unpruned)
    heads, modifiers = np.empty(count, np.int64), np.empty(count, np.int64)
    starts = np.zeros(len(sizes) + 1, np.int64)
    at, arc = 0, 0
    for sentence in range(len(sizes)):
        size = sizes[sentence]
        for h in range(size):
            for side in range(2):
                for m in range(h - 1, 0, -1) if side == 0 else range(h + 1, size, 1):
                    if unpruned[at + h * size + m]:
                        heads[arc], modifiers[arc] = h, m
                        arc += 1
        at += size * size
        starts[sentence + 1] = arc
    return heads, modifiers, starts


@kernel
def parse_unpruned(templates, weights, search, atoms, starts, unpruned, arcs, arc_starts):
    """The best trees of many sentences over unpruned arcs, whose scores are in `arcs`.

    The heads of a sentence that has no tree over them are NO_TREE.

    `search` says whether trees have a single root, parts grandparents, and two siblings.
    """
    single_root, grand, tri = search
    heads = np.empty(starts[-1] - starts[0], np.int64)
    at = 0
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        size = b - a
        own_unpruned = unpruned[at : at + size * size].reshape(size, size)
        own_rows = compress(own_unpruned, grand, False)
        flat, start = score_parts(templates, weights, atoms[:, a:b], own_rows)
        arc, spans = np.full((size, size), -INFINITY), np.zeros((size, size))
        for k in range(len(own_rows.arc_head)):
            arc[own_rows.arc_head[k], own_rows.arc_modifier[k]] = arcs[arc_starts[sentence] + k]
        parts = PartScores(
            arc,
            spans,
            flat[start[0] : start[1]],
            flat[start[1] : start[2]],
            flat[start[2] : start[3]],
            flat[start[3] : start[4]],
            flat[start[4] : start[5]],
            flat[start[5] : start[6]],
        )
        chart = new_chart(own_rows, parts, single_root, tri)
        fill(MAX, chart)
        own = heads[a - starts[0] : b - starts[0]]
        if chart.values[chart.goal] == -INFINITY:
            own[:] = NO_TREE
        else:
            copy_run(own, 0, best_tree(chart, chart.goal, size - 1), 0, size)
        at += size * size
    return heads

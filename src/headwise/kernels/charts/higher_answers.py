# mypy: allow-untyped-defs
"""Every question about orders two to four, each in one call from Python.

Handing a chart with its many arrays to Python and back would cost more than filling it for a short
sentence.
"""

import numpy as np

# higher_hyperedges: imported so that backtrace and kbest find the hyperedges of a HigherChart.
from headwise.kernels.charts import backtrace, higher, higher_hyperedges  # noqa: F401
from headwise.kernels.charts import kbest as kbest_search
from headwise.kernels.charts.higher_outside import outside
from headwise.kernels.primitives.semiring import INFINITY, LOG, MAX
from headwise.kernels.runtime.jit import inner, kernel

filled_chart, kbest_trees = inner(higher.filled_chart), inner(kbest_search.kbest_trees)
best_tree, sample_trees = inner(backtrace.best_tree), inner(backtrace.sample_trees)


@kernel
def best(rows, parts, single_root, tri):
    """The heads and the score of the best tree; no heads and -inf if there is none."""
    chart = filled_chart(MAX, rows, parts, single_root, tri)
    total = chart.values[chart.goal]
    if total == -INFINITY:
        return np.empty(0, np.int64), total
    return best_tree(chart, chart.goal, rows.n), total


@kernel
def kbest(rows, parts, single_root, tri, k):
    """The heads and scores of the k best trees, or of as many as there are."""
    chart = filled_chart(MAX, rows, parts, single_root, tri)
    return kbest_trees(chart, chart.goal, rows.n, k)


@kernel
def sample(rows, parts, single_root, tri, uniforms):
    """The heads of random trees, one for each row of random numbers; none if there is no tree."""
    chart = filled_chart(LOG, rows, parts, single_root, tri)
    if chart.values[chart.goal] == -INFINITY:
        return np.empty((0, rows.n + 1), np.int64)
    return sample_trees(chart, chart.goal, rows.n, uniforms)


@kernel
def marginals(rows, parts, single_root, tri):
    """The log-partition and the probabilities of all parts, which mean nothing if it is -inf."""
    chart = filled_chart(LOG, rows, parts, single_root, tri)
    return chart.values[chart.goal], outside(chart)

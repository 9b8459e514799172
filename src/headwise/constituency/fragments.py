"""Robust parsing: if no tree covers a sentence, the best sequence of fragments."""

import numpy as np
import numpy.typing as npt

from headwise.constituency.pcfg import Chart, Derivation, TreebankGrammar

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PIECE = -20.0
"""The cost of each fragment, so that there are few."""


def best_fragments(grammar: TreebankGrammar, chart: Chart, n: int) -> Derivation:
    """The best sequence of labels and tags, each over a fragment of the sentence."""
    value, item = piece_values(grammar, chart, n)
    best, came_from = np.full(n + 1, -np.inf), np.zeros(n + 1, np.int64)
    best[0] = 0.0
    for end in range(1, n + 1):
        totals = best[:end] + value[:end, end] + PIECE
        came_from[end] = int(np.argmax(totals))
        best[end] = totals[came_from[end]]
    pieces: list[Derivation] = []
    end = n
    while end > 0:
        start = int(came_from[end])
        pieces += grammar.derivations(chart, int(item[start, end]), 1)
        end = start
    pieces.reverse()
    return Derivation(
        float(best[n]),
        tuple(bracket for piece in pieces for bracket in piece.brackets),
        tuple(tag for piece in pieces for tag in piece.tags),
    )


def piece_values(grammar: TreebankGrammar, chart: Chart, n: int) -> tuple[Floats, Ints]:
    """The best value over each span of any label or tag, and its chart item."""
    value, item = np.full((n, n + 1), -np.inf), np.zeros((n, n + 1), np.int64)
    rows = chart.values.reshape(-1, n + 1)
    reals = len(grammar.grammar.symbols)
    for start in range(n):
        for row in chart.upper_row[start, :reals]:
            if row:
                better = rows[row] > value[start]
                value[start, better] = rows[row, better]
                item[start, better] = int(row) * (n + 1) + np.flatnonzero(better)
    return value, item

# mypy: allow-untyped-defs
"""Probabilities of tags as whole numbers.

    share_k = round(levels · exp(s_k) / Σ_j exp(s_j))

exp(x) is taken to be (1 + x / 4096)^4096, twelve squarings, for x ≤ 0: within a hundredth of its
value where that matters, and of operations alone whose last bit is the same on every machine.
"""

import math

import numpy as np

from headwise.kernels.runtime.jit import exact_kernel

SQUARINGS = 12
LEAST = np.float32(-20.0)
"""Scores that are further below the best one count like this: too little to be seen."""

POWER, HALF, ONE, ZERO = np.float32(1.0 / 4096.0), np.float32(0.5), np.float32(1.0), np.float32(0.0)


@exact_kernel
def tag_shares(scores, levels):
    """Turn scores [token, tag] into shares of `levels`, in place; of 1, not rounded, if it is 0."""
    factor = levels if levels > ZERO else ONE
    for token in range(len(scores)):
        row = scores[token]
        best = row[0]
        for k in range(len(row)):
            best = max(best, row[k])
        for k in range(len(row)):
            power = ONE + POWER * max(row[k] - best, LEAST)
            for _ in range(SQUARINGS):
                power *= power
            row[k] = power
        total = ZERO
        for k in range(len(row)):
            total += row[k]
        for k in range(len(row)):
            row[k] = row[k] * factor / total
        if levels > ZERO:
            for k in range(len(row)):
                row[k] = math.floor(row[k] + HALF)

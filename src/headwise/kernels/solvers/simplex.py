# mypy: allow-untyped-defs
"""The best mixture of a few members: a concave quadratic over the simplex.

    maximise  linear · p - ½ (p - start)ᵀ gram (p - start)    over p ≥ 0,  Σ p = 1

Mass moves from the member whose gradient is lowest to the one whose gradient is highest, as much as
raises the value most (pairwise steps of the Frank-Wolfe algorithm).
"""

from headwise.kernels.runtime.jit import kernel


@kernel
def best_shares(gram, linear, start, tolerance, steps):
    """p; no move of mass gains more than `tolerance` for each bit moved, if `steps` are enough."""
    p, gradient = start.copy(), linear.copy()
    for _ in range(steps):
        high, low = -1, -1
        for k in range(len(p)):
            if high < 0 or gradient[k] > gradient[high]:
                high = k
            if p[k] > 0.0 and (low < 0 or gradient[k] < gradient[low]):
                low = k
        gain = gradient[high] - gradient[low]
        if gain <= tolerance:
            break
        curvature = gram[high, high] - 2.0 * gram[high, low] + gram[low, low]
        moved = p[low]
        if moved * curvature > gain:
            moved = gain / curvature
            p[low] -= moved
        else:
            p[low] = 0.0
        p[high] += moved
        for k in range(len(p)):
            gradient[k] -= moved * (gram[k, high] - gram[k, low])
    return p

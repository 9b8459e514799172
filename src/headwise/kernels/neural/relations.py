# mypy: allow-untyped-defs
"""Scores of relations to given heads."""

from headwise.kernels.runtime.jit import exact_kernel


@exact_kernel
def add_products(turned, scale, heads, chosen, sums, scores):
    """Add to the scores of each token's relations the products with its head's dimensions.

    turned: [token, dimension, relation], times `scale` of the relation.
    heads: [row, dimension], and `chosen` the row of each token's head.
    sums: room for a number per relation. OUT: scores, [token, relation].
    The order of all sums is fixed.
    """
    for token in range(len(chosen)):
        head, score = heads[chosen[token]], scores[token]
        sums[:] = 0.0
        for dimension in range(turned.shape[1]):
            factor, row = head[dimension], turned[token, dimension]
            for relation in range(len(sums)):
                sums[relation] += factor * row[relation]
        for relation in range(len(sums)):
            score[relation] += scale[relation] * sums[relation]

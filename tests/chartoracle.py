"""Random scores of the (low, head, high) chart, and enumeration under their definition."""

import numpy as np
from hypothesis import strategies as st

from headwise.search.decoders.chartscores import ChartScores
from headwise.search.parts import Part
from oracle import Oracle, trees


@st.composite
def chart_scores(draw, max_words=5):
    """Random scores of all kinds, with ties or without; arcs or any events may be forbidden."""
    size = draw(st.integers(1, max_words)) + 1
    counts = draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tied = draw(st.booleans())
    rare = draw(st.sampled_from((0.0, 0.0, 0.1, 0.3)))

    def table(*shape):
        found = rng.integers(-2, 3, shape) * 1.0 if tied else rng.normal(size=shape) * 3
        found[rng.random(shape) < rare] = -np.inf
        return found

    link = table(size, counts, size, size)
    dead = rng.random((size, size)) < draw(st.sampled_from((0.0, 0.3)))
    link[np.broadcast_to(dead[:, None, None, :], link.shape)] = -np.inf
    return ChartScores(
        link,
        table(size, 2, counts, size) if draw(st.booleans()) else None,
        table(size, size, size) if draw(st.booleans()) else None,
        both_sides=draw(st.booleans()),
    )


def events(heads, scores):
    """What happens in a tree, in the canonical order, from the words of the definition."""
    n = len(heads) - 1
    cap = scores.counts - 1
    for h in range(n + 1):
        modifiers = [m for m in range(1, n + 1) if heads[m] == h]
        right = sorted(m for m in modifiers if m > h)
        left = sorted((m for m in modifiers if m < h), reverse=True)
        for side, chain in ((1, right), (0, left)):
            before = len(right) if side == 0 and scores.both_sides else 0
            for i, m in enumerate(chain):
                yield "link", (h, min(before + i, cap), chain[i - 1] if i else h, m)
            if h > 0 or side == 1:
                last = chain[-1] if chain else h
                yield "stop", (h, side, min(before + len(chain), cap), last)
        if h > 0:
            yield "first", (heads[h], h, right[0] if right else left[0] if left else h)


def score(heads, scores):
    tables = {"link": scores.link, "stop": scores.stop, "first": scores.first}
    return sum(
        float(tables[kind][where])
        for kind, where in events(heads, scores)
        if tables[kind] is not None
    )


class ChartOracle(Oracle):
    """Enumeration under ChartScores, of all trees or of those that are `right`."""

    def __init__(self, scores, single_root, right=lambda heads: True):
        self.tables = {Part.ARC: scores.link[:, 0, 0]}
        scored = [
            (score(heads, scores), heads)
            for heads in trees(scores.n, projective=True, single_root=single_root)
            if right(heads)
        ]
        self.ranked = sorted(((s, heads) for s, heads in scored if s > -np.inf), reverse=True)

# mypy: allow-untyped-defs
"""The ways in which templates of arcs are scored.

Memory is what costs, so templates are scored in the way that looks up least:

    TAGS             looks at the tags of both ends: a line for each two *different* tags
    HEAD_ALONE       looks at one end: a line for each token
    MODIFIER_ALONE
    PAIR             looks at both ends, and at more than tags: a line for each *plausible* arc;
                     those of two words only for pairs of words that a filter has seen together
    COUNTING         the same, by the numbers of verbs, marks and conjunctions between
    BETWEEN          the same, with every word between
    GUIDED           a line for each arc of another parser's tree
"""

from enum import IntEnum

from headwise.kernels.runtime.jit import inlined


class Scoring(IntEnum):
    """How a template is scored; templates are sorted by this."""

    TAGS = 0
    HEAD_ALONE = 1
    MODIFIER_ALONE = 2
    NARROW_TAGS = 3
    NARROW_HEAD_ALONE = 4
    NARROW_MODIFIER_ALONE = 5
    NARROW_PAIR = 6
    PAIR = 7
    COUNTING = 8
    BETWEEN = 9
    GUIDED = 10

    @property
    def narrow(self) -> bool:
        """Whether the weights are in the narrow table."""
        return Scoring.NARROW_TAGS <= self <= Scoring.NARROW_PAIR


TAGS, HEAD_ALONE, MODIFIER_ALONE, NARROW = map(int, list(Scoring)[:4])
NARROW_PAIR, PAIR, COUNTING, INSIDE, GUIDED = map(int, list(Scoring)[6:])


@inlined
def looks_at_both(bounds, t):
    """Whether a template looks at both ends, and at more than their tags."""
    return bounds[NARROW_PAIR] <= t < bounds[GUIDED]

"""Scores of parts for tests of memory."""

import numpy as np

from headwise.search.partindex import PartIndex
from headwise.search.parts import Part
from headwise.search.scores import Scores


def scores_over(index: PartIndex) -> Scores:
    higher_parts = [part for part in index.factorisation.parts if part is not Part.ARC]
    return Scores(
        np.zeros((index.n + 1, index.n + 1)),
        index,
        {part: np.zeros(index.count(part)) for part in higher_parts},
    )

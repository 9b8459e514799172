"""Probabilities of the labels of given trees, whatever scorer they come from."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class LabelChances(NamedTuple):
    """Probabilities of labels, given the tree."""

    words: NDArray[np.float64]  # [token]: of its label; 1 for roots
    log_trees: NDArray[np.float64]  # [sentence]: of all labels of a tree, as a logarithm


class LabelDistributions(NamedTuple):
    """Probabilities of all labels, given the tree."""

    names: Sequence[str]
    chances: NDArray[np.float64]  # [token, label]; those of roots mean nothing

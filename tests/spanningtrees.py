"""Spanning trees in brackets by enumeration, and all questions about them."""

import numpy as np
import pytest

from headwise.errors import ConstraintError
from headwise.search.parts import Part
from oracle import Oracle, trees


def enumeration(table, single_root, brackets=()):
    n = len(table) - 1
    allowed = [
        heads
        for heads in trees(n, projective=False, single_root=single_root)
        if all(is_subtree(heads, low, high) for low, high in brackets)
    ]
    return Oracle({Part.ARC: table}, allowed=allowed)


def is_subtree(heads, low, high):
    """Whether one arc enters low…high and none leaves."""
    inside = range(low, high + 1)
    entering = sum(heads[m] not in inside for m in inside)
    leaving = sum(heads[m] in inside for m in range(1, len(heads)) if m not in inside)
    return entering == 1 and leaving == 0


def check_all_questions(scores, decoder, oracle):
    if not oracle.ranked:
        for question in (decoder.best, decoder.marginals):
            with pytest.raises(ConstraintError):
                question(scores)
        with pytest.raises(ConstraintError):
            decoder.kbest(scores, 3)
        with pytest.raises(ConstraintError):
            decoder.sample(scores, 3, np.random.default_rng(0))
        return
    possible = {heads for _, heads in oracle.ranked}
    best = decoder.best(scores)
    assert best.score == pytest.approx(oracle.scores[0], abs=1e-9)
    assert tuple(best.heads) in possible
    found = decoder.kbest(scores, 30)
    assert [tree.score for tree in found] == pytest.approx(list(oracle.scores[:30]), abs=1e-9)
    assert len({tuple(tree.heads) for tree in found}) == min(30, len(possible))
    assert {tuple(tree.heads) for tree in found} <= possible
    marginals = decoder.marginals(scores)
    assert marginals.log_partition == pytest.approx(oracle.log_partition, abs=1e-9)
    assert marginals.arc == pytest.approx(oracle.marginals(Part.ARC), abs=1e-9)
    assert marginals.entropy == pytest.approx(oracle.entropy, abs=1e-8)
    drawn = decoder.sample(scores, 5, np.random.default_rng(0))
    assert {tuple(heads) for heads in drawn} <= possible

"""Mixtures of trees nearest to scores, against every tree there is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.errors import HeadwiseWarning
from headwise.kernels.solvers.polytope import nearest_heads
from headwise.learners import treetargets
from headwise.learners.treetargets import nearest_mixture
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from oracle import trees


def drawn(seed: int, n: int, size: float, whole: bool) -> np.ndarray:
    scores = size * np.random.default_rng(seed).standard_normal((n + 1, n + 1))
    scores = np.round(scores) if whole else scores
    np.fill_diagonal(scores, -np.inf)
    scores[:, 0] = -np.inf
    return scores


cases = given(
    st.integers(0, 2**32), st.integers(1, 4), st.sampled_from([0.3, 1, 10]), st.booleans()
)


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("single_root", [True, False])
def test_no_tree_is_nearer(projective, single_root):
    """y is nearest exactly if (score - y) · (T - y) ≤ 0 for every tree T."""
    decoder = (ProjectiveDecoder if projective else NonProjectiveDecoder)(single_root)

    @cases
    def check(seed, n, size, whole):
        scores = drawn(seed, n, size, whole)
        found = nearest_mixture(scores, decoder)
        assert np.allclose(found[:, 1:].sum(axis=0), 1)
        assert found.min() >= 0
        left = np.where(np.isfinite(scores), scores - found, 0.0)
        for tree in trees(n, projective=projective, single_root=single_root):
            other = sum(left[tree[m], m] for m in range(1, n + 1))
            assert other <= (left * found).sum() + 1e-6

    check()


@cases
def test_mixtures_of_trees_are_no_nearer_than_heads(seed, n, size, whole):
    scores = drawn(seed, n, size, whole)
    is_arc = np.isfinite(scores)
    mixture = nearest_mixture(scores, NonProjectiveDecoder(single_root=False))
    heads, _ = nearest_heads(scores, 1e-10, 10_000)
    assert (mixture + mixture.T)[1:, 1:].max() <= 1 + 1e-9
    loss = [((scores - one)[is_arc] ** 2).sum() for one in (heads, mixture)]
    assert loss[0] <= loss[1] + 1e-7


def test_a_ring_of_three_is_broken():
    """Heads allow three words in a ring; no mixture of trees does."""
    scores = np.zeros((4, 4))
    scores[1, 2] = scores[2, 3] = scores[3, 1] = 9.0
    scores[:, 0] = -np.inf
    np.fill_diagonal(scores, -np.inf)
    heads, _ = nearest_heads(scores, 1e-10, 100)
    assert np.allclose(heads[0], 0)
    mixture = nearest_mixture(scores, NonProjectiveDecoder())
    assert np.allclose(mixture[0].sum(), 1)


def test_too_few_trees_are_told(monkeypatch):
    monkeypatch.setattr(treetargets, "MAX_TREES", 1)
    with pytest.warns(HeadwiseWarning, match="of 4 words were not mixed exactly"):
        nearest_mixture(drawn(1, 4, 0.3, False), NonProjectiveDecoder())

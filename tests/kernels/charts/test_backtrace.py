"""Trees drawn from charts."""

import numpy as np
import pytest
from scipy.stats import chisquare

from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation
from oracle import Oracle
from strategies import make_problem


@pytest.mark.parametrize("factorisation", Factorisation)
def test_samples_follow_the_distribution(factorisation: Factorisation) -> None:
    problem = make_problem(4, factorisation, seed=3)
    for single_root in (True, False):
        truth = Oracle(problem.tables, single_root=single_root)
        decoder = ProjectiveDecoder(single_root=single_root)
        samples = decoder.sample(problem.scores(), 20_000, np.random.default_rng(4))
        drawn, counts = np.unique(samples, axis=0, return_counts=True)
        seen = {tuple(heads): count for heads, count in zip(drawn, counts, strict=True)}
        assert set(seen) <= {heads for _, heads in truth.ranked}
        expected = truth.probabilities * len(samples)
        observed = np.array([seen.get(heads, 0) for _, heads in truth.ranked])
        frequent = expected >= 5
        observed = np.append(observed[frequent], observed[~frequent].sum())
        expected = np.append(expected[frequent], expected[~frequent].sum())
        kept = expected > 0
        assert chisquare(observed[kept], expected[kept]).pvalue > 1e-3


def test_samples_depend_on_the_seed_alone() -> None:
    scores = make_problem(5, Factorisation.SIBLINGS, seed=5).scores()
    decoder = ProjectiveDecoder()
    first, second = (decoder.sample(scores, 50, np.random.default_rng(6)) for _ in range(2))
    assert (first == second).all()
    assert (first != decoder.sample(scores, 50, np.random.default_rng(7))).any()

"""Charts of the first order: chains, marginals and numbers of trees."""

import numpy as np
import pytest
from scipy.special import gammaln

from headwise.kernels.charts import order1
from headwise.kernels.primitives.semiring import LOG
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.scores import Scores


def test_long_chains_do_not_recurse() -> None:
    n = 600
    arc = np.full((n + 1, n + 1), -5.0)
    arc[np.arange(n), np.arange(1, n + 1)] = 5.0
    decoder = ProjectiveDecoder()
    assert list(decoder.best(Scores(arc)).heads) == list(range(-1, n))
    second = decoder.kbest(Scores(arc), 2)[1]
    assert second.score == pytest.approx(5.0 * n - 10.0)


@pytest.mark.parametrize("spread", [1.0, 60.0])
def test_linear_and_log_marginals_agree(spread: float) -> None:
    rng = np.random.default_rng(0)
    n = 50
    scores = Scores(spread * rng.normal(size=(n + 1, n + 1)))
    found = ProjectiveDecoder().marginals(scores)
    assert found.arc.sum(axis=0)[1:] == pytest.approx(np.ones(n))
    chart = order1.inside(LOG, scores.arc, np.zeros_like(scores.arc), True)
    assert found.log_partition == pytest.approx(chart.values[n], rel=1e-12)


@pytest.mark.parametrize("n", [250, 400])
def test_the_number_of_trees_of_long_sentences(n: int) -> None:
    """Known in closed form, and beyond the largest float for the longer one."""
    number = gammaln(3 * n - 1) - gammaln(n) - gammaln(2 * n) - np.log(n)
    found = ProjectiveDecoder().marginals(Scores(np.zeros((n + 1, n + 1))))
    assert found.log_partition == pytest.approx(number, rel=1e-10)
    assert found.arc.sum() == pytest.approx(n)

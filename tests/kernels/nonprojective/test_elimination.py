"""Entropy whatever is added to all scores."""

import numpy as np
import pytest

from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.scores import Scores


@pytest.mark.parametrize("brackets", [(), ((2, 6), (3, 4))])
@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("offset", [1e6, 1e9, 1e12, -1e12])
def test_entropy_under_a_common_offset(offset, single_root, brackets):
    # Scores in 4096ths, so that they stay the same numbers beside the offset.
    table = np.round(np.random.default_rng(5).normal(size=(11, 11)) * 4096) / 4096
    decoder = NonProjectiveDecoder(single_root)
    plain = decoder.marginals(Scores(table, brackets=brackets))
    lifted = Scores(table + offset * np.arange(11) / 16, brackets=brackets)
    per_word = decoder.marginals(lifted)
    at_root = table.copy()
    at_root[0] += offset
    assert per_word.entropy == pytest.approx(plain.entropy, abs=1e-9)
    assert per_word.arc == pytest.approx(plain.arc, abs=1e-9)
    expected = plain.log_partition + offset * 55 / 16
    assert per_word.log_partition == pytest.approx(expected, rel=1e-14)
    if single_root:
        lifted = decoder.marginals(Scores(at_root, brackets=brackets))
        assert lifted.entropy == pytest.approx(plain.entropy, abs=1e-9)

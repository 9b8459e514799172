"""How much two words go together."""

import math

import numpy as np

from headwise.parsers.linkmargin.association import Association, count_association


def test_association_is_pmi_of_windows():
    text = [["a", "b"], ["a", "b"], ["c", "d"], ["c", "d"]]
    found = count_association([*text, [], ["a"]]).matrix(["a", "b", "c", "e"])
    assert np.isclose(found[1, 2], math.log(4))  # P(a, b) = 1/4, P(a) = P(b) = 1/4
    assert found[1, 2] == found[2, 1]
    assert found[0].any() == found[1, 3] == found[1, 4] == 0
    nothing = Association((), np.empty(0, np.int64), np.empty(0, np.float32))
    assert not nothing.matrix(["a"]).any()

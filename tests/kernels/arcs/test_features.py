"""Places of features against the definition."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arcweights import (
    FEATURES,
    plausible_of,
    weights_of,
)
from headwise.kernels.arcs.entries import MIRRORED, ArcList, arc_entries
from headwise.scoring.linear import AtomEncoder
from slowarcs import MARGINS, places, sentences


@settings(max_examples=20)
@given(sentences(), st.data())
def test_places_are_those_of_the_definition(sentence, data):
    encoded = AtomEncoder().encode([sentence], [sentence])
    tokens = encoded.sentence(0)
    m = data.draw(st.integers(1, len(sentence)))
    h = data.draw(st.integers(0, len(sentence)).filter(lambda token: token != m))
    weights = weights_of("float", plausible=plausible_of(encoded, data.draw(MARGINS)))
    slow = [*places(FEATURES.templates, tokens, h, m, weights)]
    arcs = ArcList(*(np.array([value]) for value in (0, h, m)), np.array([-2.0]))
    row, place, value = arc_entries(FEATURES.compiled(), tokens, weights, arcs)
    assert (place & ~MIRRORED).tolist() == slow
    assert not row.any()
    assert (value == -2.0).all()

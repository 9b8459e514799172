"""Words as bytes, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.errors import ModelError, UsageError
from headwise.storage.packednames import pack_names, unpack_names

NAMES = st.text(st.characters(exclude_characters="\n"), min_size=1)


@given(st.lists(NAMES, unique=True))
def test_names_come_back(names):
    assert unpack_names(pack_names(names)) == tuple(names)


def test_a_line_break_is_refused():
    with pytest.raises(UsageError, match="line break"):
        pack_names(["a\nb"])


@pytest.mark.parametrize("damaged", [b"a\nb\na", b"a\xff"])
def test_damage_is_noticed(damaged):
    with pytest.raises(ModelError, match="damaged"):
        unpack_names(np.frombuffer(damaged, np.uint8))

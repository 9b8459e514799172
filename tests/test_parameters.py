"""Parameters: whole numbers within bounds and flags, whoever made them."""

import numpy as np
import pytest

from headwise.errors import UsageError
from headwise.parameters import flag, whole_number


def test_numbers_of_numpy_are_whole_numbers():
    assert type(whole_number("k", np.int16(3))) is int
    assert whole_number("k", np.array(3), 1, 3) == 3


@pytest.mark.parametrize("value", [0, 4, 2.0, True, None, "2", np.float64(2), [2]])
def test_all_else_is_refused(value):
    with pytest.raises(UsageError, match="^k must be an integer from 1 to 3, not "):
        whole_number("k", value, 1, 3)


def test_flags_are_true_or_false():
    assert flag("force", True) is True
    assert flag("force", np.bool_(False)) is False


@pytest.mark.parametrize("value", ["no", "", 0, 1, None, [True]])
def test_what_only_counts_as_true_or_false_is_refused(value):
    with pytest.raises(UsageError, match="^force must be True or False, not "):
        flag("force", value)

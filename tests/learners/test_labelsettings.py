"""Settings of labellers."""

import pytest

from headwise.errors import UsageError
from headwise.learners.labelsettings import LabellerSettings


@pytest.mark.parametrize(
    "wrong", [{"epochs": 0}, {"members": 0}, {"margin": -1.0}, {"drop_up_to": -1}]
)
def test_settings_are_checked(wrong):
    with pytest.raises(UsageError):
        LabellerSettings(**wrong).check()

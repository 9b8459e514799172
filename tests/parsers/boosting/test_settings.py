"""Settings of boosting without meaning are refused."""

import pytest
from boostingtoys import boosted

from headwise.errors import UsageError


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"update": "m3"}, "expected one of 'additive', 'm1', 'm2', 'logistic', not 'm3'"),
        ({"keep": "some"}, "expected one of 'last', 'ensemble', not 'some'"),
        ({"prior": "flat"}, "expected one of 'exponential', 'l2', not 'flat'"),
        ({"tags": "none"}, "expected one of 'both', 'upos', 'xpos', not 'none'"),
        ({"rounds": 0}, "rounds must be 1 or more"),
        ({"strength": 0.0}, "strength must be above 0"),
        ({"step": -1.0}, "step must be above 0"),
        ({"longest": 0}, "longest must be 1 or more"),
        ({"grandchildren": ("ADP",)}, "choose the link score odds"),
        ({"grandchildren": ("ADP",), "dynamic": False}, "choose dynamic"),
    ],
)
def test_settings_without_meaning_are_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        boosted(**settings)

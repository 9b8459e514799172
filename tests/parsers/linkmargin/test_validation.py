"""β by cross-validation."""

import numpy as np
import pytest
from margintoys import TRAIN, fitted

from headwise.errors import InputError


def test_beta_is_chosen_by_cross_validation(tmp_path):
    parser = fitted(betas=(0.1, 1000.0), folds=3, checkpoint=tmp_path / "c", epochs=500)
    found = parser.report_["validation"]
    assert {key: len(own) for key, own in found.items()} == {"0.1": 3, "1000.0": 3}
    assert parser.report_["beta"] == 0.1
    assert np.mean(found["0.1"]) > np.mean(found["1000.0"])
    again = fitted(betas=(0.1, 1000.0), folds=3, checkpoint=tmp_path / "c", resume=True, epochs=500)
    assert again.report_["validation"] == found


def test_a_treebank_smaller_than_the_folds_is_refused():
    with pytest.raises(InputError, match="2 sentences .* too few for a cross-validation with 5"):
        fitted(TRAIN[:2], betas=(1.0, 2.0))

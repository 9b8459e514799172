"""The scale of integer weights: the one that changes trees least."""

from dataclasses import replace

import numpy as np
from trainings import new_training

from headwise.learners.quantising import faithfully_quantised


def test_one_huge_weight_does_not_blur_all_others():
    training = new_training()
    trained = training.run().tables
    weights = trained.weights.copy()
    unused = int(np.flatnonzero(weights[trained.sizes.narrow_start :] == 0)[0])
    weights[trained.sizes.narrow_start + unused] = 1e5
    spoilt = replace(trained, weights=weights)
    development = training.development
    wanted = development.search(trained).best_encoded(development.encoded)

    def same(tables) -> float:
        return float(
            np.mean(development.search(tables).best_encoded(development.encoded) == wanted)
        )

    assert same(spoilt.quantised(8)) < 0.9
    found = faithfully_quantised(spoilt, 8, development.search, development.encoded)
    assert found.weights.dtype == np.int8
    assert same(found) > 0.98

"""Finished models score as those that learn."""

import numpy as np
import pytest

from arcweights import FEATURES, plausible_of, scores_of, weights_of
from headwise.corpus.sentence import Sentence
from headwise.kernels.arcs.plausible import EVERYTHING
from headwise.kernels.arcs.scores import ARCS_AT_A_TIME
from headwise.scoring.linear import AtomEncoder
from headwise.scoring.linear.atoms import EncodedSentences


def some(sizes: list[int], tags: int) -> EncodedSentences:
    """Random sentences of some sizes, with so many different tags to choose from."""
    rng = np.random.default_rng(3)
    made = []
    for n in sizes:
        words = [f"word{i}" for i in rng.integers(0, 20, n)]
        xpos = [f"X{i}" for i in rng.integers(0, tags, n)]
        upos = [("VERB", "PUNCT", "CCONJ", "NOUN")[int(tag[1:]) % 4] for tag in xpos]
        heads = rng.integers(0, n + 1, n).tolist()
        made.append(Sentence.from_words(words, lemmas=words, upos=upos, xpos=xpos, heads=heads))
    return AtomEncoder().encode(made, made)


LONG = int(ARCS_AT_A_TIME**0.5) + 20
TAGS, BLOCKS = 16, 20


@pytest.mark.parametrize("kind", ["8 bits", "16 bits"])
@pytest.mark.parametrize(
    ("sizes", "tags"),
    [
        ([1], 1),
        ([7, 1, 12, 30], 9),
        ([LONG, 3], 12),  # in several pieces
        ([9] * 40, 3 * TAGS),  # forgets tags
        ([25] * 6, TAGS),  # more pairs of tags than are remembered
    ],
)
@pytest.mark.parametrize("margin", [60, EVERYTHING])
def test_scores_are_those_of_the_same_weights_as_floats(kind, sizes, tags, margin):
    encoded = some(sizes, tags)
    finished = weights_of(kind, 0.5, plausible_of(encoded, margin))
    floats = (table.astype(np.float32) for table in (finished.wide, finished.narrow))
    learning = weights_of("float", 0.5, finished.plausible)
    learning = learning._replace(wide=next(floats), narrow=next(floats))
    found = scores_of(FEATURES, encoded, finished, TAGS, BLOCKS)
    np.testing.assert_array_equal(found, scores_of(FEATURES, encoded, learning))

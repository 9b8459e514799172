"""What parsers of links find."""

import numpy as np
from lexicaltoys import made_similarity
from margintoys import SIMILAR, fitted

from headwise import Sentence


def test_what_is_like_seen_links_is_found():
    """A word that was never seen hangs where similar words hang."""
    similar = {**SIMILAR, "wood": {"forest": 0.9, "tree": 0.8}}
    parser = fitted(similarity=made_similarity(similar), neighbours=2)
    known = parser.predict([["the", "forest", "grows", "."]])[0].heads
    assert parser.predict([["the", "wood", "grows", "."]])[0].heads == known
    weights = parser.model_.scores(["the", "wood", "grows", "."])
    alone = fitted().model_.scores(["the", "wood", "grows", "."])
    assert weights[1, 2] != 0.0
    numbers = fitted().model_.of_numbers(["the", "wood", "grows", "."])
    assert np.allclose(alone[2], numbers[2])


def test_links_have_no_direction():
    scores = fitted().model_.scores(["the", "old", "tree", "grows"])
    assert np.array_equal(scores, scores.T)


def test_one_word_is_a_tree_and_no_word_is_none():
    parser = fitted()
    assert parser.predict([["Yes"]])[0].heads == (0,)
    assert parser.predict([Sentence.from_words([])])[0].heads == ()

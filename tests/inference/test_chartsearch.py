"""Questions about charts, against enumeration."""

import numpy as np
import pytest
from boostingtoys import TRAIN, boosted

from headwise.corpus.sentence import Sentence
from headwise.errors import LimitError
from headwise.search.decoders.decoding import Decoding
from oracle import trees

SENTENCE = Sentence.from_words(
    ["the", "old", "forest", "grows", "behind"],
    upos=["DET", "ADJ", "NOUN", "VERB", "ADP"],
    xpos=["DET", "ADJ", "NOUN", "VERB", "ADP"],
)
EVERY = trees(5, projective=True, single_root=True)


def test_everything_that_can_be_asked_is_answered():
    search = boosted().search()
    encoded = search.encode([SENTENCE])
    scores = search.scores_of(encoded.sentence(0))
    chances = np.array([scores.of_tree(heads) for heads in EVERY])
    chances = np.exp(chances - chances.max())
    chances /= chances.sum()
    found = search.marginals(scores)
    for head, word in ((3, 1), (4, 3), (0, 4)):
        expected = sum(p for p, heads in zip(chances, EVERY, strict=True) if heads[word] == head)
        assert found.arc[head, word] == pytest.approx(expected)
    best = search.decoded(scores, Decoding())
    assert search.tree_probability(scores, found, best) == pytest.approx(chances.max())
    assert len(search.decoded(scores, Decoding("mbr"))) == len(SENTENCE) + 1
    given = SENTENCE.with_tree([2, 4, 4, 0, 4])
    kept = search.keeping_heads(encoded.sentence(0), given)
    assert search.decoder.best(kept).heads.tolist() == [-1, 2, 4, 4, 0, 4]


def test_a_sentence_that_is_too_long_is_an_error_with_its_place():
    endless = Sentence.from_words(["old"] * 700, upos=["X"] * 700, comments=["# sent_id = s9"])
    with pytest.raises(LimitError, match=r"sentence s9\): a sentence of 700 words"):
        boosted(TRAIN[:5]).predict([endless])

"""Similar words: windows, mutual information and cosines, against slow twins."""

import pytest

from headwise.errors import InputError, UsageError
from headwise.text.similarity.words import WordSimilarity, similarity_smoothed

TEXT = [line.split() for line in ("the big dog saw the cat", "a dog saw", "cat", "", "the the cat")]


def test_case_is_made_small_unless_it_shall_be_kept():
    sentences = [["A", "b"], ["a", "c"], ["A", "c"]]
    assert WordSimilarity(least=1).fit(sentences).number_of("A") == 0
    kept = WordSimilarity(least=1, lowercase=False).fit(sentences)
    assert kept.number_of("a") != kept.number_of("A")


def test_bad_calls_are_refused():
    with pytest.raises(UsageError, match="neighbours must be 1 or more, not 0"):
        WordSimilarity(neighbours=0).fit(TEXT)
    with pytest.raises(InputError, match="no two words that occur 5 times"):
        WordSimilarity().fit([[], ["one"]])
    with pytest.raises(UsageError, match="nothing was learnt yet"):
        WordSimilarity().similar("a")


def test_smoothing_is_the_weighted_average_of_similar_words():
    chances = {"beer": 0.5, "wine": 0.2, "tea": 0.0}
    similar = [("wine", 0.3), ("tea", 0.1)]
    assert similarity_smoothed(similar, chances.__getitem__) == pytest.approx(0.15)
    assert similarity_smoothed([], chances.__getitem__) == 0.0

"""Windows of words."""

from collections import Counter

import numpy as np

from headwise.text.similarity.contexts import count_contexts, numbered
from slowsimilarity import slow_pairs

TEXT = [line.split() for line in ("the big dog saw the cat", "a dog saw", "cat", "", "the the cat")]


def test_a_window_ends_with_the_nearest_word_that_is_no_stop_word():
    text = numbered(TEXT, 100, 1)
    assert text.words[:2] == ("the", "cat")
    contexts = count_contexts(text, stop_words=1)
    names = np.array(text.words)
    found = {
        (str(names[w]), str(names[c])): int(n)
        for w, c, n in zip(contexts.word, contexts.context, contexts.count, strict=True)
    }
    assert found["saw", "the"] == 1
    assert found["saw", "cat"] == found["cat", "saw"] == 1  # behind a stop word
    assert ("big", "saw") not in found
    assert found["the", "the"] == 2  # each is in the window of the other
    expected = Counter((a, b) for a, b, _ in slow_pairs(TEXT, {"the"}))
    assert found == expected

"""Windows against plain Python."""

from headwise.text.similarity.contexts import count_contexts, numbered


def test_words_that_are_too_rare_end_windows_and_are_in_no_pair():
    text = numbered([["a", "x", "b"], ["a", "b"], ["b", "a"]], 100, 2)
    assert text.words == ("a", "b")
    assert count_contexts(text.blocks(), len(text.words), 0).count.tolist() == [2, 2]

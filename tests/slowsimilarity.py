"""Similar words in plain Python."""


def slow_pairs(sentences, stop_words):
    """Every word with the words of its window, and the side they are on."""
    for words in sentences:
        for i, word in enumerate(words):
            for side, outwards in enumerate((words[:i][::-1], words[i + 1 :])):
                for other in outwards:
                    yield word, other, side
                    if other not in stop_words:
                        break

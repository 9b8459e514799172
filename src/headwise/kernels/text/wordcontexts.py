# mypy: allow-untyped-defs
"""The contexts of words in running text (Wang 2008, section 3.6.2)."""

import numpy as np

from headwise.kernels.runtime.jit import helper, kernel


@kernel
def context_pairs(tokens, starts, stop_words, words, contexts):
    """Every word with every word of its window, as `word * contexts + context`.

    The window of a token goes on each side to the nearest word that is not a stop word, and takes
    in the stop words before it; it stays within the sentence. Words below `stop_words` are stop
    words. Negative tokens are words that are not looked at: they end windows, and are in no pair.
    `contexts` is the number of words, or twice that: then what stands on the right is another
    context than the same on the left.
    """
    total = 0
    for s in range(len(starts) - 1):
        for i in range(starts[s], starts[s + 1]):
            total += window_end(tokens, i, starts[s + 1], stop_words) - i
    pairs = np.empty(2 * total, np.int64)
    found = 0
    for s in range(len(starts) - 1):
        for i in range(starts[s], starts[s + 1]):
            for j in range(i + 1, window_end(tokens, i, starts[s + 1], stop_words) + 1):
                if tokens[i] >= 0 and tokens[j] >= 0:
                    pairs[found] = np.int64(tokens[i]) * contexts + contexts - words + tokens[j]
                    pairs[found + 1] = np.int64(tokens[j]) * contexts + tokens[i]
                    found += 2
    return pairs[:found]


@helper
def window_end(tokens, i, end, stop_words):
    """The last token of a window on the right; i itself if the sentence ends with it."""
    j = i
    while j + 1 < end:
        j += 1
        if not 0 <= tokens[j] < stop_words:
            break
    return j

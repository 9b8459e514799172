"""The treebank of docs/lexical.md, and similar words that nobody had to learn."""

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.parsers.lexical.counts import Counts
from headwise.text.similarity.words import WordSimilarity

TREEBANK = [
    Sentence.from_words(["Dogs", "bark"], heads=[2, 0], upos=["NOUN", "VERB"]),
    Sentence.from_words(
        ["Big", "dogs", "bark", "loudly"], heads=[2, 3, 0, 3], upos=["ADJ", "NOUN", "VERB", "ADV"]
    ),
]


def made_similarity(table: dict[str, dict[str, float]]) -> WordSimilarity:
    """Similarities as given."""
    words = tuple(dict.fromkeys([*table, *(word for own in table.values() for word in own)]))
    most = max(1, *map(len, table.values()))
    near = np.full((len(words), most), -1, np.int32)
    cosine = np.zeros((len(words), most), np.float32)
    for row, word in enumerate(words):
        own = sorted(table.get(word, {}).items(), key=lambda pair: -pair[1])
        near[row, : len(own)] = [words.index(other) for other, _ in own]
        cosine[row, : len(own)] = [value for _, value in own]
    return WordSimilarity(neighbours=most).with_words(words, near, cosine, 100)


def links_of(counts: Counts, names) -> dict[tuple[str, str, int, int], tuple[int, int]]:
    """The table of links as a dictionary: (head, modifier, c, side) to (C, K)."""
    table = counts.links
    rows = np.repeat(np.arange(len(table.start) - 1), np.diff(table.start))
    columns = (rows, table.modifier, table.before, table.seen, table.linked)
    return {
        (names[row // 2], names[modifier], before, row % 2): (seen, linked)
        for row, modifier, before, seen, linked in zip(
            *(column.tolist() for column in columns), strict=True
        )
    }

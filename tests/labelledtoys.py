"""The toy treebank with relations that tags and sides tell."""

from headwise.corpus.sentence import Sentence
from toytreebank import toy_treebank

NAMES = {"DET": "det", "ADJ": "amod", "ADP": "obl:arg", "PUNCT": "punct", "SCONJ": "mark"}


def relation(tag: str, word: int, head: int) -> str:
    """What a word is to its head."""
    if head == 0:
        return "root"
    if tag == "NOUN":
        return "nsubj" if word < head else "obj"
    return NAMES[tag]


def labelled_treebank(count: int, seed: int, **settings: float) -> list[Sentence]:
    """Sentences with trees and relations."""
    return [
        one.with_tree(
            one.heads,
            [
                relation(t, w, h or 0)
                for w, (t, h) in enumerate(zip(one.upos, one.heads, strict=True), 1)
            ],
        )
        for one in toy_treebank(count, seed, **settings)
    ]


def noisy(sentences):
    """The sentences with some labels that nobody can know."""
    return [
        one.with_tree(
            one.heads, [r if n % 7 or h == 0 else "det" for n, (r, h) in enumerate(pairs)]
        )
        for one in sentences
        for pairs in [list(zip(one.relations, one.heads, strict=True))]
    ]

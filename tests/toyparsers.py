"""Parsers that were trained in a moment on a made-up language, for tests of parsing."""

import warnings
from functools import cache

import numpy as np

from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.inference.treesearch import TreeSearch
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear.tables import TableSizes

TINY = TableSizes(wide=10, narrow=10, filters=8, labels=10)

NOUNS, VERBS, ADVERBS = ("dog", "cat", "tree"), ("sees", "likes"), ("often", "today")


def toy_sentence(rng: np.random.Generator, number: int) -> Sentence:
    """The N V the N [ADV] [and N]: sometimes the adverb goes with the noun, unseen by tags."""
    forms = ["The", rng.choice(NOUNS), rng.choice(VERBS), "the", rng.choice(NOUNS)]
    tags = ["DET", "NOUN", "VERB", "DET", "NOUN"]
    heads = [2, 3, 0, 5, 3]
    if rng.random() < 0.7:
        forms, tags = [*forms, rng.choice(ADVERBS)], [*tags, "ADV"]
        heads = [*heads, 3 if rng.random() < 0.7 else 5]
    if rng.random() < 0.5:
        forms, tags = [*forms, "and", rng.choice(NOUNS)], [*tags, "CCONJ", "NOUN"]
        heads = [*heads, len(forms), 5]
    return Sentence.from_words(
        [str(form) for form in forms],
        upos=tags,
        heads=heads,
        relations=["root" if head == 0 else "arc" for head in heads],
        comments=[f"# sent_id = toy-{number}"],
    )


@cache
def toy_sentences(count: int = 60, seed: int = 0) -> tuple[Sentence, ...]:
    """Sentences of the language, and the sample, which has crossing arcs."""
    rng = np.random.default_rng(seed)
    return (*read_sample(), *(toy_sentence(rng, i) for i in range(count)))


@cache
def toy_parser(decoder: str = "projective", *, guided: bool = False) -> DependencyParser:
    """A parser of the language."""
    sentences = toy_sentences()
    parser = DependencyParser(decoder=decoder, features="paper-000", epochs=2, tables=TINY)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*have crossing arcs")
        if guided:
            return parser.fit(sentences, guides=sentences)
        return parser.fit(sentences, sentences[-30:])


def toy_search(decoder: str = "projective", *, guided: bool = False) -> TreeSearch:
    """The parser at work."""
    return toy_parser(decoder, guided=guided).search()


def without_heads(sentence: Sentence) -> Sentence:
    """The sentence as a parser gets it."""
    return sentence.with_tree([None] * len(sentence), ["_"] * len(sentence))

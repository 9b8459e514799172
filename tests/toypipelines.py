"""A pipeline that was trained in a moment on a treebank made by rule."""

from dataclasses import replace
from functools import cache

from texttreebank import treebank

from headwise.corpus.sentence import Sentence
from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline.pipeline import Pipeline
from headwise.text.lemmas import Lemmatiser
from headwise.text.tagger import Tagger, TaggerTraining
from headwise.text.tokeniser import Tokeniser, TokeniserTraining
from toytreebank import SMALL


def toy_trees(count: int, seed: int = 0) -> list[Sentence]:
    """Sentences with texts, tags, lemmas and trees; every word hangs on the one before it."""
    made = treebank(count, seed)
    return [
        replace(one, relations=tuple("root" if head == 0 else "dep" for head in one.heads))
        for one in made
    ]


@cache
def toy_pipeline() -> Pipeline:
    """All stages."""
    made = toy_trees(100)
    return Pipeline(
        tokeniser=Tokeniser.fit(made, TokeniserTraining(bits=14)),
        tagger=Tagger.fit(made, TaggerTraining(bits=16, epochs=4)),
        lemmas=Lemmatiser.fit(made),
        parser=DependencyParser(features="paper-000", epochs=2, tables=SMALL).fit(made),
        name="toy",
        version="1",
    )

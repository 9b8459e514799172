"""Candidates for a reranker to learn from: of each part of a treebank, by a parser of the others.

A parser's lists of the sentences it learned from are better than any others will be: a reranker
that learned from them would trust the parser too much. Their scores are those of parsers that were
calibrated on the part they parse, as the scores are that a reranker will meet: those of a parser
with development data.
"""

from collections.abc import Iterator, Sequence

from headwise.corpus.folds import folds_of
from headwise.corpus.sentence import Sentence
from headwise.learners.settings import TrainingSettings
from headwise.parameters import parameters_of
from headwise.parsers.graph.parser import DependencyParser
from headwise.progress import Progress, silent
from headwise.reranking.lists import TreeList


def jackknifed(
    sentences: Sequence[Sentence],
    settings: TrainingSettings | None = None,
    *,
    folds: int = 5,
    k: int = 20,
    progress: Progress = silent,
) -> Iterator[TreeList]:
    """The k best trees of every sentence, by a parser that did not learn from its part."""
    chosen = settings or TrainingSettings()
    number = 0
    for fold, (others, own) in enumerate(folds_of(sentences, folds), 1):
        progress("jackknife", fold, folds)
        parser = DependencyParser(**parameters_of(chosen)).fit(others).calibrate(own)
        for sentence in own:
            number += 1
            yield candidates_of(parser, sentence, k, str(number))


def candidates_of(parser: DependencyParser, sentence: Sentence, k: int, name: str) -> TreeList:
    """The k best trees of a sentence, which is called by its id, or by a name if it has none.

    Scores are at the temperature of the model: `decide` has its distribution over these trees.
    """
    found = parser.kbest(sentence, k)
    trees, scores = [tree for tree, _ in found], [score for _, score in found]
    return TreeList.of(sentence.id or name, trees, scores)

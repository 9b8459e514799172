"""Jackknifing: k-best lists to train a reranker on, each fold parsed by a parser of the others.

A parser's lists for its own training sentences are unrealistically good: a reranker trained on
them would trust the parser too much. Each parser is calibrated on the fold that it parses, since
the reranker will later see the scores of a parser calibrated on development data.
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
    """The k best trees of every sentence, by a parser not trained on its fold."""
    chosen = settings or TrainingSettings()
    number = 0
    for fold, (others, own) in enumerate(folds_of(sentences, folds), 1):
        progress("jackknife", fold, folds)
        parser = DependencyParser(**parameters_of(chosen)).fit(others).calibrate(own)
        for sentence in own:
            number += 1
            yield candidates_of(parser, sentence, k, str(number))


def candidates_of(parser: DependencyParser, sentence: Sentence, k: int, name: str) -> TreeList:
    """The k best trees of a sentence, identified by its id, or else by `name`.

    Scores are at the temperature of the model, so that `decide` sees its distribution.
    """
    found = parser.kbest(sentence, k)
    trees, scores = [tree for tree, _ in found], [score for _, score in found]
    return TreeList.of(sentence.id or name, trees, scores)

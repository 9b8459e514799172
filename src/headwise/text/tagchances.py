"""How likely each tag of each word is, by a tagger.

A tagger learns margins, not probabilities: its scores become probabilities at a temperature that
is fitted to words which it has not learnt from.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.kernels.text.tag_chances import tag_chances
from headwise.text.tagger import Tagger
from headwise.text.tags import NO_GAP, Tag

Distributions = Mapping[str, tuple[Sequence[str], NDArray[np.float64]]]
"""By column: its tags, and the probability of each for each word, [word, tag]."""


def tag_distributions(
    tagger: Tagger, sentences: Sequence[Sentence], temperature: float
) -> Distributions:
    """The probabilities of UPOS, XPOS and FEATS of all words, one after the other.

    Those of a column are sums over all whole tags that have a value there.
    """
    weights = tagger.weights._replace(gap=np.int32(NO_GAP))
    tags, chances = tag_chances(
        tagger.see(sentences), weights, np.zeros(0, np.int32), float(temperature)
    )
    columns = Tag._fields if tagger.feats else Tag._fields[:2]
    return {name: of_column(tagger.tags, name, tags, chances) for name in columns}


def of_column(
    all_tags: Sequence[Tag], column: str, tags: NDArray[np.int32], chances: NDArray[np.float64]
) -> tuple[Sequence[str], NDArray[np.float64]]:
    """The values of a column, and the probability of each for each word."""
    numbers: dict[str, int] = {}
    of_tag = [numbers.setdefault(getattr(tag, column), len(numbers)) for tag in all_tags]
    found = np.zeros((len(tags), len(numbers)))
    words, tried = np.nonzero(tags >= 0)
    np.add.at(found, (words, np.array(of_tag)[tags[words, tried]]), chances[words, tried])
    return list(numbers), found

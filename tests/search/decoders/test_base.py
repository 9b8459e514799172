"""Ranking of scored trees, and the protocol that all decoders follow."""

import inspect

import numpy as np
import pytest

from headwise.errors import LimitError, UsageError
from headwise.search.decoders.base import Decoder, ScoredTree, ranked
from headwise.search.decoders.climb import ClimbDecoder
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.scores import Scores


def test_trees_are_ranked_by_score_and_equals_keep_their_order():
    trees = [ScoredTree(np.array([-1, n]), score) for n, score in enumerate([1.0, 3.0, 1.0, 2.0])]
    assert [int(tree.heads[1]) for tree in ranked(trees)] == [1, 3, 0, 2]


@pytest.mark.parametrize("kind", [ProjectiveDecoder, NonProjectiveDecoder, ClimbDecoder])
def test_decoders_answer_the_questions_of_the_protocol(kind):
    for name in ("best", "kbest", "marginals", "sample"):
        asked, answered = (inspect.signature(getattr(one, name)) for one in (Decoder, kind))
        assert list(answered.parameters)[: len(asked.parameters)] == list(asked.parameters)


@pytest.mark.parametrize("decoder", [ProjectiveDecoder(), NonProjectiveDecoder()])
def test_decoders_say_what_they_take(decoder):
    with pytest.raises(
        UsageError, match=r"a decoder takes Scores, as Scores\(array\), not ndarray"
    ):
        decoder.best(np.zeros((3, 3)))
    with pytest.raises(LimitError, match="do not fit into memory: draw at most"):
        decoder.sample(Scores(np.zeros((3, 3))), 10**13, 0)

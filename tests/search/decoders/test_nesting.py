"""Non-projective trees in brackets."""

from dataclasses import replace

import numpy as np
import pytest

from headwise.errors import ConstraintError
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.scores import Scores


def test_marginals_in_brackets_are_the_gradient():
    table = np.random.default_rng(9).normal(size=(8, 8))
    decoder, brackets = NonProjectiveDecoder(), ((2, 6), (3, 4))
    found = decoder.marginals(Scores(table, brackets=brackets)).arc
    for head, modifier in [(0, 1), (1, 5), (2, 4), (5, 3), (3, 4), (7, 2), (4, 7)]:
        up, down = table.copy(), table.copy()
        up[head, modifier] += 1e-5
        down[head, modifier] -= 1e-5
        slope = (
            decoder.marginals(Scores(up, brackets=brackets)).log_partition
            - decoder.marginals(Scores(down, brackets=brackets)).log_partition
        ) / 2e-5
        assert found[head, modifier] == pytest.approx(slope, abs=1e-7)


def test_many_sentences_some_of_them_with_brackets():
    rng = np.random.default_rng(3)
    plain = [Scores(rng.normal(size=(6, 6))) for _ in range(3)]
    many = [plain[0], replace(plain[1], brackets=((2, 4),)), plain[2]]
    decoder = NonProjectiveDecoder()
    alone = [decoder.best(scores) for scores in many]
    assert [tuple(one.heads) for one in decoder.best_many(many)] == [
        tuple(one.heads) for one in alone
    ]
    many[1] = replace(plain[1], brackets=((2, 4), (3, 5)))
    with pytest.raises(ConstraintError, match=r"^sentence 1 of 3.*words 2 to 4 form one subtree"):
        decoder.best_many(many)


@pytest.mark.parametrize(
    ("brackets", "named"),
    [
        (((2, 4), (3, 5), (1, 1)), ("2 to 4", "3 to 5")),
        (((1, 5), (1, 2), (3, 5)), ("1 to 5", "1 to 2", "3 to 5")),
    ],
)
@pytest.mark.parametrize("decoder", [NonProjectiveDecoder(False), ProjectiveDecoder(False)])
def test_impossible_brackets_are_named(brackets, named, decoder):
    scores = Scores(np.zeros((6, 6)), brackets=brackets)
    names = "; ".join(f"words {one} form one subtree" for one in named)
    for question in (decoder.best, decoder.marginals):
        with pytest.raises(ConstraintError, match=f"these brackets: {names}$"):
            question(scores)


def test_brackets_that_need_several_roots():
    scores = Scores(np.zeros((6, 6)), brackets=((1, 2), (3, 5)))
    for decoder in (NonProjectiveDecoder(), ProjectiveDecoder()):
        with pytest.raises(ConstraintError, match="tree with a single root over .* has these"):
            decoder.best(scores)
    assert NonProjectiveDecoder(single_root=False).best(scores).score == 0.0

import numpy as np
import pytest

import oracle
from headwise.errors import UsageError
from headwise.search.decoders.choice import arc_decoder_of, decoder_of
from headwise.search.decoders.climb import ClimbDecoder
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder


@pytest.mark.parametrize(
    ("projective", "higher", "kind"),
    [
        (True, False, ProjectiveDecoder),
        (True, True, ProjectiveDecoder),
        (False, False, NonProjectiveDecoder),
        (False, True, ClimbDecoder),
    ],
)
@pytest.mark.parametrize("single_root", [True, False])
def test_the_decoder_fits_trees_and_parts(projective, higher, kind, single_root):
    found = decoder_of(projective=projective, higher=higher, single_root=single_root)
    assert found == kind(single_root)


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("single_root", [True, False])
def test_trees_of_many_sentences_are_the_best(projective, single_root):
    random = np.random.default_rng(0)
    arcs = [random.standard_normal((n + 1, n + 1)) for n in (1, 4, 2, 5)]
    flat, sizes = np.concatenate([one.ravel() for one in arcs]), np.array([2, 5, 3, 6])
    decoder = arc_decoder_of(projective=projective, single_root=single_root)
    found, totals = decoder.best_trees(flat, sizes)
    pieces = np.split(found, np.cumsum(sizes)[:-1])
    for own, heads, total in zip(arcs, pieces, totals, strict=True):
        n = len(own) - 1
        every = oracle.trees(n, projective=projective, single_root=single_root)
        scores = {tree: own[list(tree[1:]), range(1, n + 1)].sum() for tree in every}
        best = max(scores, key=scores.__getitem__)
        assert heads[1:].tolist() == list(best[1:])
        assert total == pytest.approx(scores[best])


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize(
    ("arcs", "sizes", "message"),
    [(8, [3], r"\(8,\) scores for 9 arcs"), (1, [1], "must have at least 1 word")],
)
def test_scores_must_fit_their_sentences(projective, arcs, sizes, message):
    decoder = arc_decoder_of(projective=projective, single_root=True)
    with pytest.raises(UsageError, match=message):
        decoder.best_trees(np.zeros(arcs), np.array(sizes))

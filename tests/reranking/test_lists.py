import numpy as np
import pytest

from candidatelists import TREES, candidate
from headwise.errors import FormatError, InputError, MismatchError, TreeError
from headwise.reranking.lists import TreeList


def test_a_list_knows_its_trees():
    trees = [candidate(heads) for heads in TREES]
    found = TreeList.of("s1", trees, [1.0, 3.0, 3.0])
    assert len(found) == 3
    assert found.best is trees[1]  # of equals the first
    assert found.heads.tolist() == [[-1, *heads] for heads in TREES]
    numbers, names = found.relations()
    assert names == ["dep", "root"]
    assert numbers[0].tolist() == [0, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("trees", "scores", "error", "message"),
    [
        ([], [], FormatError, "no tree"),
        ([candidate(TREES[0])], [1.0, 2.0], FormatError, "1 trees, but 2 scores"),
        ([candidate(TREES[0])], [np.nan], FormatError, "nan"),
        ([candidate(TREES[0])], [-np.inf], FormatError, "zero"),
        ([candidate([2, None, 4, 2], ["_"] * 4)], [0.0], TreeError, "word 2 has no head"),
        ([candidate([2, 1, 4, 2])], [0.0], TreeError, "cycle"),
        (
            [candidate(TREES[0]), candidate([0, 1], forms=("we", "saw"))],
            [0.0, 0.0],
            MismatchError,
            "2 words here, but 4",
        ),
        (
            [candidate(TREES[0]), candidate(TREES[0], forms=("we", "saw", "odd", "men"))],
            [0.0, 0.0],
            MismatchError,
            "word 3 is 'odd' here, but 'old'",
        ),
    ],
)
def test_bad_lists(trees, scores, error, message):
    with pytest.raises(error, match=message):
        TreeList.of("s1", trees, scores)


def test_relations_are_asked_for():
    found = TreeList.of("s1", [candidate(TREES[0], ["a", "_", "b", "c"])], [0.0])
    with pytest.raises(InputError, match="word 2 has no relation: use the unlabelled loss"):
        found.require_relations()

import numpy as np
import pytest

from candidatelists import TREES, candidate, ranked
from headwise.corpus.formats import write_sentences
from headwise.errors import FormatError, MismatchError, UsageError
from headwise.reranking.files import committee, read_candidates, write_candidates
from headwise.reranking.lists import TreeList


def written(path, *sentences):
    write_sentences(path, sentences)
    return path


def test_lists_are_read_and_written(tmp_path):
    path = written(
        tmp_path / "a.conllu",
        ranked(TREES[0], 1, -1.0),
        ranked(TREES[1], 2, -2.5),
        candidate(TREES[2], comments=["# sent_id = doc/7"]),  # no score: no rank
        candidate(TREES[2]),
        ranked(TREES[0], 1, 0.5, name="s/4"),
    )
    found = list(read_candidates(path))
    assert [one.sentence_id for one in found] == ["s1", "doc/7", "3", "s/4"]
    assert [len(one) for one in found] == [2, 1, 1, 1]
    assert found[0].scores.tolist() == [-1.0, -2.5]
    assert found[1].scores.tolist() == [0.0]
    write_candidates(tmp_path / "b.conllu", found)
    again = list(read_candidates(tmp_path / "b.conllu"))
    assert [one.heads.tolist() for one in again] == [one.heads.tolist() for one in found]
    assert [one.scores.tolist() for one in again] == [one.scores.tolist() for one in found]


def test_the_best_is_written_first(tmp_path):
    trees = [candidate(heads) for heads in TREES]
    write_candidates(tmp_path / "a.conllu", [TreeList.of("s", trees, [0.1, 2.0, 0.30000000000004])])
    (found,) = read_candidates(tmp_path / "a.conllu")
    assert found.scores.tolist() == [2.0, 0.30000000000004, 0.1]
    assert [tree.heads for tree in found.trees] == [TREES[1], TREES[2], TREES[0]]


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([ranked(TREES[0], 2, 0.0)], "candidate 2 follows nothing"),
        ([ranked(TREES[0], 1, 0.0), ranked(TREES[1], 3, 0.0)], "candidate 3 follows 1 of 's1'"),
        ([ranked(TREES[0], 1, "good")], "the score 'good' is not a number"),
        ([ranked(TREES[0], 1, "nan")], "the score is nan"),
        ([ranked(TREES[0], 1, "-inf")], "probability of this tree is zero"),
    ],
)
def test_bad_files(tmp_path, sentences, message):
    path = written(tmp_path / "bad.conllu", *sentences)
    with pytest.raises(FormatError, match=message) as caught:
        list(read_candidates(path))
    assert "bad.conllu:" in str(caught.value)
    assert "(sentence s1/" in str(caught.value)


def one(heads, relations=None, score=0.0):
    return TreeList.of("s1", [candidate(heads, relations)], [score])


def test_a_committee_votes_and_equal_trees_are_one():
    (found,) = committee([[one(TREES[0])], [one(TREES[1])], [one(TREES[0], score=9.0)]])
    assert [tree.heads for tree in found.trees] == [TREES[0], TREES[1]]
    assert np.exp(found.scores) == pytest.approx([2 / 3, 1 / 3])


def test_a_committee_has_weights_and_members_share_theirs():
    pair = TreeList.of("s1", [candidate(heads) for heads in TREES[:2]], [0.0, np.log(3.0)])
    (found,) = committee([[pair], [one(TREES[2])]], [3.0, 1.0])
    assert np.exp(found.scores) == pytest.approx([3 / 16, 9 / 16, 4 / 16])
    (flat,) = committee([[pair], [one(TREES[2])]], [2.0, 2.0], scale=0.0)
    assert np.exp(flat.scores) == pytest.approx([0.25, 0.25, 0.5])


@pytest.mark.parametrize("weights", [[1.0], [1.0, 0.0], [1.0, np.nan], [1.0, -2.0], [1.0, np.inf]])
def test_bad_weights(weights):
    with pytest.raises(UsageError):
        list(committee([[one(TREES[0])], [one(TREES[1])]], weights))


def test_files_of_other_sentences():
    with pytest.raises(MismatchError, match="a file ends after 1 sentence,"):
        list(committee([[one(TREES[0])], [one(TREES[1]), one(TREES[1])]]))
    other = TreeList.of("s1", [candidate([0, 1], forms=("I", "see"))], [0.0])
    with pytest.raises(MismatchError, match="2 words here, but 4"):
        list(committee([[one(TREES[0])], [other]]))


def test_a_number_that_no_rank_can_be_is_part_of_a_name(tmp_path):
    name = f"s/{'1' * 5000}"
    path = written(tmp_path / "a.conllu", candidate(TREES[0], comments=[f"# sent_id = {name}"]))
    assert [one.sentence_id for one in read_candidates(path)] == [name]

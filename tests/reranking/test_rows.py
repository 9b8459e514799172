"""Features of candidates as rows of numbers."""

import numpy as np

from headwise.reranking.rows import FeatureRows, Vocabulary
from rankedwords import Words


def test_rows_leave_out_what_candidates_have_in_common_and_rare_features():
    vocabulary = Vocabulary()
    rows = vocabulary.rows(
        Words(("ab", "ac", "aa"), np.array([1.0, 3.0, 2.0])), [list], 2.0, learn=True
    )
    dense = np.zeros((3, len(vocabulary)))
    for place in range(3):
        columns, values = rows.row(place)
        dense[place, columns] = values
    assert dense[:, 0].tolist() == [-1.0, 0.0, -0.5]
    assert dense[:, vocabulary.columns["a"]].tolist() == [1.0, 1.0, 2.0]
    same = vocabulary.rows(Words(("ab", "ba"), np.zeros(2)), [list], 1.0)
    assert same.columns.tolist() == [0, 0]
    small, (kept, _) = vocabulary.reduced([rows, rows.part(0, 2)], 2)
    assert small.names == ["a", "b", "c"]
    assert len(kept) == 3
    assert isinstance(FeatureRows.joined([rows, same]), FeatureRows)

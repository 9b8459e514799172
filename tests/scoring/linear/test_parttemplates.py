"""Templates of parts as rows of text."""

import numpy as np
import pytest

from headwise.errors import FormatError
from headwise.scoring.linear.partsets import DEFAULT, PART_SETS, load_part_features
from headwise.scoring.linear.parttemplates import PartFeatureSet


def test_rows_are_read_as_they_are_written():
    for rows in PART_SETS.values():
        found = PartFeatureSet.parse(rows)
        assert PartFeatureSet.parse(map(str, found.templates)) == found
    assert len(PartFeatureSet.parse(DEFAULT).templates) == len(set(DEFAULT))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("cousin h.tag", "unknown part type 'cousin'"),
        ("sibling g.tag", "a sibling part has no token 'g'"),
        ("sibling h.colour", "'h.colour' is not an atom"),
        ("sibling", "has no atoms"),
    ],
)
def test_a_wrong_row_is_named(tmp_path, row, message):
    (tmp_path / "own.txt").write_text(f"# mine\n{row}\n")
    with pytest.raises(FormatError, match=message) as caught:
        load_part_features(tmp_path / "own.txt")
    assert "2" in str(caught.value)


def test_templates_have_seeds_of_their_own():
    compiled = load_part_features("default").compiled()
    assert len(np.unique(compiled.seed)) == len(compiled.seed)

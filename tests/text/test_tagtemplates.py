import pytest

from headwise.kernels.text.tag_features import ALWAYS, GIVEN, SUFFIX, WITHIN, WORD
from headwise.text import tagtemplates
from headwise.text.tagtemplates import ATOMS, TEMPLATES, tag_templates


def test_every_row_is_a_template():
    templates = tag_templates()
    rows = TEMPLATES.strip().splitlines()
    assert len(templates.seed) == len(templates.applies) == len(templates.start) - 1 == len(rows)
    assert set(templates.applies.tolist()) == {ALWAYS, WITHIN, GIVEN}
    assert len(set(map(str.strip, rows))) == len(rows)
    assert set(templates.atom.tolist()) <= set(ATOMS.values())


@pytest.fixture
def templates_of(monkeypatch):
    """Make templates of rows that are not those of the package."""

    def make(rows):
        monkeypatch.setattr(tagtemplates, "TEMPLATES", rows)
        return tag_templates.__wrapped__()

    return make


def test_a_template_is_added_by_adding_a_row(templates_of):
    made = templates_of("0 always word\n40 within -2.word suffix2 +1.word\n")
    assert made.start.tolist() == [0, 1, 4]
    assert made.atom.tolist() == [WORD, WORD, SUFFIX + 1, WORD]
    assert made.offset.tolist() == [0, -2, 0, 1]
    assert made.applies.tolist() == [ALWAYS, WITHIN]


@pytest.mark.parametrize("row", ["0 always wird", "0 always +0.word", "0 given word form"])
def test_rows_that_mean_nothing_are_refused(row, templates_of):
    with pytest.raises(ValueError, match=r"is not an atom|one atom"):
        templates_of(row)

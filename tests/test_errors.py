"""Messages are short, however long the data is that they quote."""

from functools import partial

import pytest

from headwise.corpus.formats import read_sentences
from headwise.errors import (
    HeadwiseWarning,
    InputError,
    SourceLocation,
    counted,
    listed,
    quoted,
)
from headwise.evaluate import evaluate

LONG = "x" * 10_000


def test_long_values_are_cut():
    assert quoted("a\tb") == r"'a\tb'"
    assert quoted(LONG) == repr("x" * 40 + "…")
    assert len(quoted([LONG])) == 41
    assert quoted(None) == "None"


def test_one_thing_is_no_plural():
    assert [counted(n, "word") for n in (0, 1, 2000)] == ["0 words", "1 word", "2,000 words"]


def test_long_lists_are_cut():
    assert listed([1, 2, 3]) == "1, 2, 3"
    assert listed(range(1, 2001)) == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 1,990 more"


@pytest.mark.parametrize(
    "place", [SourceLocation("a.conllu", 3, LONG), SourceLocation(None, None, LONG)]
)
def test_a_long_sentence_id_is_cut(place):
    error = InputError("is bad", place)
    assert len(str(error)) < 100
    assert error.location.sentence_id == LONG


def test_warnings_are_issued_at_the_line_that_called_the_package(tmp_path):
    path = tmp_path / "gold.conllu"
    path.write_text("\ufeff1\tWe\t_\t_\t_\t_\t0\t_\t_\t_\n\n", "utf-8")
    read = partial(read_sentences, path)
    for call in (lambda: list(read()), lambda: evaluate(read(), read())):
        with pytest.warns(HeadwiseWarning) as issued:
            call()
        assert {one.filename for one in issued} == {__file__}

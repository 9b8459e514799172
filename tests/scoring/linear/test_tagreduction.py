"""Tag reductions: their files, what each set keeps, and which one is chosen by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.errors import FormatError, UsageError
from headwise.scoring.linear.tagreduction import (
    MOST_TAGS,
    REDUCTION_SETS,
    WHOLE,
    TagReduction,
    default_reduction,
)

CZECH = "NNFS1-----A----"
ARABIC = "N------S2D"


@pytest.mark.parametrize(
    ("name", "tag", "reduced"),
    [
        ("collins", CZECH, "N---1"),
        ("collins", "NNNXX-----A---8", "N---X"),
        ("collins", "RR--6----------", "R---6"),
        ("collins", "VB-S---3P-AA---", "VB"),
        ("collins", "J^-------------", "J^"),
        ("collins", "P4-------------", "P4"),  # not the same as a pronoun in the fourth case:
        ("collins", "PDFS4----------", "P---4"),
        ("collins", "NNS", "NNS"),  # no tag of Prague
        ("major-minor", CZECH, "NN"),
        ("major-minor", "VP-A-3MS--", "VP"),
        ("arabic", ARABIC, "N-------2"),
        ("arabic", "VP-A-3MS--", "VP-------"),
        ("arabic", CZECH, CZECH),
        ("penn", "VBZ", "VB"),
        ("penn", "PRP$", "PRP$"),
        ("penn", ",", ","),
        ("chinese", "NR", "N"),
        ("chinese", "CD", "CD"),
        ("upos", CZECH, "_"),
        ("first-1", "NNS", "N"),
        ("first-12", "NNS", "NNS"),
        ("none", CZECH, CZECH),
    ],
)
def test_what_is_kept(name, tag, reduced):
    assert TagReduction.load(name).reduced(tag) == reduced


@pytest.mark.parametrize("name", REDUCTION_SETS)
@given(tag=st.text(min_size=1, max_size=20))
def test_every_set_reduces_anything(name, tag):
    reduced = TagReduction.load(name).reduced(tag)
    assert 0 < len(reduced) <= len(tag)
    assert all(one in (own, "-", "_") for one, own in zip(reduced, tag, strict=False))


@pytest.mark.parametrize("name", REDUCTION_SETS)
def test_rows_say_the_same(name):
    one = TagReduction.load(name)
    assert TagReduction.parse(one.rows()) == one


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("# verbs are verbs\nkeep  1   where 1 is V v\n\nkeep 1-2 4 where 3 is x\n")
    mine = TagReduction.load(path)
    assert [mine.reduced(tag) for tag in ("VBZ", "abxde", "abyde", "ab")] == [
        "V",
        "ab-d",
        "abyde",
        "ab",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("drop 1", "is not a rule"),
        ("keep", "is not a rule"),
        ("keep where 5 is 1", "is not a rule"),
        ("keep 0", "'0' is not a position"),
        ("keep 1-", "'1-' is not a position"),
        ("keep 1234", "is not a position"),
        ("keep 1 where 5", "write `where 5 is 1 2 3`"),
        ("keep 1 where 5 is", "write `where 5 is 1 2 3`"),
        ("keep 1 where x is y", "'x' is not a position"),
        ("@length many", "'many' is not a position"),
    ],
)
def test_errors_say_where(line, message):
    with pytest.raises(FormatError, match=f"^mine.txt:2: .*{message}"):
        TagReduction.parse(["keep 1", line], "mine.txt")


def test_a_file_without_rules_is_refused():
    with pytest.raises(FormatError, match="no tag reduction"):
        TagReduction.parse(["# nothing", "@length 15"])


def test_other_names_are_refused():
    with pytest.raises(
        UsageError, match="no tag reduction 'colins': .* collins, .* first-N, none$"
    ):
        TagReduction.load("colins")


def many(pattern: str) -> set[str]:
    return {pattern.format(i) for i in range(MOST_TAGS + 1)}


def test_few_tags_are_never_reduced_by_default():
    tags = sorted(many("NN{:03}----------"))
    assert default_reduction(tags[:MOST_TAGS], with_upos=True) == "none"
    assert TagReduction.load("none") is WHOLE


@pytest.mark.parametrize(
    ("pattern", "name"),
    [("NN{:03}----------", "collins"), ("N------{:03}", "arabic"), ("sf{}n", "upos")],
)
def test_many_tags_are_reduced_as_they_look(pattern, name):
    assert default_reduction(many(pattern), with_upos=True) == name


def test_a_tag_remains_where_there_is_no_other():
    assert default_reduction(many("sf{}n"), with_upos=False) == "first-2"

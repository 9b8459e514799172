import pytest

from headwise.errors import FormatError, UsageError
from headwise.kernels.arcs.kinds import Scoring
from headwise.scoring.linear.templates import FeatureSet, Template


@pytest.mark.parametrize(
    ("row", "scoring"),
    [
        ("plain h.word h.tag", Scoring.HEAD_ALONE),
        ("distance h.tag m.upos", Scoring.TAGS),
        ("distance h.upos m.tag m+1.tag", Scoring.PAIR),
        ("direction h.word m.tag", Scoring.NARROW_PAIR),
        ("direction m.word", Scoring.NARROW_MODIFIER_ALONE),
        ("plain h.word m.word", Scoring.PAIR),
        ("distance h-1.tag m-2.tag", Scoring.PAIR),
        ("direction h.lemma m.lemma", Scoring.NARROW_PAIR),
        ("distance h.tag m.tag counts", Scoring.COUNTING),
        ("plain h.tag b.upos m.tag", Scoring.BETWEEN),
    ],
)
def test_templates_are_scored_with_the_least_work(row, scoring):
    template = Template.parse(row)
    assert template.scoring == scoring
    assert Template.parse(str(template)) == template


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("sideways h.tag", "unknown conjunction 'sideways'; choose from plain, distance"),
        ("plain h.size", "'h.size' is not an atom"),
        ("plain x.tag", "is not an atom"),
        ("plain h+12.tag", "is not an atom"),
        ("plain", "needs atoms of the head or the modifier"),
        ("plain b.tag", "needs atoms of the head or the modifier"),
        ("plain h.word b.tag m.tag", "can use tags only"),
        ("plain h.tag b.tag b.upos m.tag", "can use tags only"),
        ("plain h.tag b.word m.tag", "by their tags only"),
        ("direction h.tag b.tag m.tag", "require plain or distance"),
        ("plain h.backoff guide", "cannot be combined with backoff"),
        ("distance h.backoff m.tag counts", "cannot be combined with backoff"),
        ("plain h.word m.backoff", "can use word or backoff"),
        ("plain h+1.backoff", "at the head and modifier only"),
    ],
)
def test_bad_rows_are_refused_with_their_line(row, message):
    with pytest.raises(FormatError, match="my.txt:3: .*" + message.replace("+", r"\+")):
        FeatureSet.parse(["# mine", "plain h.tag", row], "my.txt")


def test_sets_from_files(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("direction h.word m.word\ndistance h.tag m.tag  # tags\n")
    assert len(FeatureSet.load(path).templates) == 2
    with pytest.raises(UsageError, match="no feature set or file 'nothing'"):
        FeatureSet.load("nothing")


def test_the_order_of_rows_does_not_matter():
    rows = ["plain h.tag", "direction h.word m.word", "distance h.tag m.tag"]
    assert FeatureSet.parse(rows) == FeatureSet.parse(rows[::-1])

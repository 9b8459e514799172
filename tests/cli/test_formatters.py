"""Trees are written as the option or the ending says, or the call is refused."""

import json
from pathlib import Path

import pytest

from headwise.cli.formatters import formatter_of, writer_of
from headwise.corpus.conllu import read_conllu
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError

TREES = [
    Sentence.from_words(["We", "read"], heads=[2, 0], relations=["nsubj", "root"]),
    Sentence.from_words(["Yes"], heads=[0], relations=["root"]),
]


def written(path: Path, name: str | None = None, trees=TREES, **options) -> str:
    writer_of(path, name, **options)(trees)
    return path.read_text("utf-8")


def test_the_ending_says_how(tmp_path):
    assert written(tmp_path / "a.conllu").startswith("1\tWe\t")
    assert [one.heads for one in read_conllu(tmp_path / "a.conllu")] == [(2, 0), (0,)]
    rows = [json.loads(line) for line in written(tmp_path / "a.jsonl").splitlines()]
    assert [len(one["words"]) for one in rows] == [2, 1]
    assert written(tmp_path / "a.tsv").startswith("sentence\tword\tform")
    assert "root" in written(tmp_path / "a.tree")


def test_the_name_goes_before_the_ending(tmp_path):
    assert written(tmp_path / "a.conllu", "tokens") == "We read\nYes\n"


def test_one_tree_is_a_drawing_and_several_are_a_page(tmp_path):
    one = written(tmp_path / "a.svg", trees=TREES[:1])
    two = written(tmp_path / "b.svg")
    assert one.startswith("<svg")
    assert two.startswith("<svg")
    assert (">Yes<" in one, ">Yes<" in two) == (False, True)


def test_each_tree_is_written_before_the_next_is_read(tmp_path):
    path = tmp_path / "a.conllu"

    def sentences():
        yield TREES[0]
        assert any("We" in part.read_text("utf-8") for part in tmp_path.iterdir())
        yield TREES[1]

    written(path, trees=sentences(), flush=True)
    with pytest.raises(UsageError, match="an SVG image contains all trees"):
        writer_of(tmp_path / "a.svg", None, flush=True)


@pytest.mark.parametrize(
    ("path", "name", "message"),
    [
        ("a.doc", None, "a.doc has no known file extension; choose --to from conllu, "),
        ("a.conllu", "word", "unknown format 'word'; choose --to from conllu, "),
        ("a.txt", None, "plain text cannot store trees; name the file .conllu"),
        ("a.mrg", None, "trees cannot be written as brackets"),
        ("-", "brackets", "trees cannot be written as brackets"),
    ],
)
def test_what_cannot_be_written_is_said(path, name, message):
    with pytest.raises(UsageError, match=message):
        formatter_of(Path(path), name)


def test_a_folder_is_no_file_and_a_device_is_one(tmp_path):
    with pytest.raises(UsageError, match="is a folder; name a file in it"):
        formatter_of(tmp_path, None)
    assert "".join(formatter_of(Path("/dev/null"), None)(TREES)).startswith("1\tWe\t")

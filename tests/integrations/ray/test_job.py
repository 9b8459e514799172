"""Which files become which, and how."""

import pickle
from pathlib import Path

import pytest

from headwise.errors import UsageError
from headwise.inference.answers import ParseOptions
from headwise.integrations.ray.job import (
    EXTENSIONS,
    FilePair,
    Recipe,
    found_files,
    is_big,
    paired,
    renamed,
)
from headwise.integrations.textcolumns import TextColumn


@pytest.fixture
def corpus(tmp_path) -> Path:
    for name in ("a.txt", "b.txt.gz", "sub/a.txt", "c.conllu"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text")
    return tmp_path


def test_names_of_outputs():
    assert renamed(Path("x/a.txt.gz"), "conllu") == Path("x/a.conllu")
    assert renamed(Path("a.b.txt"), "parquet") == Path("a.b.parquet")
    assert renamed(Path("a"), "tsv") == Path("a.tsv")


def test_patterns_and_folders_are_kept(corpus):
    pairs = paired([f"{corpus}/**/*.txt*"], Path("out"), "conllu")
    assert [(pair.source.name, pair.target.as_posix()) for pair in pairs] == [
        ("a.txt", "out/a.conllu"), ("b.txt.gz", "out/b.conllu"), ("a.txt", "out/sub/a.conllu"),
    ]  # fmt: skip
    (only,) = paired([f"{corpus}/sub/a.txt", f"{corpus}/sub/*.txt"], Path("out"), "jsonl")
    assert only.target == Path("out/a.jsonl")


def test_bad_calls_are_refused(corpus):
    with pytest.raises(UsageError, match=r"no file matches .*/\*.xml"):
        found_files([f"{corpus}/*.txt", f"{corpus}/*.xml"])
    with pytest.raises(UsageError, match="name the files"):
        found_files([])
    (corpus / "a.text").write_text("x")
    with pytest.raises(UsageError, match="would both become"):
        paired([f"{corpus}/a.*"], Path("out"), "conllu")
    with pytest.raises(UsageError, match="cannot be written as 'svg'"):
        Recipe("svg").check()
    with pytest.raises(UsageError, match="kbest"):
        Recipe(options=ParseOptions(kbest=0)).check()


def test_recipes_can_be_sent_and_described(corpus):
    for name in EXTENSIONS:
        recipe = Recipe(name, table=TextColumn("text"))
        recipe.check()
        assert pickle.loads(pickle.dumps(recipe)) == recipe
        assert pickle.loads(pickle.dumps(recipe.input_of(corpus / "x.jsonl"))).kind == "documents"
    assert Recipe().described("m 1") == Recipe().described("m 1")
    assert Recipe().described("m 1") != Recipe("tsv").described("m 1")
    assert recipe.described("m")["table"] == "TextColumn(column='text', id_column=None)"


def test_only_long_raw_text_is_cut(corpus):
    pair = FilePair(corpus / "a.txt", corpus / "o")
    assert not is_big(pair, Recipe(), 4)
    assert is_big(pair, Recipe(), 3)
    assert not is_big(pair, Recipe(kind="tokenized"), 3)
    assert not is_big(FilePair(corpus / "c.conllu", corpus / "o"), Recipe(), 3)
    packed = FilePair(corpus / "b.txt.gz", corpus / "o")
    assert is_big(packed, Recipe(), 12)
    assert not is_big(packed, Recipe(), 16)

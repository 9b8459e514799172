"""Words of files, again and again."""

from pathlib import Path

import pytest

from headwise.corpus.formats import write_sentences
from headwise.errors import UsageError
from headwise.pipeline.wordlists import TOKEN, word_lists
from toyensembles import linear_pipeline
from toytreebank import toy_treebank


def test_files_of_all_kinds_are_read_twice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("The tree grows.\n\nIt's old.\n")
    Path("b.tok").write_text("a-b c .\n")
    write_sentences("c.conllu", toy_treebank(1))
    read = word_lists([Path("a.txt"), Path("b.tok"), Path("c.conllu")])
    expected = [["The", "tree", "grows", "."], [], ["It's", "old", "."], ["a-b", "c", "."]]
    for _ in range(2):
        *found, last = read()
        assert [list(one) for one in found] == expected
        assert last == toy_treebank(1)[0].forms


def test_raw_text_is_split_by_a_model(tmp_path):
    linear_pipeline().save(tmp_path / "m")
    (tmp_path / "a.txt").write_text("the tree grows.\n")
    read = word_lists([tmp_path / "a.txt"], str(tmp_path / "m"))
    assert [list(one) for one in read()] == [["the", "tree", "grows", "."]]


def test_words_and_signs():
    assert TOKEN.findall("L’État, c'est 3.14 moi!") == [
        "L’État", ",", "c'est", "3", ".", "14", "moi", "!"
    ]  # fmt: skip


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="standard input"):
        word_lists([Path("-")])
    with pytest.raises(UsageError, match="no file"):
        word_lists([tmp_path / "none.txt"])
    (tmp_path / "a.txt").touch()
    linear_pipeline().parser.save(tmp_path / "m")
    with pytest.raises(UsageError, match="no tokeniser"):
        word_lists([tmp_path / "a.txt"], str(tmp_path / "m"))

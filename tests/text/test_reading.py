import pytest
from texttreebank import treebank

from headwise.errors import FormatError
from headwise.text import reading
from headwise.text.rawtext import running_text
from headwise.text.reading import read_blocks
from headwise.text.tokeniser import Tokeniser, TokeniserTraining


@pytest.fixture(scope="module")
def tokeniser() -> Tokeniser:
    return Tokeniser.fit(treebank(100), TokeniserTraining(bits=14))


def test_blocks_give_the_sentences_of_the_whole(tokeniser, tmp_path):
    text = running_text(treebank(200, seed=1)).text
    path = tmp_path / "text.txt"
    path.write_text(text, encoding="utf-8", newline="")
    blocks = list(read_blocks(path, usual_bytes=1000))
    assert len(blocks) > 3
    assert "".join(blocks) == text
    forms = [one.forms for block in blocks for one in tokeniser.split(block)]
    assert forms == [one.forms for one in tokeniser.split(text)]


@pytest.mark.parametrize("text", ["", "\n", "a b " * 3000, "a\n" * 6000, "ä😀" * 3000, "x" * 9000])
def test_blocks_are_bounded_and_lose_nothing(text, tmp_path, monkeypatch):
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    monkeypatch.setattr(reading, "MOST_BYTES", 400)
    assert "".join(read_blocks(path, usual_bytes=100)) == text


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"one\ntwo \xff\n")
    with pytest.raises(FormatError, match="text.txt:2.*0xff"):
        list(read_blocks(path))
    assert "".join(read_blocks(path, errors="replace")) == "one\ntwo \ufffd\n"

from pathlib import Path

import pytest
from texttreebank import treebank

from headwise.errors import FormatError, HeadwiseWarning
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


@pytest.mark.filterwarnings("ignore:.*the text is cut")
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


def in_pieces(path, limits):
    data = Path(path).read_bytes()
    return (data[at : at + 300] for at in range(0, len(data), 300))


def test_the_end_of_a_file_is_no_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "USUAL_BYTES", 100)
    monkeypatch.setattr(reading, "MOST_BYTES", 400)
    path = tmp_path / "text.txt"
    path.write_text("a cat\n" * 200)
    assert len(list(read_blocks(path))) == 1


def test_the_first_cut_is_warned_of_with_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "USUAL_BYTES", 100)
    monkeypatch.setattr(reading, "MOST_BYTES", 400)
    path = tmp_path / "text.txt"
    path.write_text("Ä dog.\n\n" + "a cat\n" * 200)
    monkeypatch.setattr(reading, "read_chunks", in_pieces)
    with pytest.warns(HeadwiseWarning) as caught:
        blocks = list(read_blocks(path))
    assert len(blocks) > 2
    (message,) = [str(one.message) for one in caught]
    line, character = blocks[0].count("\n") + 1, len(blocks[0]) + 1
    assert (
        f"text.txt:{line}, character {character:,}: there is no blank line in the 512 KiB before"
        in message
    )


def test_blocks_that_end_with_a_blank_line_are_no_cuts(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "USUAL_BYTES", 100)
    path = tmp_path / "text.txt"
    path.write_bytes(b"a cat\r\n \r\n" * 100)
    assert len(list(read_blocks(path))) > 2


@pytest.mark.parametrize("end", [".", '!"', "?) ", "。", "…”\r"])
def test_a_sentence_a_line_is_not_cut_within_sentences(end, tmp_path, monkeypatch):
    """Any warning would be an error here."""
    monkeypatch.setattr(reading, "USUAL_BYTES", 100)
    monkeypatch.setattr(reading, "MOST_BYTES", 400)
    monkeypatch.setattr(reading, "read_chunks", in_pieces)
    path = tmp_path / "text.txt"
    path.write_bytes(f"a cat\nis here{end}\n".encode() * 200)
    blocks = list(read_blocks(path))
    assert len(blocks) > 2
    assert all(block.endswith(f"here{end}\n") for block in blocks)

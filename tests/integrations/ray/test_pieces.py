"""Pieces of a text, parsed one by one, are the text parsed at once."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus import files
from headwise.errors import FormatError, HeadwiseWarning
from headwise.integrations.ray.pieces import INDEX, cut_file, document_of, piece_sentences
from headwise.pipeline.inputs import RAW, Input, read_inputs
from headwise.text import reading
from toypipelines import toy_pipeline


def tokeniser():
    return toy_pipeline().tokeniser


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """Blocks as short as the texts of tests."""
    patch = pytest.MonkeyPatch()
    patch.setattr(reading, "USUAL_BYTES", 40)
    patch.setattr(reading, "MOST_BYTES", 200)
    yield
    patch.undo()


def sentences_at_once(path):
    return list(read_inputs([Input(RAW, path)], tokeniser))


PARAGRAPHS = st.lists(
    st.sampled_from(
        ["The dog sees a cat.", "\n\n", "\n", " ", "The king. The boy", "é😀", "\r\n\r\n"]
    ),
    max_size=40,
)


@given(PARAGRAPHS, st.integers(1, 200), st.booleans())
def test_pieces_have_the_sentences_of_the_whole(tmp_path_factory, paragraphs, size, packed):
    folder = tmp_path_factory.mktemp("pieces")
    path = folder / ("text.txt.gz" if packed else "text.txt")
    text = "".join(paragraphs).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    pieces = cut_file(path, folder / "parts", tokeniser(), "strict", size)
    found = [s for one in pieces for s in piece_sentences(one, path, folder / "parts", tokeniser())]
    whole = sentences_at_once(path)
    assert found == whole
    assert [one.start for one in found] == [one.start for one in whole]
    assert [one.location for one in found] == [one.location for one in whole]
    assert sum(sum(one.blocks) for one in pieces) == len(text.decode())


def test_text_without_blank_lines_is_cut_as_one_process_cuts_it(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "CHUNK", 700)
    path = tmp_path / "text.txt"
    path.write_text("The dog sees a cat \n" * 500)
    with pytest.warns(HeadwiseWarning, match="text is cut here"):
        pieces = cut_file(path, tmp_path / "parts", tokeniser(), "strict", 1000)
    assert len(pieces) > 3
    with pytest.warns(HeadwiseWarning, match="text is cut here"):
        whole = sentences_at_once(path)
    assert [
        s for one in pieces for s in piece_sentences(one, path, tmp_path / "parts", tokeniser())
    ] == whole


def test_a_file_is_cut_once_until_it_changes(tmp_path):
    path, folder = tmp_path / "text.txt", tmp_path / "parts"
    path.write_text("The dog sees a cat.\n\n" * 20)
    pieces = cut_file(path, folder, tokeniser(), "strict", 100)
    pieces[0].result_path(folder).write_text("parsed")
    pieces[0].text_path(folder).unlink()
    assert cut_file(path, folder, tokeniser(), "strict", 100) == pieces
    assert pieces[0].result_path(folder).exists()
    kept = (folder / INDEX).read_text()
    for damaged in (
        "{",
        "[" * 100_000,
        "[]",
        '{"pieces": []}',
        kept.replace('"offset": 0', '"offset": "0"'),
    ):
        assert damaged != kept
        (folder / INDEX).write_text(damaged)
        assert cut_file(path, folder, tokeniser(), "strict", 100) == pieces
    pieces[0].result_path(folder).write_text("parsed")
    (folder / INDEX).unlink()  # it was not finished
    assert cut_file(path, folder, tokeniser(), "strict", 100) == pieces
    assert not pieces[0].result_path(folder).exists()
    path.write_text("The dog sees a cat.\n\n" * 19)
    assert cut_file(path, folder, tokeniser(), "strict", 100) != pieces
    assert json.loads((folder / INDEX).read_bytes())["state"][0] == path.stat().st_size


def test_pieces_know_their_document(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("The dog sees a cat.\n\n" * 20)
    first, second, *_ = cut_file(path, tmp_path / "parts", tokeniser(), "strict", 100)
    assert (document_of(first, path), document_of(second, path)) == (None, "text.txt")


def test_bad_text_is_an_error(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"The dog.\n\n\xff" * 20)
    with pytest.raises(FormatError, match="text.txt:3: not UTF-8"):
        cut_file(path, tmp_path / "parts", tokeniser(), "strict", 100)
    assert cut_file(path, tmp_path / "parts", tokeniser(), "replace", 100)

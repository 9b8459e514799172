"""What can be parsed, and what is taken for what."""

from pathlib import Path

import pytest

from headwise.corpus.formats import write_sentences
from headwise.errors import FormatError, HeadwiseWarning, UsageError
from headwise.pipeline.inputs import (
    PRESEGMENTED,
    RAW,
    TOKENIZED,
    Input,
    input_of,
    kind_of,
    read_inputs,
)
from toypipelines import toy_pipeline, toy_trees


def read(*inputs: Input, errors: str = "strict"):
    return list(read_inputs(inputs, toy_pipeline().need_tokeniser, errors))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("The dog. A cat.\n\nThe tree.")
    Path("notes").write_text("The dog.")
    write_sentences("a.conllu", toy_trees(2))


def test_files_and_texts_are_told_apart():
    assert input_of("a.txt", None) == Input(RAW, Path("a.txt"))
    assert input_of("notes", None) == Input(RAW, Path("notes"))
    assert input_of("a.conllu", None) == Input("conllu", Path("a.conllu"))
    assert input_of("a.txt", TOKENIZED) == Input(TOKENIZED, Path("a.txt"))
    assert kind_of(Path("/dev/fd/63")) == RAW  # as a shell writes for <(command)
    assert input_of("", None) == Input(RAW, text="")
    for name in ("a.tok", "b.tok.gz"):
        Path(name).touch()
        assert input_of(name, None) == Input(TOKENIZED, Path(name))
    assert input_of("-", None) == Input(RAW, Path("-"))
    assert input_of("-", None, stream_kind="conllu").kind == "conllu"
    assert input_of("Some text.", None) == Input(RAW, text="Some text.")
    assert input_of("See a.txt", None) == Input(RAW, text="See a.txt")
    assert input_of("word " * 5000, None).path is None
    assert input_of("https://example.org/a", None).text == "https://example.org/a"
    assert input_of("either/or it is", None).text == "either/or it is"


@pytest.mark.parametrize("name", ["b.conllu", "b.TXT", "deep/b.txt.gz", "deep/b", "./b", "deep/"])
def test_a_file_that_is_missing_is_no_text(name):
    with pytest.raises(UsageError, match="there is no file"):
        input_of(name, None)
    with pytest.raises(UsageError, match="there is no file"):
        input_of("Some text.", "conllu")


def test_what_looks_like_a_path_can_be_called_a_text():
    with pytest.raises(UsageError, match="headwise parse --text and/or$"):
        input_of("and/or", None)
    with pytest.raises(UsageError, match="headwise parse --text book.PDF$"):
        input_of("book.PDF", None)
    assert input_of("We read book.pdf", None).text == "We read book.pdf"
    for kind in (RAW, PRESEGMENTED, TOKENIZED):
        assert input_of("and/or", kind) == Input(kind, text="and/or")
        with pytest.raises(UsageError, match="there is no file b.txt$"):
            input_of("b.txt", kind)


def test_a_folder_is_neither():
    Path("folder").mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        input_of("folder", None)


def test_sentences_are_numbered_and_named():
    found = read(Input(RAW, Path("a.txt")), Input(RAW, text="A bird."))
    assert [one.comments for one in found] == [
        ("# newdoc id = a.txt", "# sent_id = 1", "# text = The dog."),
        ("# sent_id = 2", "# text = A cat."),
        ("# sent_id = 3", "# text = The tree."),
        ("# sent_id = 4", "# text = A bird."),
    ]
    assert [one.start for one in found] == [0, 9, 17, 0]


def test_a_sentence_a_line():
    text = "The dog sees. A cat.\n\nThe tree.\n"
    found = read(Input(PRESEGMENTED, text=text))
    assert [one.text for one in found] == ["The dog sees. A cat.", "The tree."]
    assert text[found[1].words[1].start :].startswith("tree")
    assert found[0].forms[-1] == "."


def test_tokens_a_line():
    found = read(Input(TOKENIZED, text="doesn't  see .\n\nX\t y"))
    assert [one.forms for one in found] == [("doesn't", "see", "."), ("X", "y")]
    assert found[0].comments == ("# sent_id = 1", "# text = doesn't see .")


def test_treebanks_keep_what_they_have():
    assert read(Input("conllu", Path("a.conllu"))) == toy_trees(2)


def test_bytes_that_are_no_text():
    Path("bad.txt").write_bytes(b"The \xff dog.")
    for kind in (RAW, PRESEGMENTED, TOKENIZED):
        with pytest.raises(FormatError, match="bad.txt:1.*0xff"):
            read(Input(kind, Path("bad.txt")))
        (found,) = read(Input(kind, Path("bad.txt")), errors="replace")
        assert found.text == "The \ufffd dog."
    with pytest.raises(FormatError, match="<argument>:1.*0xff"):
        read(Input(RAW, text="The \udcff dog."))
    assert read(Input(RAW, text="The \udcff dog."), errors="replace")[0].forms[1] == "\ufffd"
    with pytest.raises(UsageError, match="only text can be read"):
        read(Input("conllu", Path("a.conllu")), errors="replace")


def test_a_byte_order_mark_is_dropped_with_a_warning():
    Path("bom.txt").write_bytes(b"\xef\xbb\xbfThe dog.")
    with pytest.warns(UserWarning, match="byte order mark"):
        (found,) = read(Input(RAW, Path("bom.txt")))
    assert found.forms[0] == "The"


def test_text_that_is_cut_is_told_once_of_all_files():
    Path("long.txt").write_text("The dog.\n\n" + "dog " * 1200)
    with pytest.warns(HeadwiseWarning) as caught:
        read(*[Input(RAW, Path("long.txt"))] * 2)
    (message,) = [str(one.message) for one in caught]
    assert message.startswith("long.txt:3, character 2,011: no sentence ends within 500 tokens")


def test_lines_of_presegmented_text_can_be_put_together_again():
    Path("lines.txt").write_text("The dog.\n A cat\n")
    first, second = read(Input(PRESEGMENTED, Path("lines.txt")))
    assert (first.misc[-1], second.misc[-1]) == ("SpacesAfter=\\n", "SpacesAfter=\\n")
    assert first.misc[1] == "SpaceAfter=No"
    assert (first.start, second.start) == (0, 10)
    (alone,) = read(Input(PRESEGMENTED, text="The dog."))
    assert alone.misc[-1] == "SpaceAfter=No"


def test_sentences_of_text_know_their_file_and_line():
    Path("lines.txt").write_text("The dog sees.\nA cat.\n\nThe cat sleeps.\n")
    lines = read(Input(PRESEGMENTED, Path("lines.txt")))
    assert [(one.path, one.line) for one in lines] == [
        ("lines.txt", 1),
        ("lines.txt", 2),
        ("lines.txt", 4),
    ]
    raw = read(Input(RAW, Path("lines.txt")))
    assert raw[0].line == 1
    assert (raw[-1].path, raw[-1].line) == ("lines.txt", 4)


ROW = "\t".join(["1", "a", *["_"] * 8])


@pytest.mark.parametrize("text", [f"{ROW}\n\n", f"# sent_id = 1\n\n# text = a\n{ROW}\n", ROW])
def test_conllu_that_is_taken_for_text_is_warned_of(text):
    Path("notes").write_text(text)
    with pytest.warns(HeadwiseWarning, match="notes: this looks like CoNLL-U.*--from conllu"):
        read(input_of("notes", None))
    read(input_of("notes", RAW))  # somebody says that it is text: no warning


@pytest.mark.parametrize("text", ["# A heading\n\nText.\n", "1\ta table\n", "", f"Text.\n{ROW}\n"])
def test_other_text_is_not_taken_for_conllu(text):
    Path("notes").write_text(text)
    read(input_of("notes", None))

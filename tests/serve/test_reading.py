import pytest

from headwise.errors import FormatError, LimitError
from headwise.serve.parserequest import ParseRequest
from headwise.serve.reading import read_sentences
from toypipelines import toy_pipeline


def read(kind: str, data: object, **others: object):
    return read_sentences(toy_pipeline(), ParseRequest(kind, data, **others))


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("tokens", [["A", "cat", "sat"], ["Dogs"]]),
        ("horizontal", "A cat\tsat\n\nDogs\r\n"),
        ("vertical", "A\ncat\nsat\n\n\nDogs\n"),
        ("vertical", "A\tDT\r\ncat\tNN\r\nsat\r\n\r\nDogs"),
        ("presegmented", "A cat sat\n\nDogs\n"),
    ],
)
def test_sentences_of_tokens(kind, data):
    found = read(kind, data)
    assert [one.forms for one in found] == [("A", "cat", "sat"), ("Dogs",)]
    assert [(one.id, one.text) for one in found] == [("1", "A cat sat"), ("2", "Dogs")]


def test_text_is_read_as_the_library_reads_it():
    text = " A cat sat.\n\nThe dog can't eat."
    expected = toy_pipeline()(text).sentences
    assert [(s.forms, s.comments, s.start) for s in read("text", text)] == [
        (s.forms, s.comments, s.start) for s in expected
    ]


def test_where_lines_stand_in_the_text():
    text = "A cat\n\nThe dog\n"
    first, second = read("presegmented", text)
    assert (first.start, second.start) == (0, 7)
    assert second.misc[1] == "SpacesAfter=\\n"


@pytest.mark.parametrize("kind", ["text", "conllu", "horizontal", "vertical", "presegmented"])
@pytest.mark.parametrize("data", ["", "\n", "\r\n\r\n", "\n\n\n"])
def test_nothing_has_no_sentences(kind, data):
    assert read(kind, data) == []


def test_blank_lines_around_conllu_do_not_count_and_its_layout_is_standard():
    row = "1\tA\t_\t_\t_\t_\t_\t_\t_\t_"
    (one,) = read("conllu", f"\ufeff\n\n{row}")
    assert one.forms == ("A",)
    assert one.layout.blanks_after == 1
    assert not one.layout.unfinished


def test_errors_name_the_line():
    with pytest.raises(FormatError, match="^conllu:2"):
        read("conllu", "# sent_id = 1\nA\n")
    with pytest.raises(LimitError, match="a sentence of 3 words; the limit of this server is 2"):
        read("tokens", [["A"], ["a", "b", "c"]], longest=2)


def test_ranges_of_tokens_are_characters_of_the_text():
    text = "  A cat sat. The dog!"
    first, second = read("text", text, ranges=True)
    for sentence in (first, second):
        for word, misc in zip(sentence.forms, sentence.misc, strict=True):
            start, end = misc.partition("TokenRange=")[2].split("|")[0].split(":")
            assert text[int(start) : int(end)] == word


def test_ranges_of_multiword_tokens_are_in_their_rows():
    data = (
        "# text = can't go\n1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tca\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n3\tgo\t_\t_\t_\t_\t_\t_\t_\t_\n3.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n"
    )
    (found,) = read("conllu", data, ranges=True)
    assert found.misc == ("_", "_", "TokenRange=6:8")
    assert [row.columns[-1] for row in found.extras] == ["TokenRange=0:5", "_"]

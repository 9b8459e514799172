import pytest

from headwise.corpus.conllu import format_sentence
from headwise.corpus.conllx import format_conllx, read_conllx
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.errors import FormatError, HeadwiseWarning, InputError

TEXT = (
    "1\tDe\tde\tDet\tDet\tdef|mv\t2\tdet\t_\t_\n"
    "2\thond\thond\tN\tN\tsoort\t3\tsu\t3\tsu\n"
    "3\tblaft\tblaf\tV\tV\t_\t0\tROOT\t0\tROOT\n\n"
)


def test_comes_back_to_the_byte(tmp_path):
    path = tmp_path / "f.conllx"
    path.write_text(TEXT * 2)
    assert "".join(format_conllx(read_conllx(path))) == TEXT * 2


def test_projective_heads_travel_in_misc(tmp_path):
    path = tmp_path / "f.conllx"
    path.write_text(TEXT)
    (sentence,) = read_conllx(path)
    assert sentence.upos == ("Det", "N", "V")
    assert sentence.heads == (2, 3, 0)
    assert sentence.misc == ("_", "PHead=3|PDeprel=su", "PHead=0|PDeprel=ROOT")
    assert format_sentence(sentence).count("\n") == 4


def test_what_does_not_fit_is_left_out_with_a_warning():
    sentences = list(read_sample())
    with pytest.warns(HeadwiseWarning, match="left out") as caught:
        text = "".join(format_conllx(sentences))
    assert len(caught) == 1
    assert "#" not in text
    assert "2-3" not in text
    assert text.count("\n\n") == len(sentences)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("# a comment", "no comments"),
        ("1-2\tw" + "\t_" * 8, "no multiword rows"),
        ("1\tw\t_\t_\t_\t_\t7\tx\t_\t_", "HEAD 7 is beyond"),
        ("1\tw\t_\t_\t_\t_\t0\tx\t_", "9 columns"),
    ],
)
def test_bad_rows(row, message, tmp_path):
    path = tmp_path / "f.conllx"
    path.write_text(TEXT + row + "\n\n")
    with pytest.raises(FormatError, match=rf"f\.conllx:5: .*{message}"):
        list(read_conllx(path))


def test_a_missing_blank_line_is_tolerated(tmp_path):
    path = tmp_path / "f.conllx"
    path.write_text(TEXT[:-1])
    with pytest.warns(HeadwiseWarning, match="ends without the blank line"):
        assert len(list(read_conllx(path))) == 1
    with pytest.raises(FormatError, match="ends without"):
        list(read_conllx(path, strict=True))


def test_heads_that_are_no_words_are_refused_by_the_name_of_their_sentence():
    sentence = Sentence.from_words(["a"], heads=[0], comments=["# sent_id = s1"])
    object.__setattr__(sentence, "heads", (7,))
    with pytest.raises(InputError, match="s1.* the head of word 1 is 7"):
        list(format_conllx([sentence]))

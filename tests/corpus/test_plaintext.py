from headwise.corpus.plaintext import format_tokens, read_tokens
from headwise.corpus.sentence import Sentence


def test_one_sentence_a_line(tmp_path):
    path = tmp_path / "f.txt"
    path.write_text("One  two\tthree\n\n  \nfour\u00a0five\n")
    sentences = list(read_tokens(path))
    assert [sentence.forms for sentence in sentences] == [
        ("One", "two", "three"),
        ("four\u00a0five",),
    ]
    assert [sentence.location.line for sentence in sentences] == [1, 4]


def test_spaces_within_forms_do_not_split_them(tmp_path):
    path = tmp_path / "f.txt"
    path.write_text("".join(format_tokens([Sentence.from_words(["10 000", "Kč"])])))
    (sentence,) = read_tokens(path)
    assert sentence.forms == ("10\u00a0000", "Kč")

import pytest

from headwise.corpus import read_sentences, write_sentences
from headwise.corpus.files import read_lines
from headwise.corpus.formats import FORMATS, convert_file, format_of
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.pipeline.document import Document


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.conllu", "conllu"),
        ("a.b.CONLLU.gz", "conllu"),
        ("a.conll.xz", "conllx"),
        ("wsj_0001.mrg", "brackets"),
        ("a.txt", "tokens"),
        ("a.tok", "tokens"),
        ("-", "conllu"),
        ("/dev/stdin", "conllu"),
        ("/dev/fd/63", "conllu"),
    ],
)
def test_names_tell_the_format(name, expected):
    assert format_of(name).name == expected
    assert format_of(name, "tokens").name == "tokens"


def test_unknown_formats_are_refused():
    with pytest.raises(UsageError, match=r"does not tell the format.*\(--from or --to"):
        format_of("a.doc")
    with pytest.raises(UsageError, match="no format 'word'"):
        format_of("a.conllu", "word")
    with pytest.raises(UsageError, match="no format 'text'; there are conllu, .*, tokens, jsonl"):
        format_of("a.txt", "text")


def test_brackets_are_turned_into_dependencies(tmp_path):
    path = tmp_path / "f.mrg"
    path.write_text("( (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .)) )\n")
    (sentence,) = read_sentences(path)
    assert sentence.heads == (2, 3, 0, 3)
    (collins,) = read_sentences(path, head_rules="collins")
    assert collins.forms == sentence.forms


def test_head_rules_need_brackets(tmp_path):
    path = tmp_path / "f.conllu"
    write_sentences(path, read_sample())
    with pytest.raises(UsageError, match="turn brackets into dependencies"):
        convert_file(path, tmp_path / "g.conllu", head_rules="collins")
    with pytest.raises(UsageError, match="cannot be written from dependencies"):
        write_sentences(tmp_path / "f.mrg", read_sample())
    with pytest.raises(UsageError, match="there is no file"):
        read_sentences(tmp_path / "nothing.conllu")


def test_brackets_become_brackets(tmp_path):
    source, target = tmp_path / "a.mrg", tmp_path / "b.mrg.gz"
    source.write_text("( (S (NN a)\n  (NN b)) )\n(ROOT (X c))\n")
    convert_file(source, target)
    assert list(read_lines(target)) == ["( (S (NN a) (NN b)))", "(ROOT (X c))"]


@pytest.mark.parametrize("name", [entry.name for entry in FORMATS.values() if entry.format])
def test_every_written_format_can_be_read(name, tmp_path):
    path = tmp_path / "file"
    sentences = [sentence for sentence in read_sample() if not sentence.extras]
    write_sentences(path, sentences, name)
    assert [s.forms for s in read_sentences(path, name)] == [s.forms for s in sentences]


def test_sentences_and_documents_are_written_alike(tmp_path):
    one = Sentence.from_words(["a"], heads=[0], relations=["root"])
    document = Document("a a", (one, one))
    for number, given in enumerate(
        [[document, document], (one for _ in range(4)), [document, one, one]]
    ):
        write_sentences(tmp_path / f"{number}.conllu", given)
        assert list(read_sentences(tmp_path / f"{number}.conllu")) == [one] * 4
    write_sentences(tmp_path / "one.conllu", one)
    assert list(read_sentences(tmp_path / "one.conllu")) == [one]
    write_sentences(tmp_path / "two.conllu", document)
    assert list(read_sentences(tmp_path / "two.conllu")) == [one] * 2


@pytest.mark.parametrize("given", ["a text", ["a text"], None, 5, [None]])
def test_other_things_are_not_written(tmp_path, given):
    with pytest.raises(UsageError, match="expected sentences or documents, not"):
        write_sentences(tmp_path / "a.conllu", given)
    assert not list(tmp_path.iterdir())

import gzip
import json
from itertools import islice

import pytest
from conllu_rows import TWO_WORDS, extra, row
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.check import check_file
from headwise.corpus.conllu import format_conllu, parse_block, read_conllu
from headwise.corpus.formats import convert_file, write_sentences
from headwise.corpus.jsonlines import as_object, format_jsonl, parse_line, read_jsonl
from headwise.corpus.rows import Block
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import STANDARD_LAYOUT, Sentence
from headwise.errors import FormatError, InputError, SourceLocation

PLACE = SourceLocation("f.jsonl", 3)


def back(sentence: Sentence) -> Sentence:
    (line,) = format_jsonl([sentence])
    assert line.endswith("\n")
    assert "\n" not in line[:-1]
    return parse_line(line, PLACE)


def test_an_object_says_it_all():
    first = as_object(next(iter(read_sample())))
    assert first["id"] == "sample-1"
    assert first["text"] == "Headwise doesn't guess: it searches every tree."
    assert first["comments"][0] == "# sent_id = sample-1"
    assert first["words"][4] == {
        "id": 5,
        "form": ":",
        "lemma": ":",
        "upos": "PUNCT",
        "xpos": ":",
        "feats": None,
        "head": 7,
        "relation": "punct",
        "deps": "7:punct",
        "misc": None,
        "start": 22,
        "end": 23,
    }
    assert [first["words"][i]["start"] for i in (1, 2)] == [9, 9]  # both of "doesn't"
    assert first["extras"][0]["id"] == "2-3"
    assert first["extras"][0]["form"] == "doesn't"


def test_places_are_those_in_the_document():
    words = as_object(Sentence.from_words(["It", "works"], start=40))["words"]
    assert [(word["start"], word["end"]) for word in words] == [(40, 42), (43, 48)]
    other_text = Sentence.from_words(["It"], comments=["# text = That"])
    assert as_object(other_text)["words"][0]["start"] is None


values = st.text(
    st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), min_size=1, max_size=4
)


@st.composite
def blocks(draw: st.DrawFn) -> str:
    """CoNLL-U with multiword rows and empty nodes in any order that can be read."""
    count = draw(st.integers(1, 4))
    lines = [f"#{draw(values)}" for _ in range(draw(st.integers(0, 2)))]
    head = st.integers(0, count).map(str) | st.just("_")

    def columns(of_head: st.SearchStrategy[str]) -> str:
        parts = (
            [draw(values) for _ in range(5)] + [draw(of_head)] + [draw(values) for _ in range(3)]
        )
        return "\t".join(parts)

    covered = 0
    for word in range(count + 1):
        if word:
            lines.append(f"{word}\t{columns(head)}")
        nodes = [f"{word}.{i}\t{columns(values)}" for i in range(1, draw(st.integers(1, 3)))]
        if word < count and word >= covered and draw(st.booleans()):
            covered = draw(st.integers(word + 1, count))
            token = f"{word + 1}-{covered}\t{columns(values)}"
            nodes.insert(draw(st.integers(0, len(nodes))), token)
        lines += nodes
    return "\n".join(lines)


@given(blocks())
def test_from_conllu_and_back_to_the_byte(text):
    sentence = parse_block(Block(text, 1, STANDARD_LAYOUT))
    again = back(sentence)
    assert again == sentence
    assert "".join(format_conllu([again])) == text + "\n\n"


def test_files_come_back_to_the_byte(tmp_path):
    source, packed, target = (tmp_path / name for name in ("a.conllu", "b.jsonl.gz", "c.conllu"))
    write_sentences(source, read_sample())
    convert_file(source, packed)
    assert len(gzip.decompress(packed.read_bytes()).splitlines()) == len(list(read_sample()))
    convert_file(packed, target)
    assert target.read_bytes() == source.read_bytes()
    assert not list(check_file(packed))


def test_words_with_forms_are_enough():
    data = {"id": "s1", "text": "a b", "words": [{"form": "a"}, {"form": "b", "head": 0}], "x": 1}
    sentence = parse_line(json.dumps(data), PLACE)
    assert sentence.forms == ("a", "b")
    assert sentence.heads == (None, 0)
    assert sentence.comments == ("# sent_id = s1", "# text = a b")
    assert (sentence.path, sentence.line) == ("f.jsonl", 3)


def words(*changes: dict) -> str:
    return json.dumps({"id": "s1", "words": [{"form": "w", "head": 0} | one for one in changes]})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON: Expecting property name"),
        ("[1]", "a sentence is an object"),
        ("{}", "there are no words"),
        ('{"words": 3}', "words must be a list of objects"),
        ('{"words": [3]}', "words must be a list of objects"),
        (words({"form": None}), "word 1 has no form"),
        (words({"form": ""}), "empty"),
        (words({"form": "a\tb"}), "word 1 holds a tab or a line end"),
        (words({"form": "a\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb"}), "word 1 holds a tab or a line end"),
        (words({"misc": "a\rb"}), "word 1 holds a tab or a line end"),
        (words({"head": 2}), "HEAD 2 is beyond the last word"),
        (words({"head": "1"}), "head of word 1 must be a number or null, not '1'"),
        (words({"head": True}), "head of word 1 must be a number or null, not True"),
        (words({"head": -1}), "HEAD"),
        (words({"upos": 3}), "upos of word 1 must be a text or null, not 3"),
        (words({"id": 2}), "the id of word 1 is 2"),
        (words({"lemma": "\ud800"}), "lone surrogate"),
        (words({})[:-1] + ', "comments": ["x"]}', "comments must be a list"),
        (words({})[:-1] + ', "comments": ["# a\\nb"]}', "comments must be a list"),
        (words({})[:-1] + ', "extras": [{"form": "x"}]}', "None is not the id"),
        (words({})[:-1] + ', "extras": [{"id": "2-3", "form": "x"}]}', "reaches word 3"),
        (words({})[:-1] + ', "extras": [{"id": "7.1", "form": "x"}]}', "7.1"),
        ("[" * 100_000, "too deep"),
        (words({"head": 0}).replace("0", "9" * 5000), "too long"),
    ],
)
def test_what_is_no_sentence_is_refused(line, message, tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text(f"{words({})}\n\n{line}\n")
    with pytest.raises(FormatError) as caught:
        list(read_jsonl(path))
    assert message in str(caught.value)
    assert caught.value.location.line == 3
    assert [problem.location.line for problem in check_file(path)].count(3) == 1


def test_errors_name_the_sentence():
    with pytest.raises(FormatError, match=r"f\.jsonl:3 \(sentence s1\): word 1 has no form"):
        parse_line(words({"form": None}), PLACE)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-2, 3) | values,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["words", "extras", "comments", "id", "form", "head", "misc"]),
                inner,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_gives_a_sentence_or_our_error(data):
    try:
        sentence = parse_line(json.dumps(data), PLACE)
    except InputError as error:
        assert "cannot be read" not in str(error)
        assert error.location.line == 3
    else:
        assert back(sentence) == sentence


def test_windows_line_ends_and_blank_lines_do_not_count(tmp_path):
    source = tmp_path / "a.conllu"
    source.write_bytes(TWO_WORDS.replace("\n", "\r\n").encode() + b"\r\n")
    with pytest.warns(match="blank"):
        sentences = list(read_conllu(source))
    assert [back(sentence) for sentence in sentences] == sentences


def test_a_multiword_row_before_an_empty_node_stays_there():
    rows = [row(1), extra("2-3", "wv"), extra("1.1"), row(2, "v", 1), row(3, "u", 1)]
    sentence = parse_block(Block("\n".join(rows), 1, STANDARD_LAYOUT))
    assert [one.id for one in back(sentence).extras] == ["2-3", "1.1"]


@pytest.mark.shared
def test_every_shared_treebank_comes_back(treebank_file):
    sentences = list(islice(read_conllu(treebank_file), 500))
    for sentence, line in zip(sentences, format_jsonl(sentences), strict=True):
        assert parse_line(line, PLACE) == sentence

import gzip
import lzma
import tracemalloc
import warnings
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from conllu_rows import TWO_WORDS, extra, row
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headwise.corpus.conllu import (
    format_conllu,
    format_sentence,
    parse_block,
    read_conllu,
)
from headwise.corpus.diagnosis import diagnose
from headwise.corpus.extras import EmptyNode, Multiword
from headwise.corpus.formats import write_sentences
from headwise.corpus.rows import Block
from headwise.corpus.sentence import STANDARD_LAYOUT, Sentence
from headwise.errors import FormatError, HeadwiseError, HeadwiseWarning, InputError


def round_trip(data: bytes, folder: Path) -> bytes:
    source, target = folder / "in.conllu", folder / "out.conllu"
    source.write_bytes(data)
    write_sentences(target, read_conllu(source))
    return target.read_bytes()


HARD_CASES = {
    "free-text and duplicate comments": f"# anything\n#\n# a = 1\n# a = 1\n#no space\n{TWO_WORDS}",
    "a comment with tabs": f"# a\tb\tc\n{TWO_WORDS}",
    "repeated MISC keys": f"{row(1, misc='A=1|A=1|A=2||x')}\n\n",
    "empty node before the first word": f"{extra('0.1')}\n{TWO_WORDS}",
    "empty node 8.10": "".join(f"{row(i, head=i - 1)}\n" for i in range(1, 9))
    + "".join(f"{extra(f'8.{i}')}\n" for i in range(1, 11))
    + "\n",
    "empty node 1.10 alone": f"{row(1)}\n{extra('1.10')}\n\n",
    "empty node in a multiword range": (
        f"{extra('1-2', 'wv')}\n{row(1)}\n{extra('1.1')}\n{row(2, 'v', 1)}\n\n"
    ),
    "multiword before an empty node": (
        f"{row(1)}\n{extra('2-3', 'wv')}\n{extra('1.1')}\n{row(2, 'v', 1)}\n{row(3, 'u', 1)}\n\n"
    ),
    "a range of one word": f"{extra('1-1', 'x')}\n{row(1)}\n\n",
    "a form with a space": f"{row(1, '10 000')}\n\n",
    "a form that is an underscore": f"{row(1, '_')}\n\n",
    "a form that is a hash": f"{row(1, '#')}\n{row(2, '#x', 1)}\n\n",
    "no heads": f"{row(1, head='_')}\n{row(2, 'v', '_')}\n\n",
    "line separators within values": row(1, "a\u2028b\u0085c\x0bd") + "\n\n",
    "an emoji": f"{row(1, '🙂')}\n\n",
    "control characters": row(1, "a\x00\x1b[31m") + "\n\n",
}

TOLERATED = {
    "two blank lines": f"{TWO_WORDS}\n{TWO_WORDS}",
    "three blank lines at the end": f"{TWO_WORDS}\n\n",
    "a blank line first": f"\n{TWO_WORDS}",
    "no final blank line": TWO_WORDS[:-1],
    "no final line end": TWO_WORDS[:-2],
    "no final line end after another sentence": TWO_WORDS + TWO_WORDS[:-2],
    "two blank lines, then no end": f"{TWO_WORDS}\n{TWO_WORDS[:-2]}",
}


@pytest.mark.parametrize("text", HARD_CASES.values(), ids=HARD_CASES.keys())
def test_hard_cases_come_back_to_the_byte(text, tmp_path):
    assert round_trip(text.encode(), tmp_path) == text.encode()
    windows = text.replace("\n", "\r\n").encode()
    assert round_trip(windows, tmp_path) == windows
    assert round_trip((text + TWO_WORDS).encode(), tmp_path) == (text + TWO_WORDS).encode()


@pytest.mark.parametrize("text", HARD_CASES.values(), ids=HARD_CASES.keys())
def test_hard_cases_come_back_when_the_text_as_read_is_gone(text, tmp_path):
    path = tmp_path / "in.conllu"
    path.write_bytes(text.encode())
    sentences = list(read_conllu(path))
    for sentence in sentences:
        object.__setattr__(sentence, "source", None)
    assert "".join(format_conllu(sentences)) == text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("text", TOLERATED.values(), ids=TOLERATED.keys())
def test_tolerated_layouts_come_back_with_a_warning(text, newline, tmp_path):
    data = text.replace("\n", newline).encode()
    with pytest.warns(HeadwiseWarning, match=r"in\.conllu:\d+: "):
        assert round_trip(data, tmp_path) == data


@pytest.mark.parametrize("text", TOLERATED.values(), ids=TOLERATED.keys())
def test_strict_refuses_tolerated_layouts(text, tmp_path):
    path = tmp_path / "in.conllu"
    path.write_text(text)
    with pytest.raises(FormatError, match="blank line"):
        list(read_conllu(path, strict=True))


def test_a_warning_comes_once_a_file_for_each_kind(tmp_path):
    path = tmp_path / "in.conllu"
    path.write_text(f"{TWO_WORDS}\n" * 5)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert len(list(read_conllu(path))) == 5
    assert len(caught) == 1


def test_an_unfinished_sentence_is_closed_when_another_follows(tmp_path):
    path = tmp_path / "in.conllu"
    path.write_text(TWO_WORDS[:-2])
    with pytest.warns(HeadwiseWarning):
        sentences = list(read_conllu(path)) * 2
    assert "".join(format_conllu(sentences)) == TWO_WORDS + TWO_WORDS[:-2]


def test_layout_at_the_edge_of_a_chunk(tmp_path, monkeypatch):
    monkeypatch.setattr("headwise.corpus.files.CHUNK", 64)
    for text in [*HARD_CASES.values(), *TOLERATED.values()]:
        data = (text * 3).encode() if text in HARD_CASES.values() else text.encode()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert round_trip(data, tmp_path) == data


@pytest.mark.parametrize(("ending", "opener"), [("gz", gzip.open), ("xz", lzma.open)])
def test_compressed_files(ending, opener, tmp_path):
    path = tmp_path / f"in.conllu.{ending}"
    with opener(path, "wb") as file:
        file.write(TWO_WORDS.encode())
    target = tmp_path / f"out.conllu.{ending}"
    write_sentences(target, read_conllu(path))
    with opener(target) as file:
        assert file.read() == TWO_WORDS.encode()


BAD = {
    "columns": ("1\tw\n\n", 1, "2 columns instead of 10"),
    "spaces for tabs": (row(1).replace("\t", " ") + "\n\n", 1, "separated by spaces"),
    "empty field": (row(1, "") + "\n\n", 1, "FORM is empty"),
    "empty last field": (row(1, misc="") + "\n\n", 1, "MISC is empty"),
    "wrong first id": (row(2) + "\n\n", 1, "ID 2 where 1 was expected"),
    "skipped id": (f"{row(1)}\n{row(3, head=1)}\n\n", 2, "ID 3 where 2 was expected"),
    "leading zero": (row("01") + "\n\n", 1, "ID '01'"),
    "other digits": (row("१") + "\n\n", 1, "ID '१'"),
    "huge id": (row("9" * 5000) + "\n\n", 1, "999…' is not a number"),
    "huge range": (f"{extra('1-' + '9' * 5000)}\n{row(1)}\n\n", 1, "is not a number"),
    "huge empty node": (f"{row(1)}\n{extra('1.' + '9' * 5000)}\n\n", 2, "is not a number"),
    "a row over two lines": (f"{row(1)}\n2\tw\t_\tX\n3\tv\t1\tdep\t_\t_\n\n", 2, "4 columns"),
    "a row in halves": ("1\tw\t_\tX\t_\n_\t0\troot\t_\t_\n\n", 1, "5 columns"),
    "a comment with a carriage return": (f"# a\rb\n{row(1)}\n\n", 1, "carriage return"),
    "word as id": (row("x") + "\n\n", 1, "ID 'x' is not a number"),
    "head beyond": (row(1, head=2) + "\n\n", 1, "HEAD 2 is beyond the last word, 1"),
    "huge head": (row(1, head="9" * 5000) + "\n\n", 1, "999…' is not the number"),
    "negative head": (row(1, head=-1) + "\n\n", 1, "HEAD '-1' is not the number of a word"),
    "head with plus": (row(1, head="+1") + "\n\n", 1, "is not the number"),
    "head with underscore": (row(1, head="1_0") + "\n\n", 1, "is not the number"),
    "backward range": (f"{row(1)}\n{extra('2-1')}\n{row(2, head=1)}\n\n", 2, "runs backwards"),
    "misplaced range": (f"{extra('2-3')}\n{row(1)}\n\n", 1, "stands before word 1"),
    "overlapping ranges": (
        f"{extra('1-2')}\n{row(1)}\n{extra('2-3')}\n{row(2, head=1)}\n{row(3, head=1)}\n\n",
        3,
        "overlaps",
    ),
    "open range": (f"{extra('1-2')}\n{row(1)}\n\n", 2, "reaches word 2, which is missing"),
    "misplaced empty node": (f"{row(1)}\n{extra('2.1')}\n\n", 2, "stands after word 1"),
    "empty node twice": (f"{row(1)}\n{extra('1.1')}\n{extra('1.1')}\n\n", 3, "out of order"),
    "empty node zero": (f"{row(1)}\n{extra('1.0')}\n\n", 2, "out of order"),
    "only empty nodes": (f"{extra('0.1')}\n\n", 1, "without words"),
    "only comments": ("# a\n\n", 1, "comments without words"),
    "late comment": (f"{row(1)}\n# late\n\n", 2, "inside a sentence; is a blank line missing"),
    "no blank line": (f"{row(1)}\n{row(1)}\n\n", 2, "ID 1 where 2 was expected; is a blank line"),
    "white space line": (f"{row(1)}\n  \n\n", 2, "a line of white space"),
    "stray carriage return": (row(1, "a\rb") + "\n\n", 1, "carriage return"),
    "mixed line ends": (f"{row(1)}\r\n{row(2, head=1)}\n\n", 1, "carriage return"),
    "rows cut elsewhere": (f"{row(1)}\t2\nw{row(2, head=1)[3:]}\n\n", 1, "11 columns"),
    "short extra row": (f"1-2\tw\n{row(1)}\n{row(2, head=1)}\n\n", 1, "2 columns"),
}


@pytest.mark.parametrize(("text", "line", "message"), BAD.values(), ids=BAD.keys())
def test_bad_rows_are_named_with_file_line_and_sentence(text, line, message, tmp_path):
    path = tmp_path / "bad.conllu"
    path.write_bytes(f"{TWO_WORDS}# sent_id = s7\n{text}".encode())
    with pytest.raises(FormatError) as caught:
        list(read_conllu(path))
    assert message in caught.value.message
    # Three lines of another sentence and one comment come before; "comments without words"
    # is said of the first comment.
    expected = line + 4 if message != "comments without words" else 4
    assert caught.value.location.line == expected
    assert caught.value.location.path == str(path)
    assert caught.value.location.sentence_id == "s7"
    assert str(caught.value).startswith(f"{path}:{expected} (sentence s7): ")


def test_bytes_that_are_not_utf8(tmp_path):
    path = tmp_path / "bad.conllu"
    path.write_bytes(TWO_WORDS.encode() + b"# sent_id = s1\n" + row(1).encode() + b"\xff\n\n")
    with pytest.raises(FormatError, match=r":5 \(sentence s1\): not UTF-8: byte 0xff .*iconv"):
        list(read_conllu(path))


def test_utf16_is_named(tmp_path):
    path = tmp_path / "bad.conllu"
    path.write_bytes(TWO_WORDS.encode("utf-16"))
    with pytest.raises(FormatError, match="UTF-16"):
        list(read_conllu(path))


def test_a_byte_order_mark_is_dropped_with_a_warning(tmp_path):
    path = tmp_path / "bom.conllu"
    path.write_bytes(b"\xef\xbb\xbf" + TWO_WORDS.encode())
    with pytest.warns(HeadwiseWarning, match="byte order mark"):
        assert len(list(read_conllu(path))) == 1


SMALL = st.integers(-1, 4)
EXTRAS = st.lists(
    st.builds(Multiword, SMALL, SMALL, st.just(("x",) * 9), SMALL)
    | st.builds(EmptyNode, SMALL, SMALL, st.just(("x",) * 9)),
    max_size=3,
)


@given(EXTRAS, st.sampled_from([3, 3, 3, 0, 2, 4]))
@example([Multiword(3, 4, ("x",) * 9, 2)], 4)
@example([EmptyNode(0, 1, ("x",) * 9)], 0)
@example([Multiword(1, 2, ("x",) * 9, 0)], 2)
def test_rows_of_no_words_are_refused_or_read_again(extras, heads):
    plain = Sentence.from_words(["a", "b", "c"])
    sentence = replace(plain, extras=tuple(extras), heads=(None,) * heads)
    try:
        text = format_sentence(sentence)
    except (FormatError, InputError):
        rows = format_sentence(plain).splitlines()[:3]
        for before, one in enumerate(extras):
            rows.insert(before + one.position, "\t".join((one.id, *one.columns)))
        with suppress(FormatError):  # it could not be read, or it would be another sentence
            assert parse_block(Block("\n".join(rows), 1, STANDARD_LAYOUT)) != sentence
        return
    assert parse_block(Block(text[:-2], 1, STANDARD_LAYOUT)) == sentence


@pytest.mark.parametrize("head", [2, -1])
def test_heads_that_are_no_words_are_not_written(head):
    sentence = replace(Sentence.from_words(["a"]), heads=(head,))
    with pytest.raises(InputError, match=f"the head of word 1 is {head}"):
        format_sentence(sentence)


@pytest.mark.parametrize("relation", ["", "a\tb", "a\nb", "a\r", "\t", "x\n\n1"])
def test_relations_that_could_not_be_read_again_are_not_written(relation, tmp_path):
    path = tmp_path / "in.conllu"
    path.write_text(TWO_WORDS)
    (sentence,) = read_conllu(path)
    for changed in ([relation, "x"], ["x", relation]):
        with pytest.raises(FormatError, match="cannot be written"):
            format_sentence(sentence.with_tree([0, 1], changed))


def with_chain(line: str) -> str:
    """A line of CoNLL-U where every word hangs from the one before by `x`, and DEPS are gone."""
    fields = line.split("\t")
    if line.startswith("#") or len(fields) != 10 or "-" in fields[0]:
        return line
    if "." not in fields[0]:
        fields[6:8] = str(int(fields[0]) - 1), "x"
    return "\t".join([*fields[:8], "_", fields[9]])


def chained(sentence: Sentence) -> Sentence:
    return sentence.with_tree(range(len(sentence)), ["x"] * len(sentence))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("text", HARD_CASES.values(), ids=HARD_CASES.keys())
def test_another_tree_changes_its_own_columns_only(text, newline, tmp_path):
    path = tmp_path / "in.conllu"
    path.write_bytes(text.replace("\n", newline).encode())
    written = "".join(format_conllu(map(chained, read_conllu(path))))
    assert written == newline.join(map(with_chain, text.split("\n")))


values = st.text(
    st.characters(blacklist_characters="\t\n\r", blacklist_categories=["Cs"]), min_size=1
)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    count = draw(st.integers(1, 5))
    column = st.lists(values, min_size=count, max_size=count)
    heads = st.lists(st.none() | st.integers(0, count), min_size=count, max_size=count)
    comments = draw(st.lists(values.map("#".__add__), max_size=2))
    return Sentence.from_words(
        draw(column),
        lemmas=draw(column),
        upos=draw(column),
        feats=draw(column),
        heads=draw(heads),
        relations=draw(column),
        misc=draw(column),
        comments=comments,
    )


@given(st.lists(sentences(), min_size=1, max_size=3))
def test_what_is_written_is_read_back(tmp_path_factory, written):
    path = tmp_path_factory.mktemp("round") / "f.conllu"
    write_sentences(path, written)
    assert list(read_conllu(path)) == written


soup = st.lists(
    st.sampled_from(
        [
            "1",
            "2",
            "1-2",
            "1.1",
            "0.1",
            "_",
            "0",
            "w",
            "#",
            "\t",
            "\t",
            "\t",
            "\n",
            "\n\n",
            "\r",
            " ",
        ]
    )
    | st.sampled_from([row(1), row(2, "v", 1), extra("1-2"), extra("1.1"), "\n", "\n\n"]),
    max_size=40,
).map("".join)


@settings(max_examples=400)
@given(soup.map(str.encode) | st.binary(max_size=60))
def test_any_bytes_give_sentences_or_our_error(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("any")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadwiseWarning)
        try:
            again = round_trip(data, folder)
        except InputError as error:
            assert "cannot be read" not in str(error)
            assert error.location.path is not None
            assert error.location.line is not None
        else:
            if b"\r" not in data and data.strip(b"\n"):
                assert again.removesuffix(b"\n") == data.removeprefix(b"\xef\xbb\xbf").removesuffix(
                    b"\n"
                )


@settings(max_examples=400)
@given(soup)
def test_the_fast_look_and_the_patient_one_agree(text):
    text = text.strip("\n").replace("\n\n", "\n")
    if not text:
        return
    block = Block(text, 1, STANDARD_LAYOUT)
    found = diagnose(block, None)
    try:
        parse_block(block)
    except HeadwiseError:
        assert found
    else:
        assert not found


def test_long_sentences(tmp_path):
    count = 5000
    text = "".join(f"{row(i, head=i - 1)}\n" for i in range(1, count + 1)) + "\n"
    path = tmp_path / "long.conllu"
    path.write_text(text)
    (sentence,) = read_conllu(path)
    assert len(sentence) == count
    assert format_sentence(sentence) == text
    assert sentence.with_tree([0] * count).heads == (0,) * count


@pytest.mark.shared
def test_every_shared_treebank_comes_back_to_the_byte(treebank_file):
    data = gzip.decompress(treebank_file.read_bytes())
    sentences_read = list(read_conllu(treebank_file, strict=True))
    assert "".join(format_conllu(sentences_read)).encode() == data
    for sentence in sentences_read:
        object.__setattr__(sentence, "source", None)
    assert "".join(format_conllu(sentences_read)).encode() == data


@pytest.mark.shared
def test_another_tree_changes_its_own_columns_only_in_every_shared_treebank(treebank_file):
    text = gzip.decompress(treebank_file.read_bytes()).decode()
    written = "".join(format_conllu(map(chained, read_conllu(treebank_file))))
    assert written == "\n".join(map(with_chain, text.split("\n")))


@pytest.mark.parametrize("row", ["\t" * 1_000_000, "a\t" * 500_000, "a " * 500_000])
def test_a_row_of_many_columns_takes_little_memory(row, tmp_path):
    path = tmp_path / "columns.conllu"
    path.write_text(f"{row}\n{row}\n\n")
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="columns? instead of 10|white space"):
            list(read_conllu(path))
        assert tracemalloc.get_traced_memory()[1] < 9 * len(row) * 2
    finally:
        tracemalloc.stop()


def test_heads_that_are_no_words_are_refused():
    sound = Sentence.from_words(["a", "b"], heads=[0, 1])
    assert format_sentence(sound)
    object.__setattr__(sound, "heads", (0, 3))
    with pytest.raises(InputError, match="the head of word 2 is 3"):
        format_sentence(sound)

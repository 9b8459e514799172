import gzip
import lzma
import os
import shlex
import subprocess
import sys
import tracemalloc

import pytest

from headwise.corpus.conllu import read_conllu
from headwise.corpus.files import (
    Limits,
    _last_line_end,
    named_lines,
    read_chunks,
    read_lines,
    read_pieces,
)
from headwise.corpus.headrules import RULE_SETS
from headwise.corpus.jsonlines import read_jsonl
from headwise.corpus.plaintext import read_tokens
from headwise.corpus.rows import _last_blank_line
from headwise.errors import FormatError, HeadwiseWarning, LimitError, UsageError

SMALL = Limits(line_bytes=1000, sentence_bytes=5000, expansion=50, expansion_from=10_000)


def test_lines_of_any_ending(tmp_path):
    path = tmp_path / "f.txt"
    path.write_bytes("a\r\nb\n\nc\u2028d".encode())
    assert list(read_lines(path)) == ["a", "b", "", "c\u2028d"]


def test_compression_is_recognised_by_content_not_name(tmp_path):
    path = tmp_path / "f.txt"
    for pack in (gzip.compress, lzma.compress, bytes):
        path.write_bytes(pack(b"a\nb\n"))
        assert list(read_lines(path)) == ["a", "b"]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_damaged_compressed_files(pack, tmp_path):
    packed = pack(os.urandom(5000).hex().encode())
    path = tmp_path / "f.gz"
    path.write_bytes(packed[:-20])
    with pytest.raises(FormatError, match=r"f\.gz:\d+: the (gzip|xz) data is damaged or cut short"):
        list(read_chunks(path))
    changed = bytearray(packed)
    changed[len(changed) // 2] ^= 0xFF
    path.write_bytes(changed)
    with pytest.raises(FormatError, match="damaged"):
        list(read_chunks(path))


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_bombs_hit_the_limit(pack, tmp_path):
    path = tmp_path / "bomb.gz"
    path.write_bytes(pack(b"\n" * 3_000_000))
    with pytest.raises(LimitError, match="grows to more than 50 times its size"):
        list(read_chunks(path, SMALL))


def test_the_default_limit_stops_a_real_bomb(tmp_path):
    path = tmp_path / "bomb.conllu.gz"
    row = b"1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    with gzip.open(path, "wb") as file:
        for _ in range(80):
            file.write(row * 40_000)
    with pytest.raises(LimitError, match="decompress it first"):
        for _ in read_chunks(path):
            pass


def test_endless_lines_and_sentences_hit_the_limit(tmp_path):
    path = tmp_path / "f.conllu"
    path.write_bytes(b"x" * 200_000)
    with pytest.raises(LimitError, match=r"f\.conllu:1: a line of more than 1,000 bytes"):
        list(read_lines(path, SMALL))
    path.write_bytes(b"# a comment\n" * 20_000)
    with pytest.raises(LimitError, match="a sentence of more than 5,000 bytes"):
        list(read_conllu(path, limits=SMALL))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="there is no file .*nothing"):
        list(read_chunks(tmp_path / "nothing"))
    with pytest.raises(UsageError, match="is a folder, not a file"):
        list(read_chunks(tmp_path))


def test_boundaries_that_fall_on_chunks_do_not_pile_up(tmp_path, monkeypatch):
    """Sentences whose size divides that of a chunk end with every chunk."""
    monkeypatch.setattr("headwise.corpus.files.CHUNK", 64)
    row = b"1\tw\t_\tX\t_\t_\t0\troot\t_\txxxxxxxxx\n\n"
    assert len(row) == 32
    path = tmp_path / "f.conllu"
    path.write_bytes(row * 1000)
    pieces = [piece for _, piece in read_pieces(path, _last_blank_line)]
    assert b"".join(pieces) == row * 1000
    assert max(map(len, pieces)) <= 128
    pieces = [piece for _, piece in read_pieces(path, _last_line_end)]
    assert b"".join(pieces) == row * 1000
    assert max(map(len, pieces)) <= 128


def test_blank_lines_without_end_hit_the_limit(tmp_path):
    path = tmp_path / "f.conllu"
    path.write_bytes(b"\n" * 600_000)
    with pytest.raises(LimitError, match="more than 5,000 blank lines"):
        list(read_conllu(path, limits=SMALL))
    path.write_bytes(b"\n" * 600)
    with pytest.warns(HeadwiseWarning, match="nothing but blank lines"):
        assert list(read_conllu(path)) == []


class _Counted(bytearray):
    """Bytes that count how many of them were looked at."""

    looked_at = 0

    def rfind(self, sub, start=0, end=None):
        stop = len(self) if end is None else end
        found = super().rfind(sub, start, stop)
        type(self).looked_at += stop - max(found, start)
        return found

    def __getitem__(self, key):
        found = super().__getitem__(key)
        type(self).looked_at += len(found) if isinstance(key, slice) else 1
        return found

    def rstrip(self, characters=None):
        type(self).looked_at += len(self)
        return super().rstrip(characters)


def test_a_file_of_newlines_is_looked_at_once():
    _Counted.looked_at = 0
    data, chunk = _Counted(b"1\tw\n"), b"\n" * 1000
    for _ in range(300):
        start = max(len(data) - 3, 0)
        data += chunk
        assert _last_blank_line(data, start, more=True) == -1
    assert _Counted.looked_at < 10 * len(data)


@pytest.mark.parametrize("line", [b"# c\n", b"\n", b"\t\n", b"1\ta" + b"\t_" * 8 + b"\n"])
@pytest.mark.parametrize("end", [b"", b"\n", b"1\ta" + b"\t_" * 8 + b"\n\n"])
def test_a_sentence_of_very_many_lines_is_refused_before_it_is_taken_apart(line, end, tmp_path):
    path = tmp_path / "f.conllu.gz"
    first = b"1\ta" + b"\t_" * 8 + b"\n\n"
    path.write_bytes(gzip.compress(first + first[:-1] * (line == b"\n") + line * 200_000 + end))
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match=r"f\.conllu\.gz:3: a sentence of more than 100,000 l"):
            list(read_conllu(path))
        assert tracemalloc.get_traced_memory()[1] < 2_000_000 + 4 * len(line) * 200_000
    finally:
        tracemalloc.stop()


def test_a_line_of_very_many_tokens_is_refused(tmp_path):
    path = tmp_path / "f.tok"
    path.write_text("a b\n" + "a " * 100_001)
    with pytest.raises(LimitError, match=r"f\.tok:2: a sentence of more than 100,000 words"):
        list(read_tokens(path))
    path = tmp_path / "f.jsonl"
    path.write_text('{"words": [' + '{"form": "a"}, ' * 100_000 + '{"form": "a"}]}')
    with pytest.raises(FormatError, match=r"f\.jsonl:1: a sentence of more than 100,000 words"):
        list(read_jsonl(path))


def test_a_closed_standard_input_is_said(tmp_path):
    command = [sys.executable, "-m", "headwise", "check", "-"]
    done = subprocess.run(f"{shlex.join(command)} <&-", shell=True, capture_output=True, timeout=60)
    assert done.returncode == 2
    assert b"cannot read <standard input>" in done.stderr


def lines_of(name) -> tuple[list[str], str]:
    lines, title = named_lines(name, list(RULE_SETS), "headrules", "head rules")
    return list(lines), title


@pytest.mark.parametrize("name", RULE_SETS)
def test_texts_of_the_package_are_found_by_name(name):
    lines, title = lines_of(name)
    assert any(line.startswith("@default") for line in lines)
    assert title == f"{name}.txt"


def test_a_file_goes_by_its_path(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("one\ntwo\n")
    assert lines_of(path) == lines_of(str(path))
    lines, title = lines_of(path)
    assert [line.rstrip("\n") for line in lines] == ["one", "two"]
    assert title == str(path)


def test_what_there_is_is_said(tmp_path):
    with pytest.raises(UsageError, match="no head rules 'colins': neither a file nor one of .*col"):
        lines_of("colins")
    with pytest.raises(UsageError, match="neither a file"):
        lines_of(tmp_path)


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"%PDF-1.7", "a PDF file"),
        (b"PK\x03\x04", "Word"),
        (b"{\\rtf1", "RTF"),
        (b"PAR1", "Parquet"),
    ],
)
def test_what_is_not_text_is_named(start, what, tmp_path):
    (tmp_path / "a.txt").write_bytes(start + bytes(range(256)))
    with pytest.raises(FormatError, match=f"a.txt:1: this is .*{what}.*, not text"):
        list(read_lines(tmp_path / "a.txt"))

import gzip
import lzma
import os
import shlex
import subprocess
import sys

import pytest

from headwise.corpus.conllu import read_conllu
from headwise.corpus.files import Limits, _last_line_end, read_chunks, read_lines, read_pieces
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
    with pytest.raises(LimitError, match="a sentence of more than 5,000 bytes"):
        list(read_conllu(path, limits=SMALL))
    path.write_bytes(b"\n" * 600)
    with pytest.warns(HeadwiseWarning, match="nothing but blank lines"):
        assert list(read_conllu(path)) == []


def test_a_closed_standard_input_is_said(tmp_path):
    command = [sys.executable, "-m", "headwise", "check", "-"]
    done = subprocess.run(f"{shlex.join(command)} <&-", shell=True, capture_output=True, timeout=60)
    assert done.returncode == 2
    assert b"cannot read <standard input>" in done.stderr

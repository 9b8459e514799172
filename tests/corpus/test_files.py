import gzip
import io
import lzma
import os
import stat
import sys
from pathlib import Path

import pytest

from headwise.corpus.conllu import read_conllu
from headwise.corpus.files import (
    Limits,
    open_output,
    read_chunks,
    read_lines,
    write_text,
)
from headwise.errors import FormatError, LimitError, UsageError

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


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(UsageError, match="cannot read .*nothing: No such file"):
        list(read_chunks(tmp_path / "nothing"))
    with pytest.raises(UsageError, match="cannot read .*: Is a directory"):
        list(read_chunks(tmp_path))
    with pytest.raises(UsageError, match="cannot write .*missing/f: No such file"):
        write_text(tmp_path / "missing" / "f", iter(["x"]))


def test_output_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "f.txt"
    path.write_text("old")

    def pieces():
        yield "new" * 1_000_000
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        write_text(path, pieces())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    write_text(path, iter(["new"]))
    assert path.read_text() == "new"


def test_output_keeps_mode_and_links(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_text(link, iter(["new"]))
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_file_can_be_written_over_itself(tmp_path):
    path = tmp_path / "f.txt"
    path.write_text("a\nb\n" * 100_000)
    write_text(path, (line + "\n" for line in read_lines(path)))
    assert path.read_text() == "a\nb\n" * 100_000


def test_devices_are_written_in_place():
    write_text(os.devnull, iter(["x"]))
    assert not Path(os.devnull).is_file()


def test_compressed_output_is_the_same_every_time(tmp_path):
    for ending in (".gz", ".xz"):
        first, second = tmp_path / f"a{ending}", tmp_path / f"b{ending}"
        for path in (first, second):
            write_text(path, iter(["text\n"] * 10))
        assert first.read_bytes() == second.read_bytes()
        assert list(read_lines(first)) == ["text"] * 10


class FakeOutput(io.TextIOWrapper):
    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "expected"), [(False, "a\x1b[31m\tb\n"), (True, "a␛[31m\tb\n")]
)
def test_a_terminal_gets_nothing_raw(monkeypatch, terminal, expected):
    output = FakeOutput(terminal)
    monkeypatch.setattr(sys, "stdout", output)
    write_text("-", iter(["a\x1b[31m\tb\n"]))
    assert output.buffer.getvalue().decode() == expected


def test_standard_output_stays_open(capfdbinary):
    with open_output("-") as stream:
        stream.write(b"one\n")
    print("two", flush=True)
    assert capfdbinary.readouterr().out == b"one\ntwo\n"

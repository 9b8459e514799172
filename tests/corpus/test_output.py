import io
import os
import stat
import sys
from pathlib import Path

import pytest

from headwise.corpus.files import read_lines
from headwise.corpus.output import open_output, write_text
from headwise.errors import FormatError, UsageError


def test_files_that_cannot_be_written(tmp_path):
    with pytest.raises(UsageError, match="cannot write .*missing/f: there is no folder .*missing$"):
        write_text(tmp_path / "missing" / "f", iter(["x"]))


def test_what_utf8_cannot_hold_is_refused(tmp_path):
    with pytest.raises(FormatError, match=r"U\+D800, a lone surrogate"):
        write_text(tmp_path / "f", iter(["a\ud800"]))
    assert list(tmp_path.iterdir()) == []


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


@pytest.mark.parametrize("name", ["x" * 252 + ".xz", "ä" * 127])
def test_names_may_be_as_long_as_the_file_system_allows(tmp_path, name):
    write_text(tmp_path / name, iter(["new"]))
    assert list(read_lines(tmp_path / name)) == ["new"]
    assert [one.name for one in tmp_path.iterdir()] == [name]


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


def test_two_writers_of_one_file_do_not_mix(tmp_path):
    path = tmp_path / "a.txt"
    with open_output(path) as first, open_output(path) as second:
        first.write(b"1")
        second.write(b"2")
    assert path.read_bytes() in (b"1", b"2")
    assert list(tmp_path.iterdir()) == [path]

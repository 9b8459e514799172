"""Long work shows how far it has come, on a terminal and there only."""

import gzip
import lzma
import re
from pathlib import Path

import pytest

from headwise.cli import progressbar
from headwise.corpus.conllu import read_conllu
from headwise.corpus.files import read_lines, watched_reading
from headwise.corpus.formats import write_sentences
from terminals import ESCAPE, on_terminal
from toyparsers import toy_parser, toy_sentences

TIMES = 300
"""As often as parsing must last longer than the bar takes to be drawn again."""
PERCENT = re.compile(r"(\d+) %")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("bar")
    toy_parser().save(folder / "model")
    write_sentences(folder / "big.conllu", list(toy_sentences()) * TIMES)
    write_sentences(folder / "small.conllu", list(toy_sentences()) * 30)
    return folder


def test_parsing_into_a_file_shows_a_bar_from_the_start(folder):
    arguments = ["parse", "--model", folder / "model", folder / "big.conllu"]
    shown = on_terminal(*arguments, "-o", folder / "out.conllu")
    assert shown.code == 0
    assert "loading the model" in shown.plain.partition("\r")[0]
    assert "parsing" in shown.plain
    assert "words/s" in shown.plain
    percents = [int(one) for one in PERCENT.findall(shown.plain)]
    assert percents == sorted(percents)
    assert percents[-1] > 50
    assert len(list(read_conllu(folder / "out.conllu"))) == len(toy_sentences()) * TIMES
    piped = on_terminal(*arguments, to_file=True)
    assert "parsing" in piped.plain
    assert piped.out == (folder / "out.conllu").read_text()


def test_what_is_shown_on_the_terminal_has_no_bar_within(folder):
    shown = on_terminal("parse", "--model", folder / "model", folder / "big.conllu")
    assert "loading the model" in shown.plain
    assert shown.left.startswith("# sent_id")
    assert ESCAPE not in shown.left


def test_a_text_in_the_call_has_no_bar(folder):
    model = ["--model", folder / "model", "--tokenized"]
    assert "loading" not in on_terminal("parse", *model, "the dog sees").text


def test_a_narrow_terminal_has_a_bar_in_one_line(folder):
    target = folder / "narrow.conllu"
    arguments = ["parse", "--model", folder / "model", folder / "big.conllu", "-o", target]
    shown = on_terminal(*arguments, width=40)
    looks = re.split("[\r\n]", shown.plain)
    assert max(map(len, looks)) < 40


@pytest.mark.parametrize("command", ["stats", "check", "convert", "evaluate", "compare", "mbr"])
def test_other_commands_show_the_same_bar(folder, command, tmp_path):
    small = folder / "small.conllu"
    more = {
        "convert": [tmp_path / "out.jsonl"],
        "evaluate": [small, "--rounds", 10],
        "compare": [small, small, "--rounds", 10],
        "mbr": [small, "-o", tmp_path / "out.conllu"],
    }
    shown = on_terminal(command, small, *more.get(command, []))
    assert shown.code == 0, shown.text
    assert "━" in shown.plain
    assert PERCENT.search(shown.plain)


def test_dumb_terminals_and_logs_show_no_bar(folder, tmp_path):
    arguments = ["convert", folder / "small.conllu", tmp_path / "out.jsonl"]
    assert on_terminal(*arguments, environment={"TERM": "dumb"}).text == ""


def test_a_terminal_is_told_that_it_is_read(folder):
    typed = b"the dog sees\n\x04"
    shown = on_terminal("parse", "--tokenized", "--model", folder / "model", typed=typed)
    assert shown.code == 0
    assert "note: reading standard input" in shown.text
    assert "1\tthe\t" in shown.text
    assert "━" not in shown.text


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress, lzma.compress])
def test_bytes_are_told_once_they_have_been_used(pack, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(pack(b"some line\n" * 50_000))
    told = []
    with watched_reading(lambda name, count: told.append((name, count))):
        lines = read_lines(path)
        next(lines)
        assert told == []
        assert sum(1 for _ in lines) == 50_000 - 1
    assert {name for name, _ in told} == {str(path)}
    assert sum(count for _, count in told) == path.stat().st_size == progressbar.total_bytes([path])


def test_the_size_of_a_pipe_is_unknown(tmp_path):
    assert progressbar.total_bytes([tmp_path / "missing"]) is None
    assert progressbar.total_bytes([Path("/dev/null")]) is None
    assert progressbar.total_bytes([]) is None

"""Tables, JSON and messages, for terminals of every kind and for files."""

import io
import json
import sys

import pytest
from rich.console import Group

from headwise.cli.output import (
    complain,
    obeys_codes,
    print_json,
    print_tables,
    shows_colours,
    speaks_unicode,
)
from headwise.draw.tables import new_table


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch) -> Terminal:
    """A terminal as standard output, from here on: what a fixture sets, pytest replaces."""
    found = Terminal()
    monkeypatch.setattr(sys, "stdout", found)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return found


def wide_table():
    table = new_table("Scores", "", [f"measure{i}" for i in range(8)])
    table.add_row("gold", *(f"{i}.25" for i in range(8)))
    return table


def test_a_complaint_is_one_safe_line(capsys):
    complain("no \x1b[31mfile\nhere")
    complain("look", "note")
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("headwise: error: no ␛[31mfile")
    assert second == "headwise: note: look"


@pytest.mark.parametrize(
    ("term", "obeyed"), [("xterm", True), ("dumb", False), ("DUMB", False), ("unknown", False)]
)
def test_terminals_without_codes(monkeypatch, term, obeyed):
    terminal = on_terminal(monkeypatch)
    monkeypatch.setenv("TERM", term)
    assert obeys_codes(terminal) == shows_colours() == obeyed
    assert not obeys_codes(io.StringIO())


def test_colours_can_be_switched_off(monkeypatch):
    terminal = on_terminal(monkeypatch)
    assert shows_colours()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not shows_colours()
    assert obeys_codes(terminal)


@pytest.mark.parametrize(("encoding", "expected"), [("utf-8", True), ("ascii", False)])
def test_encodings(monkeypatch, encoding, expected):
    terminal = on_terminal(monkeypatch)
    terminal.encoding = encoding
    assert speaks_unicode() == expected


def test_tables_fit_the_terminal_and_keep_their_figures(monkeypatch):
    terminal = on_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    print_tables(wide_table())
    text = terminal.getvalue()
    assert max(map(len, text.splitlines())) <= 40
    assert all(f"{i}.25" in text.split() for i in range(8))
    assert "\x1b" not in text


def test_without_a_terminal_tables_are_as_wide_as_they_like(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    print_tables(Group(wide_table(), wide_table()))
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split() for line in lines if line.split()[:1] == ["gold"]]
    assert rows == [["gold", *(f"{i}.25" for i in range(8))]] * 2


def test_symbols_have_ascii_of_the_same_width(monkeypatch):
    terminal = on_terminal(monkeypatch)
    terminal.encoding = "ascii"
    table = new_table("t", "", ["c"])
    table.add_row("x", "−1…")
    print_tables(table)
    assert "-1~" in terminal.getvalue()


def test_json_is_ascii_and_has_no_other_numbers(capsys):
    print_json({"é\x1b": [1, None]})
    out = capsys.readouterr().out
    assert out.isascii()
    assert "\x1b" not in out
    assert json.loads(out) == {"é\x1b": [1, None]}
    with pytest.raises(ValueError, match="JSON"):
        print_json(float("nan"))

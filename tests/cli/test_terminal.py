"""Commands on a real terminal: colours are the drawing's own, and nothing raw from the data."""

import re
from pathlib import Path

import pytest

from headwise.corpus.formats import write_sentences
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.draw.width import display_width
from terminals import ESCAPE, PLAIN_C, on_terminal, without_codes
from toyparsers import toy_parser

EVIL = "\x1b]0;owned\x07\x1b[2J"
NEUTRALISED = re.compile("␛\\[[0-9;]*m")
"""A code of a colour that was taken for data."""

ENVIRONMENTS = {
    "colour": {},
    "no colour": {"NO_COLOR": "1"},
    "dumb": {"TERM": "dumb"},
    "ascii": PLAIN_C,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Two treebanks with escape sequences in every place that is shown, and a model."""
    folder = tmp_path_factory.mktemp("terminal")
    toy_parser().save(folder / "model")
    for name, head in (("gold", 2), ("other", 0)):
        words = Sentence.from_words(
            [f"dog{EVIL}", "sees", "中文"],
            upos=["NOUN", "VERB", f"X{EVIL}"],
            heads=[head, 0 if head else 1, 2],
            relations=["nsubj", f"root{EVIL}", "obj"],
            comments=("# sent_id = s", f"# text = dog{EVIL} sees 中文"),
        )
        write_sentences(folder / f"{name}.conllu", [*read_sample(), words])
    return folder


def calls(folder: Path) -> dict[str, list[object]]:
    gold, other = folder / "gold.conllu", folder / "other.conllu"
    model = ["--model", folder / "model"]
    return {
        "show": ["show", gold, "-n", 9],
        "show --diff": ["show", gold, "--diff", other, "-n", 9],
        "parse": ["parse", *model, gold, "--to", "tree"],
        "parse to CoNLL-U": ["parse", *model, gold],
        "evaluate": ["evaluate", gold, other, "--by", "relation,tag"],
        "compare": ["compare", gold, gold, other],
        "stats": ["stats", gold],
        "check": ["check", gold],
        "mbr": ["mbr", gold, other],
        "convert": ["convert", gold, "-"],
        "info": ["info", folder / "model"],
        "features": ["features"],
    }


@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize("command", ["show", "show --diff", "parse", "evaluate", "stats"])
def test_drawings_and_tables_in_every_environment(folder, command, environment):
    shown = on_terminal(*calls(folder)[command], environment=ENVIRONMENTS[environment])
    assert shown.code == 0, shown.text
    coloured = environment in ("colour", "ascii")
    assert (ESCAPE in shown.left) == coloured
    assert ESCAPE not in shown.plain  # of codes there are colours only
    assert "\a" not in shown.text
    assert "owned" in shown.plain
    assert not NEUTRALISED.search(shown.plain)
    if environment == "ascii":
        assert shown.text.isascii()
    elif command != "stats":
        assert "│" in shown.plain or "─" in shown.plain


@pytest.mark.parametrize(
    "command",
    ["parse to CoNLL-U", "compare", "check", "mbr", "convert", "info", "features"],
)
def test_other_commands_show_nothing_raw(folder, command):
    shown = on_terminal(*calls(folder)[command])
    assert shown.code in (0, 1), shown.text
    assert ESCAPE not in shown.plain
    assert "\a" not in shown.text
    assert not NEUTRALISED.search(shown.plain)


@pytest.mark.parametrize("command", ["show", "show --diff", "parse"])
@pytest.mark.parametrize("width", [40, 200])
def test_drawings_fit_the_terminal(folder, command, width):
    shown = on_terminal(*calls(folder)[command], width=width)
    lines = without_codes(shown.left).split("\n")
    assert all(display_width(line) <= width for line in lines)
    assert max(map(display_width, lines)) > width // 4


def test_colours_are_those_of_the_drawing(folder):
    """The first command of the README, to the byte."""
    shown = on_terminal("parse", "--model", folder / "model", "--tokenized", "dogs see")
    assert "\x1b[1mroot\x1b[0m" in shown.text
    plain = on_terminal(
        "parse", "--model", folder / "model", "--tokenized", "dogs see",
        environment={"NO_COLOR": "1"},
    )  # fmt: skip
    assert plain.left == without_codes(shown.left)


@pytest.mark.parametrize("environment", [{}, {"TERM": "dumb"}])
@pytest.mark.parametrize("width", [30, 40])
@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_tables_fit_narrow_terminals(folder, command, width, environment):
    """Columns that have no room stand below the others; no word and no figure is cut."""
    gold, other = folder / "gold.conllu", folder / "other.conllu"
    files = [gold, other] if command == "evaluate" else [gold, gold, other]
    shown = on_terminal(command, *files, width=width, environment=environment)
    assert shown.code == 0
    lines = without_codes(shown.left).replace("\r", "").split("\n")
    assert max(map(display_width, lines)) <= width
    words = {word for line in lines for word in line.split()}
    assert {"UAS", "Undirected", "interval"} <= words
    assert {"p", "boot.", "McN."} <= words or command == "evaluate"

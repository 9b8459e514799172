"""What the README shows is what happens."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from headwise.cli.app import run
from headwise.corpus.conllu import write_conllu
from headwise.corpus.sample import read_sample

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with the files that the README speaks of."""
    for name in ("gold", "parsed", "other"):
        write_conllu(tmp_path / f"{name}.conllu", read_sample())
    (tmp_path / "wsj.mrg").write_text("( (S (NP (NN Dog)) (VP (VBZ barks)) (. .)) )\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


COMMANDS = [
    line for block in blocks("sh") for line in block.splitlines() if line.startswith("headwise ")
]


def test_there_are_commands_to_try():
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works(command, folder, capsys):
    arguments = shlex.split(command, comments=True)[1:]
    assert run(arguments) == 0
    out = capsys.readouterr().out
    assert out or arguments[0] in ("convert", "show")


def test_the_python_example_works(folder, capsys):
    (code,) = blocks("python")
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.endswith("100.0\n")
    assert (folder / "changed.conllu.gz").exists()


@pytest.mark.parametrize("page", ["evaluation", "head-rules", "formats", "models", "text"])
def test_the_first_example_of_a_page_works(page, folder):
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    code = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[0]
    exec(compile(code, page, "exec"), {})


def test_the_drawing_is_what_is_drawn(capsys):
    (drawing,) = blocks("text")
    assert run(["show", "--width", "100"]) == 0
    assert drawing in capsys.readouterr().out


def test_links_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_set_up_commands_install_what_the_project_declares():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    set_up = [line for block in blocks("sh") for line in block.splitlines() if "venv" in line]
    assert len(set_up) == 2
    for extra in re.findall(r"\.\[(\w+)\]", " ".join(set_up)):
        assert extra in extras

"""The pages of docs: examples work, names are those of the package, every page can be found."""

import ast
import inspect
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import headwise
from commandcalls import quick
from headwise.cli.app import SUMMARIES, loaded, run
from headwise.corpus.formats import write_sentences
from headwise.corpus.headrules import HeadRules
from headwise.corpus.sentence import Sentence
from headwise.corpus.word import Word
from headwise.errors import FormatError, UsageError
from headwise.learners.settings import TrainingSettings
from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline.document import Document
from headwise.pipeline.models import model_path
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.config import read_teaching
from headwise.scoring.linear.tagreduction import TagReduction
from headwise.scoring.linear.templates import FeatureSet
from headwise.storage.modelfile import describe_model
from headwise.storage.settings import read_settings
from toytreebank import SMALL, toy_treebank

ROOT = Path(__file__).parents[1]
PACKAGE = Path(headwise.__file__).parent
DOCS = ROOT / "docs"
PAGES = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in DOCS.rglob("*.md")}
SMALL_TABLES = ["--epochs", "1", "--set", "tables.wide=10", "--set", "tables.narrow=10"]
SMALL_TABLES += ["--set", "tables.filters=8"]
LISTED = ("evaluate", "constituency", "reranking", "scoring.linear")
"""Packages whose names the API page lists."""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with a treebank."""
    write_sentences(tmp_path / "train.conllu", toy_treebank(60, 1))
    write_sentences(tmp_path / "dev.conllu", toy_treebank(20, 2))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_page(name: str) -> dict[str, object]:
    """Execute the blocks of a page one after the other, with tables that are quick to fill."""
    space: dict[str, object] = {"SMALL": SMALL}
    for language, block in re.findall(
        r"^```(python|sh)\n(.*?)^```$", PAGES[name], re.DOTALL | re.MULTILINE
    ):
        if language == "python":
            small = re.sub(r"epochs=\d", "epochs=2, tables=SMALL", block)
            exec(compile(small, name, "exec"), space)
            continue
        for line in block.splitlines():
            arguments = quick(shlex.split(line, comments=True)[1:])
            assert run([*arguments, *(SMALL_TABLES if arguments[0] == "train" else [])]) == 0
    return space


def test_the_tutorial_works(folder, capsys):
    space = run_page("tutorial.md")
    out = capsys.readouterr().out
    assert "% of heads are right" in out
    assert "p = " in out
    assert space["parser"].score(space["dev"]) > 0.9
    first = re.search(r"^```python\n(.*?)^```$", PAGES["tutorial.md"], re.DOTALL | re.MULTILINE)
    assert first is not None
    assert len([line for line in first[1].splitlines() if line]) <= 10


def test_the_tutorial_of_probabilities_works(folder, capsys):
    space = run_page("probabilities.md")
    out = capsys.readouterr().out
    assert "heads to choose from" in out
    assert abs(space["expected"] - space["parser"].score(space["dev"])) < 0.1
    assert sum(part.count for part in space["report"].curve) == len(space["words"])


def test_what_users_of_other_parsers_look_for_is_there():
    rows = re.findall(r"^\|.*\| (.*) \|$", PAGES["coming-from.md"], re.MULTILINE)
    homes = {"doc": Document, "word": Word, "sentence": Sentence, "nlp": Pipeline}
    found = re.findall(r"`(doc|word|sentence|nlp)\.(\w+)", "\n".join(rows))
    assert len(found) > 25
    for home, name in found:
        assert hasattr(homes[home], name), (home, name)


def test_the_reference_has_all_public_names():
    named = re.findall(r"^::: ([\w.]+)\.(\w+)$", PAGES["reference.md"], re.MULTILINE)
    assert {name for _, name in named} >= set(headwise.__all__)
    for home, name in named:
        assert hasattr(import_module(home), name), (home, name)


def test_a_learner_of_ones_own_learns(folder):
    space = run_page("own-learner.md")
    assert space["parser"].score(space["dev"]) > 0.9
    space["parser"].save("own")
    loaded = DependencyParser.load("own")
    assert loaded.predict(space["dev"]) == space["parser"].predict(space["dev"])
    assert "| learner | PassiveAggressive |" in Path("own/README.md").read_text()
    loaded.save("again")
    assert Path("own/config.json").read_bytes() == Path("again/config.json").read_bytes()
    with pytest.raises(UsageError, match="the code of the learner PassiveAggressive is not in"):
        loaded.fit(space["train"])
    base = import_module("headwise.learners.base")
    for name in re.findall(r"^\| `(\w+)", PAGES["own-learner.md"], re.MULTILINE):
        fields = base.Example.__dataclass_fields__
        assert name in fields or hasattr(base.Example, name), name


def section(title: str) -> str:
    """The part of the page of public names under a title."""
    found = re.search(rf"^## {title}$(.*?)(?=^## |\Z)", PAGES["api.md"], re.DOTALL | re.MULTILINE)
    assert found is not None, title
    return found[1]


def test_the_public_names_are_listed_with_their_parameters():
    text = section("headwise").partition("### DependencyParser")[0]
    listed = re.findall(r"^\| `(\w+)(?:\((.*?)\))?` \|", text, re.MULTILINE)
    assert sorted(name for name, _ in listed) == sorted(dir(headwise))
    for name, parameters in listed:
        if parameters:
            check_parameters(getattr(headwise, name), parameters)


def check_parameters(function: object, listed: str) -> None:
    named = [one.partition("=")[0].strip(" *") for one in listed.split(",")]
    refused = "unknown"  # arguments that are there to say what they are called here
    real = [
        name for name in inspect.signature(function).parameters if name not in ("self", refused)
    ]
    assert [name for name in named if name] == real, function


@pytest.mark.parametrize("name", ["DependencyParser", "Pipeline"])
def test_methods_are_listed_with_their_parameters(name):
    text = section("headwise").partition(f"### {name}")[2].partition("###")[0]
    methods = re.findall(r"`(?:\w+\.)?(\w+)\(([^`]*)\)`", text)
    assert len(methods) >= 4
    for method, parameters in methods:
        own = "__call__" if method == "nlp" else method
        check_parameters(getattr(getattr(headwise, name), own), parameters)


def test_what_methods_take_is_listed_with_its_home():
    text = section("Arguments and stages")
    rows = re.findall(r"^\| `(\w+)(?:\(([^`]*)\))?` \| `([\w.]+)` \|", text, re.MULTILINE)
    assert len(rows) == text.count("\n| `")
    shared = re.findall(r"`([a-z_]+)`", text.partition("The last three have")[2])
    for name, parameters, home in rows:
        if home == "headwise.integrations.spacy" and find_spec("spacy") is None:
            continue  # an extra that need not be there
        one = getattr(import_module(home), name)
        assert one.__module__ == home, name
        if parameters:
            check_parameters(one, parameters)
        if name.endswith("Parser"):
            assert not [method for method in shared if not hasattr(one, method)], name


@pytest.mark.parametrize("name", ["Document", "Sentence", "Word"])
def test_what_has_a_name_is_listed(name):
    hidden = {"layout", "path", "line", "start", "source", "checked", "extras"}
    hidden |= {"as_read", "count_missing", "lacks", "extent"}  # for readers, taggers and batches
    own = {one for one in dir(getattr(headwise, name)) if not one.startswith("_")}
    for one in own - (hidden if name == "Sentence" else set()):
        assert re.search(rf"`(?:{name}\.)?{one}\b", section("headwise")), one


@pytest.mark.parametrize("package", LISTED)
def test_the_names_of_packages_are_listed(package):
    listed = set(re.findall(r"`(\w+)", section(f"headwise.{package}")))
    assert set(import_module(f"headwise.{package}").__all__) <= listed


def names_of_examples() -> Iterator[tuple[str, str, str]]:
    """What Python examples take from Headwise: the page, the module and the name."""
    pages = {**PAGES, "README.md": (ROOT / "README.md").read_text("utf-8")}
    for page, text in pages.items():
        for block in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            for node in ast.walk(ast.parse(block)):
                home = node.module if isinstance(node, ast.ImportFrom) else None
                if home and home.partition(".")[0] == "headwise":
                    yield from ((page, home, one.name) for one in node.names)


def test_what_examples_import_is_listed():
    found = set(names_of_examples())
    assert len(found) > 60
    homes = dict.fromkeys(re.findall(r"^## (.*)$", PAGES["api.md"], re.MULTILINE))
    for page, home, name in found:
        listed = home in homes and re.search(rf"`{name}\b", section(home))
        row = rf"^\| `{name}(?:\(.*?\))?` \| `{re.escape(home)}` \|"
        known = re.search(row, PAGES["api.md"], re.MULTILINE)
        same = name in dir(headwise) and getattr(import_module(home), name) is getattr(
            headwise, name
        )
        assert listed or known or same, (page, home, name)


def test_what_is_listed_with_its_home_is_there():
    rows = re.findall(
        r"^\| `(\w+)(?:\((.*?)\))?` \| `(headwise[\w.]*)` \|", PAGES["api.md"], re.MULTILINE
    )
    assert len(rows) > 60
    for name, parameters, home in rows:
        if home == "headwise.integrations.spacy" and find_spec("spacy") is None:
            continue  # an extra that need not be there
        one = getattr(import_module(home), name)
        if parameters:
            check_parameters(one, parameters)


def test_what_is_for_users_of_the_library_is_listed():
    found = ["memory_needed", "index_within", "OverLimit", "chart_memory", "score_memory"]
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = ast.get_docstring(node) or ""
                if "for users of the library" in text.lower().replace("\n", " "):
                    found.append(node.name)
    assert len(found) >= 10
    for name in found:
        assert re.search(rf"`(?:\w+\.)?{name}\b", PAGES["api.md"]), name


def commands() -> Iterator[Any]:
    """All commands, and those in groups."""
    for command in map(loaded, SUMMARIES):
        yield command
        yield from getattr(command, "commands", {}).values()


def test_every_option_is_on_a_page():
    text = " ".join(PAGES.values())
    for command in commands():
        for option in command.params:
            names = [one for one in (*option.opts, *option.secondary_opts) if one.startswith("-")]
            assert not names or any(
                re.search(rf"(?<![\w-]){name}(?![\w-])", text) for name in names
            ), (command.name, names)


def layout() -> set[str]:
    """Files and folders of the tree that the design draws, below the package."""
    lines = PAGES["design.md"].partition("    src/headwise/\n")[2].partition("\n\n**")[0]
    named, folders = set(), [""]
    for indent, name in re.findall(r"^( {6,})([\w.]+(?:\.py|/)) ", lines, re.MULTILINE):
        del folders[len(indent) // 2 - 2 :]
        named.add(folders[-1] + name)
        folders.append(folders[-1] + name)
    return named


def test_the_design_draws_the_folders_that_there_are():
    named = layout()
    assert len(named) > 35
    for path in named:
        assert (PACKAGE / path).exists(), path
    for one in PACKAGE.iterdir():
        if one.suffix == ".py":
            assert one.name in named, one.name
        elif one.is_dir() and one.name != "__pycache__":
            assert f"{one.name}/" in named, one.name
    for name in (one.parent.relative_to(PACKAGE) for one in PACKAGE.rglob("__init__.py")):
        assert name == Path() or f"{name.as_posix()}/" in named, name


def test_the_code_of_papers_is_where_their_page_says():
    named = re.findall(r"`([\w/]+(?:\.py|/))`", PAGES["papers.md"])
    assert len(named) > 30
    for path in set(named) - {"src/headwise/"}:
        assert (PACKAGE / path).exists(), path


def prose() -> Iterator[tuple[str, str]]:
    """The paragraphs of all pages without blocks of code, each with the name of its page."""
    top = {name: (ROOT / name).read_text("utf-8") for name in ("README.md", "CONTRIBUTING.md")}
    for page, text in {**top, **PAGES}.items():
        plain = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
        for paragraph in plain.split("\n\n"):
            yield page, paragraph


def home_of(name: str) -> Path | None:
    """The file or folder that a page names, from the root or from the package."""
    homes = (root / name for root in (ROOT, PACKAGE))
    return next((one for one in homes if one.exists()), None)


def test_paths_that_are_named_are_there():
    """Files of code wherever they stand, and folders of the repository in code spans."""
    tops = {one.name for root in (ROOT, PACKAGE) for one in root.iterdir() if one.is_dir()}
    found = 0
    for page, paragraph in prose():
        paths = set(re.findall(r"(?<![\w./-])((?:[\w.-]+/)*\w+\.py)\b", paragraph))
        folders = re.findall(r"`((?:[\w-]+/)+)`", paragraph)
        paths |= {one for one in folders if one.partition("/")[0] in tops or "/" in one[:-1]}
        named = layout() if page == "design.md" else set()
        for path in paths - {one.rpartition("/")[2] for one in named}:
            assert home_of(path), (page, path)
            found += 1
    assert found > 100


def test_modules_that_are_named_are_there():
    found = 0
    for page, paragraph in prose():
        for name in re.findall(r"`(headwise(?:\.\w+)+)`", paragraph):
            home, _, last = name.rpartition(".")
            try:
                import_module(name)
            except ModuleNotFoundError:
                assert hasattr(import_module(home), last), (page, name)
            found += 1
    assert found > 50


def test_papers_are_called_by_their_authors():
    for page, paragraph in prose():
        assert not re.search(r"\b[Pp]apers? 00\d", paragraph), (page, paragraph)


def test_what_is_said_to_be_in_a_file_is_there():
    found = 0
    for page, paragraph in prose():
        for one, name in re.findall(r"`(\w+)`\s+in\s+`([\w./-]+\.py)`", paragraph):
            home = home_of(name)
            assert home is not None, (page, name)
            assert re.search(rf"\b{one}\b", home.read_text("utf-8")), (page, name, one)
            found += 1
    assert found > 5


def test_every_page_is_in_the_site():
    nav = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
    assert sorted(re.findall(r"- ([\w/-]+\.md)$", nav, re.MULTILINE)) == sorted(PAGES)


def test_the_pages_of_results_are_what_the_results_say(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "experiments")
    generated = import_module("page").pages()
    for path in (ROOT / "experiments").glob("*.py"):  # others may have modules of these names
        sys.modules.pop(path.stem, None)
    assert len(generated) == 7
    for name, text in generated.items():
        assert PAGES[name] == text, name
        assert "<!-- table" not in text
        assert not re.search(r"\{[\w-]+\s/", text), name


def test_the_extra_for_the_site_is_declared():
    assert 'docs = ["mkdocs-material' in (ROOT / "pyproject.toml").read_text()


def test_the_orders_of_the_readme_are_those_of_the_results():
    draw = SimpleNamespace(**runpy.run_path(str(ROOT / "docs/draw_orders.py")))
    orders = draw.points()
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(orders) == 5
    assert draw.with_table(readme, orders) == readme
    assert (ROOT / "docs/images/orders.svg").read_text("utf-8") == draw.picture(orders)


def test_every_kind_of_model_is_described():
    kinds, makers = set(), set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        kinds |= set(re.findall(r'^(?:KIND|    kind) = "([\w-]+)"$', text, re.MULTILINE))
        makers |= set(re.findall(r"\bModelFile\(\s*([^,\s]+),", text))
    assert len(kinds) >= 12
    known = {"KIND", "info.kind", "str(kind)", "kind", "self.kind", "NeuralParser.kind"}
    assert makers <= known  # nothing else names one
    for kind in kinds:
        assert f"`{kind}`" in PAGES["models.md"], kind


@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_the_arrays_of_a_pipeline_are_described(model):
    names = set(describe_model(model_path(model)).tensors)
    packed = {name.removesuffix(".shape") for name in names if name.endswith(".shape")}
    parts = ("shape", *(f"{part}_deflated" for part in ("values", "gaps", "bits")))
    packs = {f"{name}.{part}" for name in packed for part in parts}
    for name in packed | (names - packs):
        own = name.removeprefix("parser/")
        if model == "en" and own != name:  # layers, columns and what belongs to weights are one row
            own = re.sub(r"\.(scale|bias)$", "", own)
            own = re.sub(r"\.(upos|xpos|feats)$", ".COLUMN", re.sub(r"\.\d\.", ".L.", own))
        assert f"\n| `{own}` |" in PAGES["models.md"], name


def block_of(page: str, language: str, first: str) -> str:
    """The block of a page that begins in this way."""
    pattern = rf"^```{language}\n({re.escape(first)}.*?)^```$"
    found = re.search(pattern, PAGES[page], re.DOTALL | re.MULTILINE)
    assert found is not None, (page, first)
    return found[1]


def test_files_that_pages_show_can_be_read(tmp_path, monkeypatch):
    """Templates, tag reductions, head rules, and who teaches."""
    monkeypatch.chdir(tmp_path)
    Path("own.txt").write_text(block_of("features.md", "text", "plain "))
    assert len(FeatureSet.load("own.txt").templates) == 3
    Path("tags.txt").write_text(block_of("tag-reductions.md", "", "@length 15"))
    assert TagReduction.load("tags.txt").reduced("NNFS1-----A----") == "N---1"
    Path("heads.txt").write_text(block_of("head-rules.md", "", "NP "))
    assert HeadRules.load("heads.txt").rules["NP"]
    Path("teaching.toml").write_text(block_of("teaching.md", "toml", "[teaching]"))
    teaching = read_teaching(Path("teaching.toml"))
    assert teaching is not None
    assert (teaching.gold_weight, teaching.min_head, teaching.min_tree) == (3, 0.5, 0.01)


def test_commands_that_are_only_shown_have_options_that_there_are():
    """Blocks of text show what would take too long to run: their options are checked at least."""
    known, found = {name: loaded(name) for name in SUMMARIES}, 0
    for page, text in PAGES.items():
        for block in re.findall(r"^```text\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            for line in re.findall(r"^headwise (.*)$", block, re.MULTILINE):
                words = shlex.split(line, comments=True)
                command = known[words[0]]
                command = getattr(command, "commands", {}).get("".join(words[1:2]), command)
                options = {name for one in command.params for name in one.opts}
                for option in (word for word in words if word.startswith("-")):
                    assert option in options, (page, line)
                    found += 1
    assert found > 15


def test_errors_of_settings_are_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mistakes = (
        'order = 1\n[words]\nnumber = "keep"\n',
        "\n" * 6 + 'epochs = "ten"\n',
        "\n" * 8 + "rate = 1e999\n",
    )
    for text in mistakes:
        Path("train.toml").write_text(text)
        with pytest.raises(FormatError) as caught:
            read_settings("train.toml", TrainingSettings)
        assert f"\n{caught.value}\n" in PAGES["models.md"]

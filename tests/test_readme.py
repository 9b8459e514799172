"""What the README shows is what happens."""

import os
import re
import shlex
import sys
import tomllib
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path

import pytest

from commandcalls import quick
from headwise.cli.app import run
from headwise.corpus.formats import write_sentences
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.evaluate.measures import NAMES as MEASURE_NAMES
from headwise.experiments.plan import COSTS, Column, Experiment, System
from headwise.experiments.treebanks import TreebankFiles
from headwise.learners.settings import TrainingSettings
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.parsers.lexical.settings import LexicalSettings
from headwise.pipeline import models
from headwise.pipeline.storage import MEASURES
from headwise.scoring.linear.tables import TableSizes
from headwise.storage.settings import read_settings
from toypipelines import toy_pipeline

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


SMALL_EXPERIMENT = """
title = "Mine"
treebanks = ["mine"]
treebank.mine = { train = "gold.conllu", dev = "gold.conllu" }
settings = { epochs = 1, tables = { wide = 10, narrow = 10, filters = 8 } }
systems = [{ name = "MIRA" }]
columns = [{ measure = "uas", title = "UAS" }]
"""


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def page_of(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8")


def commands_of(name: str) -> list[str]:
    """The commands of a page of docs, without what they say of themselves."""
    text = "".join(blocks("sh", page_of(name))).replace("\\\n", " ")
    return [shlex.join(shlex.split(line, comments=True)[1:]) for line in text.splitlines()]


def run_commands(name: str, least: int, small: str = "", to: str = "train") -> None:
    """Run all commands of a page; some options are added to those of one kind."""
    commands = commands_of(name)
    assert len(commands) >= least
    for command in commands:
        arguments = quick(shlex.split(command))
        assert run([*arguments, *(small.split() if to in arguments[:2] else [])]) == 0, command


SIZES = "--epochs 1 --set tables.wide=10 --set tables.narrow=10 --set tables.filters=8"
TREES = """( (S (NP (NN Dog)) (VP (VBZ barks)) (. .)) )
( (S (NP (DT The) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)) )
( (S (NP (NN Cat)) (VP (VBZ sees) (NP (NN dog)) (PP (IN in) (NP (NN town)))) (. .)) )
( (S (NP (DT The) (NN cat) (PP (IN in) (NP (NN town)))) (VP (VBZ barks)) (. .)) )
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with the files that the README speaks of."""
    for name in ("gold", "parsed", "other", "train", "dev"):
        write_sentences(tmp_path / f"{name}.conllu", read_sample())
    for name in ("wsj", "train", "dev"):
        (tmp_path / f"{name}.mrg").write_text(TREES)
    (tmp_path / "book.txt").write_text("The dogs see a cat. The dog doesn't see a tree.\n")
    (tmp_path / "mine.toml").write_text(SMALL_EXPERIMENT)
    if not models.embedded_names():
        monkeypatch.setattr(models, "EMBEDDED", tmp_path / "embedded")
        toy_pipeline().save(tmp_path / "embedded" / "en")
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
    if "my-model" in arguments and arguments[0] != "train":
        assert run(["train", "gold.conllu", "-o", "my-model", "--fast", *SIZES.split()]) == 0
    assert run([*arguments, *(["--epochs", "1"] if arguments[0] == "train" else [])]) == 0
    out = capsys.readouterr().out
    assert out or arguments[0] in ("convert", "show", "parse")


def test_the_python_example_works(folder, capsys):
    for code in blocks("python"):
        exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.endswith("100.0\n")
    assert (folder / "changed.conllu.gz").exists()


@pytest.mark.parametrize(
    "page",
    [
        "evaluation",
        "head-rules",
        "formats",
        "models",
        "training",
        "parsing",
        "constituents",
        "mbr",
        "text",
        "pipeline",
        "lexical",
        "boosting",
        "review",
    ],
)
def test_the_examples_of_a_page_work(page, folder):
    space: dict[str, object] = {}
    for code in blocks("python", page_of(page)):
        exec(compile(code, page, "exec"), space)


def test_the_commands_of_the_page_on_parsing_work(folder, capsys):
    assert run(["train", "gold.conllu", "-o", "my-model", "--fast", *SIZES.split()]) == 0
    some_heads = Sentence.from_words(["A", "letter", "arrived"], heads=[2, None, None])
    write_sentences(folder / "some-heads.conllu", [some_heads])
    run_commands("parsing", 6)
    assert "HeadProb=" in capsys.readouterr().out


def test_the_commands_of_the_page_on_minimum_risk_work(folder):
    only = ["--only", "parser", "--fast"]
    assert run(["train", "gold.conllu", "-o", "my-parser", *only, *SIZES.split()]) == 0
    (folder / "small.toml").write_text(
        "epochs = 1\ntables = { wide = 10, narrow = 10, filters = 8 }\n"
    )
    run_commands("mbr", 10, "--config small.toml", to="jackknife")


def test_the_commands_of_the_page_on_pipelines_work(folder):
    run_commands("pipeline", 8, SIZES)


def test_the_commands_of_the_page_on_constituents_work(folder):
    run_commands("constituents", 6)


def write_text(folder: Path) -> None:
    """Text to count words in."""
    forms = [" ".join(sentence.forms) for sentence in read_sample()]
    text = "\n".join([*forms, "A letter arrived ."] * 5)
    (folder / "text.txt").write_text(text + "\n", "utf-8")


def test_the_commands_of_the_page_on_link_margins_work(folder):
    write_text(folder)
    run_commands("link-margins", 5, "--epochs 3")


def test_the_commands_of_the_page_on_unlabelled_text_work(folder):
    write_sentences(folder / "more.conllu", read_sample())
    run_commands("semisupervised", 1, SIZES)


def test_the_commands_of_the_page_on_words_alone_work(folder):
    write_text(folder)
    run_commands("lexical", 5)
    for one in fields(LexicalSettings):
        assert f"| `{one.name}` |" in page_of("lexical")


def test_the_commands_and_settings_of_the_page_on_boosting_work(folder):
    run_commands("boosting", 3)
    for one in fields(BoostingSettings):
        assert re.search(rf"^\| .*`{one.name}`.* \|", page_of("boosting"), re.MULTILINE), one.name


def test_the_commands_and_settings_of_the_page_on_training_work(folder):
    commands = commands_of("training")
    assert [command.split()[0] for command in commands] == ["train", "plot", "info"]
    for command in commands:
        if command.split()[0] != "plot" or find_spec("matplotlib"):
            assert run(quick(shlex.split(command))) == 0
    (settings,) = blocks("toml", page_of("training"))
    (folder / "train.toml").write_text(settings)
    assert read_settings(folder / "train.toml", TrainingSettings).members == 20


def run_examples(page: str) -> None:
    """Execute the Python examples of a page."""
    space: dict[str, object] = {}
    for code in blocks("python", page_of(page)):
        exec(compile(code, page, "exec"), space)


def test_the_page_on_spacy_works(folder, capsys):
    pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")
    run_examples("spacy")
    assert capsys.readouterr().out.endswith("True\n")


def write_tables(folder: Path) -> None:
    """Tables with texts, under the names that pages use."""
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (headwise[data])")
    from pyarrow import parquet

    texts = {"key": [1, 2], "text": ["The dogs see a cat.", "Dogs bark."]}
    parquet.write_table(arrow.table(texts), folder / "texts.parquet")
    (folder / "texts.jsonl").write_text('{"text": "The dogs see a cat."}\n')


def test_the_page_on_data_frames_works(folder):
    write_tables(folder)
    pytest.importorskip("pandas", reason="pandas is not installed (headwise[data])")
    run_examples("dataframes")
    run_commands("dataframes", 3)
    assert "# newdoc id = 2\n" in (folder / "parsed.conllu").read_text()


@pytest.mark.filterwarnings("ignore")  # of Ray, about files and processes of its own
def test_the_page_on_clusters_works(folder, monkeypatch):
    pytest.importorskip("ray", reason="Ray is not installed (headwise[ray])")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    write_tables(folder)
    run_examples("cluster")
    assert (folder / "out" / "book.conllu").exists()
    assert list((folder / "words").glob("*.parquet"))


def test_estimates_of_the_page_on_clusters_follow_from_speeds():
    block = page_of("cluster").partition("<!-- ray: benchmarks/integrations.py -->\n")[2]
    speeds = re.findall(r"With `en[\w-]*`, ([\d,]+) words per second and core:", block)
    hours = re.findall(r"In all ([\d,]+) core hours", block)
    assert speeds
    for speed, needed in zip(speeds, hours, strict=True):
        expected = 10**12 / float(speed.replace(",", "")) / 3600
        assert float(needed.replace(",", "")) == pytest.approx(expected, rel=1e-3)


def test_the_page_on_training_has_every_setting_and_its_default():
    rows = page_of("training").split("## Settings")[1]
    for one in fields(TrainingSettings):
        assert f"`{one.name}" in rows, one.name
    settings = TrainingSettings()
    for group in ("words", "labeller", "tables", "pruner"):
        own = " ".join(re.findall(rf"^\| (`{group}\..*?) \|", rows, re.MULTILINE))
        for one in fields(getattr(settings, group)):
            assert f".{one.name}`" in own, f"{group}.{one.name}"
    for name, value in {"epochs": 10, "bits": 8, "members": 10, "k": 1, "c": 1.0}.items():
        settings = TrainingSettings(learner="bayes-point" if name == "members" else "mira")
        assert settings.complete()[name] == value
        assert re.search(rf"^\| `{name}` \| {value} \|", rows, re.MULTILINE), name


def test_the_memory_of_the_page_on_training_is_that_of_the_tables():
    text = " ".join(page_of("training").split())
    sizes = TableSizes()
    alone = 4 * sizes.weights(with_parts=False)
    assert f"bytes each, {alone / 1e6:.0f} MB by default" in text
    more = 4 * sizes.weights(with_parts=True) - alone
    assert f"16 · 2^parts bytes more ({more / 1e6:.0f} MB)" in text
    more = 4 * sizes.weights(with_parts=False, with_labels=True) - alone
    assert f"4 · 2^labels ({more / 1e6:.0f} MB)" in text


def test_the_drawing_is_what_is_drawn(capsys):
    (drawing,) = blocks("text")
    assert run(["show", "--width", "100"]) == 0
    assert drawing in capsys.readouterr().out


def test_the_scores_have_their_names():
    rows = README.partition("| | `en`, gold tags |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (\w+) \|", rows, re.MULTILINE) == list(MEASURES.values())


def test_links_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
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


def test_the_experiment_of_its_page_works(folder):
    page = page_of("experiments")
    (text,) = blocks("toml", page)
    small = (
        'labels = "none"\nfeatures = "paper-000"\ntables = { wide = 10, narrow = 10, filters = 8 }'
    )
    text = text.replace("epochs = 5", f"epochs = 1\n{small}").replace("[0, 1, 2]", "[0]")
    (folder / "mine.toml").write_text(text)
    assert run(["experiment", "mine.toml"]) == 0
    assert "| mine | perceptron |" in (folder / "tables" / "mine.md").read_text()
    for cls in (Experiment, TreebankFiles, System, Column):
        for one in fields(cls):
            assert re.search(rf"`(\[\[?)?{one.name}\b", page), one.name
    for name in (*COSTS, *MEASURE_NAMES):
        assert f"`{name}`" in page, name

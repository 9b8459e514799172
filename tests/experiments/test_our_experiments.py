"""The experiments of the repository: their files are right, and the page is made of them."""

import importlib
import json
import re
import sys
from pathlib import Path

import pytest

from headwise.experiments.plan import read_experiment
from headwise.experiments.runs import key_of_result, rows_of
from headwise.experiments.work import Work

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "experiments"
FILES = sorted(path for path in FOLDER.glob("*.toml") if path.name != "treebanks.toml")


@pytest.fixture
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    yield importlib.import_module
    for path in FOLDER.glob("*.py"):  # others may have modules of these names
        sys.modules.pop(path.stem, None)


@pytest.fixture
def page(scripts):
    return scripts("page")


@pytest.fixture
def figures(scripts):
    return scripts("figures")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_is_right(path):
    experiment, _ = read_experiment(path)
    assert experiment.about
    assert any(system.paper for system in experiment.systems) or path.stem in (
        "orders",
        "search",
        "paper-001-figure-2",
        "plausible-arcs",
        "arc-features",
    )


def test_every_file_is_on_the_page(page):
    assert sorted(page.EXPERIMENTS) == [path.stem for path in FILES]


def test_the_page_is_what_the_results_say(page):
    assert (ROOT / "docs" / "results.md").read_text("utf-8") == page.page()


def test_every_result_belongs_to_an_experiment():
    asked = set()
    for path in FILES:
        experiment, treebanks = read_experiment(path)
        asked |= {run.key for row in rows_of(experiment, treebanks) for run in row.runs}
    for path in (FOLDER / "results").glob("*.json"):
        data = json.loads(path.read_text())
        if "scores" in data:
            assert key_of_result(data) in asked, path.name


@pytest.mark.shared
def test_treebanks_of_the_catalogue_are_where_it_says(treebanks):
    work = Work.of_file(FOLDER / "paper-001-table-2.toml", folders=[treebanks])
    assert set(work.treebanks) >= {"ar_padt", "zh_gsd", "cs_mix", "en_ewt"}
    assert work.treebanks["ar_padt"].length > 1000


WRITTEN = {
    "results.md": "90.9 90.6 0.3 79.9 66.3 5.5 1.3 14.6 1.3 3.9 1.1 3.8",
    "results/headwise.md": "3.1 1.9 0.9 0.2 99.5",
    "results/mcdonald-2005.md": "0.005 88.2",
    "results/titov-henderson-2006.md": (
        "0.0 0.7 81.3 81.8 82.1 81.7 82.1 82.3 88.7 89.2 89.3 91.4 91.6 91.7"
    ),
    "results/wang-2008.md": (
        "4.0 4.0 5.5 0.01 13.6 2.2 8.8 0.1 0.5 0.1 0.5 1.3 14.6 70.6 83.9 5.2 8.3 8.0 3.5 3.5 1.8 "
        "1.4 0.07 0.13 0.05 0.06 0.84 5.3 0.29 0.43 0.5 4.0 1.4 1.3 3.9 0.5 0.5 1.7 1.6 86.6 82.5 "
        "77.6 73.3 0.001 0.01 0.1 0.01 0.1 1.1 3.8 1.4 2.3"
    ),
}
"""What is no figure of kept runs: those of papers, settings, and sizes of treebanks."""


@pytest.mark.parametrize("path", sorted((FOLDER / "pages").rglob("*.md")), ids=lambda p: p.stem)
def test_figures_of_ours_are_computed_and_not_written(path, figures):
    """Whatever prose says of kept runs stands there as a mark, and is computed from them."""
    prose = figures.MARK.sub("", path.read_text("utf-8"))
    prose = re.sub(r"^(<!--.*|#+ .*|!\[.*)$", "", prose, flags=re.MULTILINE)
    prose = re.sub(r"[Tt]ables? \d\.\d( (and|to) \d\.\d)?|[Ss]ections? \d\.\d(\.\d)?", "", prose)
    written = re.findall(r"(?<![\d.])\d+\.\d+(?![\d.]*\d)", prose)
    name = path.relative_to(FOLDER / "pages").as_posix()
    assert written == WRITTEN.get(name, "").split(), name


def test_marks_are_cells_differences_and_ranges(figures):
    table = "| t | s | UAS | p |\n|---|---|--:|--:|\n"
    table += "| a | x | 80.00 ± 0.1 | 0.5 |\n|  | y | 81.26 (90.0) |  |\n| b | x | 70 | – |\n"
    own = figures.Figures(lambda name: {"t": table}[name])
    assert own.filled("{t / a / y / UAS}, {t / b / x / p}") == "81.26 (90.0), –"
    assert own.filled("{by 1: t / a / x / UAS; t / a / y /\nUAS}") == "1.3"
    assert own.filled("{signed 2: t / a / x / UAS; t / a / y / UAS}") == "−1.26"
    assert own.filled("{range 1: t / * / x / UAS; t / a / y / UAS}") == "−11.3 to −1.3"
    assert own.filled("{span 1: t / a or b / x / UAS}") == "70.0 to 80.0"
    assert own.filled("{span 1: t / b / * / UAS}") == "70.0"
    assert own.filled("{span 1: t / a / x / UAS or p}") == "0.5 to 80.0"
    with pytest.raises(ValueError, match="the table t has no row c / x"):
        own.filled("{t / c / x / UAS}")
    with pytest.raises(ValueError, match="0 differences, not one"):
        own.filled("{by 1: t / b / x / p; t / a / x / p}")


@pytest.mark.shared
@pytest.mark.parametrize("name", ["ptb-sample", "gum"])
def test_constituent_trees_are_found_by_the_name_of_the_treebank(name, scripts, treebanks):
    trees = scripts("runs").trees_of(treebanks, name, "dev")
    assert len(trees) > 200
    assert all(len(list(tree.leaves())) > 0 for tree in trees[:10])

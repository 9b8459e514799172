"""The experiments of the repository: their files are right, and the page is made of them."""

import importlib
import json
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
def page(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    yield importlib.import_module("page")
    for path in FOLDER.glob("*.py"):  # others may have modules of these names
        sys.modules.pop(path.stem, None)


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

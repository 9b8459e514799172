"""The table of an experiment."""

import shutil

import numpy as np
import pytest
from smallworlds import TEXT, finished, small_world

from headwise.evaluate.significance import mcnemar
from headwise.experiments.formats import to_csv, to_json, to_markdown
from headwise.experiments.table import table_of
from headwise.experiments.work import Work


def test_the_table_has_means_differences_ratios_and_tests(world):
    table = table_of(Work.of_file(world))
    perceptron, mira = table.rows
    uas, gain, p, seconds, times = mira.cells
    assert len(uas.values) == 2
    assert gain.mean == pytest.approx(uas.mean - perceptron.cells[0].mean)
    assert 0 < p.mean <= 1
    assert times.mean == pytest.approx(seconds.mean / perceptron.cells[3].mean)
    assert perceptron.cells[1].values == ()
    assert mira.paper == (91.1, 0.5, None, 25.0, 2.5)
    assert table.printed == [True, True, False, True, True]


MORE = """
[[columns]]
measure = "uas"
show = "mcnemar"
base = "perceptron"
title = "McNemar"

[[columns]]
measure = "uas"
punctuation = false
show = "interval"
title = "95 %"

[plot]"""


def test_mcnemar_and_intervals_are_those_of_evaluation(tmp_path):
    path = small_world(tmp_path, TEXT.replace("[plot]", MORE).replace("seeds = [0, 1]", ""))
    work = finished(path)
    perceptron, mira = table_of(work).rows
    assert perceptron.cells[-2].values == ()
    runs = [work.results.find(row.runs[0]) for row in work.rows()]
    a, b = (one.verdicts() for one in runs)
    only_a, only_b = int(((a & 1) > (b & 1)).sum()), int(((b & 1) > (a & 1)).sum())
    assert mira.cells[-2].values == (mcnemar(only_a, only_b).p,)
    for one, row in zip(runs, (perceptron, mira), strict=True):
        marks, (view, without) = one.verdicts(), one.counts()
        assert (marks & 1).sum() == view.top[:, 0].sum()
        assert (marks[(marks & 2) == 0] & 1).sum() == without.top[:, 0].sum()
        low, high = row.cells[-1].interval
        assert low <= 100 * without.ratios()[0] <= high
        assert row.cells[-1].mean is None
    assert f"{low:.2f}–{high:.2f}" in to_markdown(table_of(work))
    assert f"{low:.2f}–{high:.2f}" in to_csv(table_of(work))
    assert to_json(table_of(work))["rows"][1]["columns"]["95 %"]["interval"] == [low, high]
    assert work.reread().tasks() == []


def test_results_without_verdicts_are_run_again_for_mcnemar(tmp_path):
    path = small_world(tmp_path, TEXT.replace("seeds = [0, 1]", ""))
    finished(path)
    for counts in tmp_path.rglob("*.counts.npz"):
        with np.load(counts) as arrays:
            kept = {name: arrays[name] for name in arrays if name != "words"}
        np.savez_compressed(counts, **kept)
    path.write_text(TEXT.replace("[plot]", MORE).replace("seeds = [0, 1]", ""), "utf-8")
    work = Work.of_file(path)
    assert len(work.tasks()) == 2
    assert table_of(work).rows[1].cells[-2].values == ()


def test_earlier_results_of_a_treebank_that_is_left_out_are_not_shown(tmp_path):
    path = small_world(tmp_path)
    shutil.copytree(tmp_path / "bank", tmp_path / "again")
    text = TEXT.replace('"licensed"]', '"again"]').replace("[0, 1]", "[0]")
    path.write_text(text.replace("treebank.licensed", "treebank.again")
                    .replace("licensed/train.mrg", "again/train-*.conllu")
                    .replace("licensed/dev.mrg", "again/dev.conllu"), "utf-8")  # fmt: skip
    assert {row.treebank for row in table_of(finished(path)).rows} == {"toy", "again"}
    shutil.rmtree(tmp_path / "again")
    assert {row.treebank for row in table_of(Work.of_file(path)).rows} == {"toy"}
    assert {row.treebank for row in table_of(Work.of_file(path, only=["toy"])).rows} == {"toy"}
    earlier = Work.of_file(path, look=False)
    assert {row.treebank for row in table_of(earlier).rows} == {"toy", "again"}


def test_samples_of_several_sizes_make_curves(tmp_path):
    text = TEXT.replace("seeds = [0, 1]", "seeds = [0, 1]\nsizes = [10, 40, 80]")
    path = small_world(tmp_path, text)
    table = table_of(finished(path))
    assert [(row.system, row.size) for row in table.rows] == [
        ("perceptron", 10),
        ("perceptron", 40),
        ("MIRA", 10),
        ("MIRA", 40),
    ]
    assert "| sentences |" in to_markdown(table)
    assert Work.of_file(path).too_large() == [
        "toy: size 80: it has only 40 sentences",
    ]
    small, whole = table.rows[0].cells[0], table.rows[1].cells[0]
    assert small.mean <= whole.mean

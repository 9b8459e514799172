"""The table of an experiment."""

import shutil

import pytest
from smallworlds import TEXT, finished, small_world

from headwise.experiments.formats import to_markdown
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

"""What is missing is done, once; what was cut short goes on; other data is noticed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from smallworlds import TEXT, small_world

from headwise.errors import FormatError, HeadwiseWarning, UsageError
from headwise.experiments.formats import to_csv, to_json, to_markdown
from headwise.experiments.perform import perform
from headwise.experiments.table import table_of
from headwise.experiments.work import Work, run_tasks
from headwise.learners.callbacks import TrainingCallback


def finished(path: Path, jobs: int = 1, **options) -> Work:
    work = Work.of_file(path, **options)
    for _ in run_tasks(work.tasks(), jobs):
        pass
    return work.reread()


def files_of(folder: Path) -> dict[str, object]:
    """What is in each file, but for times."""
    return {path.name: without_times(path) for path in folder.iterdir()}


def without_times(path: Path) -> object:
    if path.suffix != ".json":
        return path.read_bytes()
    data = json.loads(path.read_text())
    return {key: one for key, one in data.items() if "seconds" not in key}


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Path:
    path = small_world(tmp_path_factory.mktemp("world"))
    finished(path)
    return path


def test_what_is_done_is_not_done_again(world):
    work = Work.of_file(world)
    assert work.tasks() == []
    assert work.absent == (work.absent[0],)
    assert "licensed: no train" in work.absent[0]
    names = sorted(path.name for path in (world.parent / "results").iterdir())
    assert len(names) == 8
    assert sum(name.endswith(".counts.npz") for name in names) == 4


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


def test_the_table_is_written_in_three_ways(world):
    table = table_of(Work.of_file(world))
    lines = to_markdown(table).splitlines()
    assert lines[0].startswith(
        "| treebank | system | UAS | gain | p | seconds | times | paper: UAS"
    )
    assert lines[2].startswith("| toy | perceptron | ")
    assert lines[3].startswith("|  | MIRA | ")
    assert "| 91.1 |" in lines[3]
    assert " ± " in lines[3]
    data = to_json(table)
    assert data["rows"][1]["columns"]["UAS"]["paper"] == 91.1
    assert len(data["rows"][1]["columns"]["UAS"]["values"]) == 2
    json.dumps(data, allow_nan=False)
    assert to_csv(table).splitlines()[0].startswith("treebank,system,sentences,seeds,UAS,")


def test_without_treebanks_what_was_done_is_shown(world):
    work = Work.of_file(world, look=False)
    assert work.tasks() == []
    assert to_markdown(table_of(work)) == to_markdown(table_of(Work.of_file(world)))


def test_other_data_under_the_same_name_is_refused(world, tmp_path):
    other = small_world(tmp_path)
    with (tmp_path / "bank/dev.conllu").open("a") as stream:
        stream.write("\n")
    with pytest.raises(UsageError, match="is for another dev file of toy"):
        Work.of_file(other, results=world.parent / "results").tasks()


def test_only_a_treebank_that_is_there(world):
    with pytest.raises(UsageError, match="licensed: no train"):
        Work.of_file(world, only=["licensed"])
    with pytest.raises(UsageError, match="'toys' is unknown"):
        Work.of_file(world, only=["toys"])


def test_a_folder_that_is_not_there_is_an_error(world):
    nowhere = world.parent / "nowhere"
    told = rf"no such treebank folder: {nowhere}; set the folder with --treebanks"
    with pytest.raises(UsageError, match=told):
        Work.of_file(world, folders=[world.parent, nowhere])
    world.with_name("lost.toml").write_text(f'folder = "nowhere"\n{TEXT}', "utf-8")
    with pytest.raises(UsageError, match=told):
        Work.of_file(world.with_name("lost.toml"))
    with pytest.raises(
        UsageError, match="toy: no train .* in .*bank; set the folder with --treebanks"
    ):
        Work.of_file(world, folders=[world.parent / "bank"])
    assert len(Work.of_file(world, folders=[nowhere], look=False).rows()) == 2


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


def test_processes_come_to_the_same(world, tmp_path):
    path = small_world(tmp_path)
    finished(path, jobs=2)
    assert finished(path, jobs=2).tasks() == []
    ours, theirs = (files_of(one.parent / "results") for one in (path, world))
    assert ours == theirs


class Stopping(TrainingCallback):
    def epoch(self, record) -> None:
        if record["epoch"] == 2:
            raise KeyboardInterrupt


def test_a_run_that_was_cut_short_goes_on(tmp_path, monkeypatch):
    path = small_world(tmp_path, TEXT.replace("epochs = 1", "epochs = 3"))
    task = Work.of_file(path).tasks()[0]
    whole = perform(task).data["scores"]
    for file in (tmp_path / "results").iterdir():
        file.unlink()
    monkeypatch.setattr("headwise.learners.checkpoint.BETWEEN_CHECKPOINTS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        perform(task, Stopping())
    assert not list((tmp_path / "results").glob("*.json"))
    again = perform(task)
    assert again.data["scores"] == whole
    assert not list((tmp_path / "results").glob("*.checkpoint*"))


def test_a_checkpoint_of_another_version_is_begun_anew(tmp_path, monkeypatch):
    path = small_world(tmp_path, TEXT.replace("epochs = 1", "epochs = 3"))
    task = Work.of_file(path).tasks()[0]
    monkeypatch.setattr("headwise.learners.checkpoint.BETWEEN_CHECKPOINTS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        perform(task, Stopping())
    monkeypatch.setattr("headwise.learners.checkpoint.FORMAT", -1)
    with pytest.warns(HeadwiseWarning, match="restarted"):
        assert "seconds" in perform(task).data


def test_killed_at_any_moment_nothing_is_half_written(tmp_path):
    path = small_world(tmp_path)
    script = (
        "import sys; from pathlib import Path\n"
        "from headwise.experiments.work import Work, run_tasks\n"
        "print('ready', flush=True)\n"
        "list(run_tasks(Work.of_file(Path(sys.argv[1])).tasks(), 1))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, path], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    results = tmp_path / "results"
    deadline = time.monotonic() + 120
    while not list(results.glob("*.json")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    left = Work.of_file(path).tasks()
    assert len(left) < 4
    assert len(finished(path).rows()) == 2
    assert Work.of_file(path).tasks() == []


def test_results_without_counts_are_made_anew_where_they_are_tested(tmp_path):
    path = small_world(tmp_path, TEXT.replace("[0, 1]", "[0]"))
    work = finished(path)
    counts = next((tmp_path / "results").glob("*.counts.npz"))
    counts.unlink()
    older = counts.with_name(counts.name.replace(".counts.npz", ".json"))
    older.rename(older.with_name("of-an-older-name.json"))
    assert len(Work.of_file(path).tasks()) == 1
    assert table_of(work.reread()).rows[1].cells[2].mean is None
    assert table_of(finished(path)).rows[1].cells[2].mean is not None
    assert len(list(older.parent.iterdir())) == 4


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


def test_a_result_that_is_no_json_is_named(tmp_path):
    path = small_world(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "toy-x.json").write_text("{")
    with pytest.raises(FormatError, match="toy-x.json: is not JSON"):
        Work.of_file(path).tasks()

"""Runs that are interrupted, killed or divided among processes, and grammars as parsers."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bracketbank import LINES
from smallworlds import TEXT, finished, small_world

from headwise.corpus.sentence import Sentence, with_columns
from headwise.errors import HeadwiseWarning
from headwise.experiments.perform import grammar_trees, jackknifed_trees, perform, trained_grammar
from headwise.experiments.table import table_of
from headwise.experiments.work import Work, run_tasks
from headwise.learners.callbacks import TrainingCallback
from headwise.parsers.graph.parser import DependencyParser
from headwise.text.tagger import Tagger


def files_of(folder: Path) -> dict[str, object]:
    """What is in each file, but for times."""
    return {path.name: without_times(path) for path in folder.iterdir()}


def without_times(path: Path) -> object:
    if path.suffix != ".json":
        return path.read_bytes()
    data = json.loads(path.read_text())
    return {key: one for key, one in data.items() if "seconds" not in key}


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


GUIDED = """
title = "Guided"
seeds = [0, 1]
treebanks = ["trees"]

[settings]
epochs = 1
features = "paper-000"
labels = "none"
tables = { wide = 10, narrow = 10, filters = 8 }

[[systems]]
name = "grammar"
parser = "grammar"

[[systems]]
name = "alone"

[[systems]]
name = "guided"
guide = "grammar"

[[columns]]
measure = "uas"
title = "UAS"

[[columns]]
measure = "uas"
show = "p"
base = "grammar"
title = "p"

[treebank.trees]
train = "trees.mrg"
dev = "trees.mrg"
"""


def test_a_grammar_reads_trees_and_guides(tmp_path):
    path = small_world(tmp_path, GUIDED)
    (tmp_path / "trees.mrg").write_text("\n".join(LINES * 2) + "\n")
    work = Work.of_file(path)
    treebank = work.treebanks["trees"]
    gold = treebank.sentences("dev")
    told: list[tuple[str, int, int]] = []

    def tell(stage: str, done: int, total: int) -> None:
        told.append((stage, done, total))

    seen = grammar_trees(trained_grammar(treebank, tell), treebank, "dev", tell)
    assert [one.forms for one in seen] == [one.forms for one in gold]
    right = sum(
        a == b
        for x, y in zip(seen, gold, strict=True)
        for a, b in zip(x.heads, y.heads, strict=True)
    )
    assert right / sum(map(len, gold)) > 0.9
    assert [one.forms for one in jackknifed_trees(treebank, tell)] == [one.forms for one in gold]
    assert told[0] == ("training a grammar", 0, 1)
    assert ("training a grammar", 5, 5) in told
    assert len(list(run_tasks(work.tasks(), 1))) == 5
    table = table_of(work.reread())
    assert all(row.cells[0].mean > 50 for row in table.rows)
    assert [len(row.cells[0].values) for row in table.rows] == [1, 2, 2]
    assert all(0 < row.cells[1].mean <= 1 for row in table.rows[1:])


@pytest.mark.parametrize("tags", ["predicted", "jackknifed"])
def test_tags_are_those_of_a_tagger(tags, tmp_path, monkeypatch):
    """On what is parsed, and by `jackknifed` in training; what is scored keeps its own."""
    text = TEXT.replace('name = "MIRA"\n', f'name = "MIRA"\ntagging = "{tags}"\n')
    path = small_world(tmp_path, text.replace("seeds = [0, 1]", ""))
    seen = {}

    def noting(self, train, dev, before=DependencyParser.fit, **given):
        seen.update(train=train, dev=dev)
        return before(self, train, dev, **given)

    monkeypatch.setattr(DependencyParser, "fit", noting)
    monkeypatch.setattr(Tagger, "tag", lambda self, some: [renamed(one) for one in some])
    task = Work.of_file(path).tasks()[1]
    result = perform(task)
    assert {tag for one in seen["dev"] for tag in one.upos} == {"OTHER"}
    in_training = {tag for one in seen["train"] for tag in one.upos}
    assert (in_training == {"OTHER"}) == (tags == "jackknifed")
    assert result.data["tagging"] == tags
    assert Work.of_file(path).results.find(task.run) is not None
    assert len(Work.of_file(path).tasks()) == 1  # that with gold tags is another run


def renamed(sentence: Sentence) -> Sentence:
    some = ("OTHER",) * len(sentence)
    return with_columns(sentence, sentence.lemmas, some, some, sentence.feats)

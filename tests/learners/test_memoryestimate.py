"""The memory that is told at the start, against what is really taken."""

import subprocess
import sys
from pathlib import Path

import pytest

from headwise.learners.memoryestimate import training_memory
from headwise.learners.settings import TrainingSettings
from headwise.scoring.linear.tables import TableSizes

CODE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from toytreebank import toy_treebank
from headwise.scoring.linear.tables import TableSizes
from headwise.parsers.graph.parser import DependencyParser
train, dev = toy_treebank(300, 1), toy_treebank(50, 2)
DependencyParser(epochs=2, tables=TableSizes(wide=20, narrow=20)).fit(train, dev)
# Not by `resource`: what the process that started this one took would count too.
status = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
print(int(status["VmHWM"].split()[0]) * 1024, sum(map(len, [*train, *dev])))
"""


def test_what_is_told_is_what_is_taken():
    if not Path("/proc/self/status").exists():
        pytest.skip("the memory of a process is not told here")
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", CODE, tests], capture_output=True, text=True, check=True
    )
    taken, words = map(int, done.stdout.split())
    settings = TrainingSettings(tables=TableSizes(wide=20, narrow=20))
    told = training_memory(settings, words)
    assert taken / 1.7 < told < taken * 1.7


def test_what_makes_it_more():
    plain = training_memory(TrainingSettings(), 1000)
    assert training_memory(TrainingSettings(learner="log-linear"), 1000) > plain
    assert training_memory(TrainingSettings(), 10**6) > plain
    many_labels = TableSizes(wide=4, narrow=4, labels=26)
    second, none = (
        training_memory(TrainingSettings(labels=labels, tables=many_labels), 1000)
        for labels in ("second-stage", "none")
    )
    assert second - none > 1 << 30
    assert training_memory(TrainingSettings(), 1000, variables=10) == plain + 80
    machine = TrainingSettings(learner="bayes-point", members=2)
    assert training_memory(machine, 1000) == plain
    assert training_memory(machine, 1000, jobs=2) > 2 * plain
    assert training_memory(machine, 1000, jobs=9) == training_memory(machine, 1000, jobs=2)

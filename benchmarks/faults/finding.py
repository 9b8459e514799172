"""The result of fault injection, and helpers that all kinds of faults share."""

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from headwise.corpus.formats import write_sentences
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence

# Checkpoints all the time instead of every ten seconds, so that there is one to resume from and
# some kills hit the moment when one is written.
EAGER = """
import sys
from headwise.learners import checkpoint
for name, value in {"BETWEEN_CHECKPOINTS": 0.02, "TIMES_ITS_COST": 0}.items():
    getattr(checkpoint, name)  # raises if the name has changed
    setattr(checkpoint, name, value)
from headwise.cli.app import run
sys.exit(run(sys.argv[1:]))
"""
SIZES = (
    "--epochs", "3", "--set", "features=paper-000", "--set", "tables.wide=10", "--set",
    "tables.narrow=10", "--set", "tables.filters=8", "--set", "tables.labels=10",
)  # fmt: skip


@dataclass
class Finding:
    """The result of one kind of fault."""

    name: str
    rounds: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    skipped: str = ""

    def note(self, outcome: str) -> None:
        """Count an outcome of a round."""
        self.seen[outcome] = self.seen.get(outcome, 0) + 1

    def expect(self, is_right: bool, problem: str) -> None:
        """Record a problem unless the condition holds."""
        if not is_right:
            self.problems.append(problem)


def command(*arguments: object, eager: bool = False) -> list[str]:
    """The command line that runs Headwise in a new process."""
    start = ["-c", EAGER] if eager else ["-m", "headwise"]
    return [sys.executable, *start, *map(str, arguments)]


def call(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(command(*arguments), capture_output=True, text=True, check=False)


def sample_treebank(path: Path, copies: int) -> list[Sentence]:
    """Write the sample treebank of the package, repeated, to a file."""
    sentences = list(read_sample()) * copies
    write_sentences(path, sentences)
    return sentences

"""Fault injection: kills training, damages and forges files, fills the disk, parses a long stream.

    python benchmarks/robustness.py [--minutes 60] [--seed 0] [--write docs/robustness.md]

The exit code is 1 if a problem was found. However short the time, every fault is injected once.
"""

import argparse
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from faults import damage, disk, forgery, kills, stream
from faults.finding import Finding

SHARES = {kills: 0.35, damage: 0.15, forgery: 0.2, disk: 0.1, stream: 0.2}
"""The kinds of faults, and their shares of the time."""

ABOUT = """# Robustness

`python benchmarks/robustness.py --write docs/robustness.md` injects faults for a given time and
checks that nothing breaks. The tests cover each kind of fault once.

- **Training, killed and resumed.** Trainings with several learners are killed at random moments
  (SIGKILL, SIGTERM, SIGINT), with checkpoints written continuously, and resumed until they finish.
  The weights must equal those of an uninterrupted training byte for byte, and no temporary files
  may remain.
- **Models and treebanks, damaged.** Files are truncated, bits flipped, pieces overwritten or
  repeated. A model must be refused with one of our errors, unless only its card was damaged; a
  treebank must be read, or refused in the same way.
- **Models, tampered with and sealed again.** Arrays and settings of tiny models of every kind are
  altered (reversed, shortened, set to extreme numbers, given other types, removed) and saved with
  new checksums. Such a model must be refused with one of our errors or be usable: no crash, no
  endless loop, no traceback.
- **A full disk.** Files and models are written to a tmpfs that is too small for some of them. The
  command must say so, exit with code 2 and leave no partial file.
- **A long stream.** `headwise parse --jobs 2` parses text that does not end; its memory use must
  stay constant.

"""


def findings(minutes: float, seed: int) -> list[Finding]:
    """Inject every kind of fault for its share of the time."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (module, share) in enumerate(SHARES.items()):
            own = Path(folder) / str(number)
            own.mkdir()
            print(f"{module.__name__} …", file=sys.stderr, flush=True)
            rng = random.Random(f"{seed} {number}")
            found.append(module.inject(60 * minutes * share, rng, own))
            print(
                f"  {line(found[-1])}", *found[-1].problems, sep="\n  ", file=sys.stderr, flush=True
            )
    return found


def line(found: Finding) -> str:
    """A finding as a row of a table."""
    if found.skipped:
        return f"| {found.name} | skipped: {found.skipped} | | |"
    seen = ", ".join(f"{name}: {count:,}" for name, count in found.seen.items())
    return f"| {found.name} | {found.rounds:,} | {seen} | {len(found.problems) or 'none'} |"


def report(found: Sequence[Finding], minutes: float, seed: int) -> str:
    """The findings in Markdown."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("headwise", "numba", "numpy"))
    lines = [
        f"The last run: {minutes:.1f} minutes, seed {seed}; Python {platform.python_version()}, "
        f"{versions}, {platform.system()}, {os.cpu_count()} processors.",
        "",
        "| fault | rounds | observed | problems |",
        "|---|--:|---|--:|",
        *map(line, found),
    ]
    problems = [f"- {one.name}: {problem}" for one in found for problem in one.problems]
    if problems:
        lines += ["", "Problems:", "", *problems]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Inject faults; 1 if there were problems."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--minutes", type=float, default=60.0)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--write", type=Path, help="write the result to this page")
    chosen = options.parse_args(arguments)
    start = time.monotonic()
    found = findings(chosen.minutes, chosen.seed)
    text = report(found, (time.monotonic() - start) / 60, chosen.seed)
    print(text)
    if chosen.write is not None:
        chosen.write.write_text(ABOUT + text, "utf-8")
    return int(any(one.problems for one in found))


if __name__ == "__main__":
    sys.exit(main())

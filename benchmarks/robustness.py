"""Fault injection: kills training, damages and forges files, fills the disk, parses without end.

    python benchmarks/robustness.py [--minutes 60] [--seed 0] [--write docs/robustness.md]

Exit code 1 if something was found. With little time, every kind of trouble is still made once.
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

from trouble import damage, disk, forgery, kills, stream
from trouble.finding import Finding

SHARES = {kills: 0.35, damage: 0.15, forgery: 0.2, disk: 0.1, stream: 0.2}
"""What is done, and how much of the time it has."""

ABOUT = """# Robustness

This page is made by `python benchmarks/robustness.py --write docs/robustness.md`. For a stated time
the script makes trouble and looks whether anything goes wrong; tests make each kind of it once.

- **Training, killed and resumed.** Trainings of several learners are killed at random moments
  (SIGKILL, SIGTERM, SIGINT), with checkpoints written every moment, and resumed until they are
  finished. The weights must be those of an undisturbed training, byte by byte, and nothing may be
  left beside the model.
- **Models and treebanks, damaged.** Files are cut short, bits are flipped, pieces are overwritten
  or repeated. A model must be refused with one of our errors, unless it was only its card; a
  treebank must be read, or refused so.
- **Models, altered and sealed again.** Arrays and settings of tiny models of every kind are altered
  (reversed, shortened, extreme numbers, other types, missing …) and saved with new checksums. Such
  a model must be refused with one of our errors, or be of use: no crash, no endless loop, no
  traceback.
- **A full disk.** Files and models are written to a tmpfs that is too small for some of them. The
  command must say so, with exit code 2, and leave nothing half written.
- **A long stream.** `headwise parse --jobs 2` parses text that does not end; its memory must stay
  flat.

"""


def findings(minutes: float, seed: int) -> list[Finding]:
    """Make every kind of trouble for its share of the time."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (module, share) in enumerate(SHARES.items()):
            own = Path(folder) / str(number)
            own.mkdir()
            print(f"{module.__name__} …", file=sys.stderr, flush=True)
            rng = random.Random(f"{seed} {number}")
            found.append(module.look_for_trouble(60 * minutes * share, rng, own))
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
    """What was found, in Markdown."""
    versions = ", ".join(f"{name} {version(name)}" for name in ("headwise", "numba", "numpy"))
    lines = [
        f"The last run: {minutes:.1f} minutes, seed {seed}; Python {platform.python_version()}, "
        f"{versions}, {platform.system()}, {os.cpu_count()} processors.",
        "",
        "| trouble | rounds | what was seen | problems |",
        "|---|--:|---|--:|",
        *map(line, found),
    ]
    problems = [f"- {one.name}: {problem}" for one in found for problem in one.problems]
    if problems:
        lines += ["", "Problems:", "", *problems]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make trouble; 1 if something went wrong."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--minutes", type=float, default=60.0)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--write", type=Path, help="a page to write the result to")
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

"""On a full disk, commands fail with a message and leave nothing behind.

The disk is a tmpfs of a few kilobytes, in a separate mount namespace.
"""

import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from faults.finding import SIZES, Finding, call, sample_treebank

WITHIN = ["unshare", "--user", "--map-root-user", "--mount"]
KILOBYTES = (4, 16, 64, 256, 1024)


def inject(seconds: float, rng: random.Random, folder: Path) -> Finding:
    """Fill disks for a number of seconds, at least one."""
    found = Finding("a full disk")
    reason = cannot_mount(folder)
    if reason:
        found.skipped = reason
        return found
    sample_treebank(folder / "long.conllu", 300)
    sample_treebank(folder / "small.conllu", 10)
    end = time.monotonic() + seconds
    while found.rounds == 0 or time.monotonic() < end:
        size = KILOBYTES[found.rounds % len(KILOBYTES)] if found.rounds else 64
        inside = [sys.executable, "-m", "faults.disk", str(folder), str(size)]
        done = subprocess.run(
            [*WITHIN, *inside],
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).parents[1],
        )
        if done.returncode:
            found.problems.append(f"{size} kB: {done.stderr[-300:]}")
        else:
            for outcome, problem in json.loads(done.stdout):
                found.note(outcome)
                found.expect(not problem, f"{size} kB: {problem}")
        found.rounds += 1
    return found


def cannot_mount(folder: Path) -> str:
    """Why a tmpfs cannot be mounted here; empty if it can."""
    if shutil.which("unshare") is None:
        return "unshare is not installed"
    mount = ["mount", "-t", "tmpfs", "tmpfs", str(folder)]
    done = subprocess.run([*WITHIN, *mount], capture_output=True, text=True, check=False)
    return f"cannot mount a tmpfs: {done.stderr.strip()}" if done.returncode else ""


def fill(folder: Path, size: int) -> list[tuple[str, str]]:
    """Run commands whose output goes to a small disk: outcomes and, if any, problems."""
    disk = folder / "disk"
    disk.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(disk)], check=True)
    small, long = folder / "small.conllu", folder / "long.conllu"
    train = ["train", "--fast", "--only", "parser", small, "-o", disk / "model", *SIZES]
    return [
        outcome(disk, "file", "convert", long, disk / "converted.conllu"),
        outcome(disk, "file", "parse", long, "-o", disk / "parsed.conllu"),
        outcome(disk, "model", *train),
        outcome(disk, "model", *train, "--force"),
    ]


def outcome(disk: Path, kind: str, *arguments: object) -> tuple[str, str]:
    """The outcome of a command: complete output, or none and a message."""
    before = names(disk)
    done = call(*arguments)
    new = names(disk) - before
    if done.returncode == 0:
        return f"a {kind} fitted", ""
    reported = "No space left" in done.stderr
    beside = ("log.jsonl", "checkpoint", "checkpoint.labels", "checkpoint.json")  # for --resume
    kept = {f"model.{ending}" for ending in beside}
    problem = ""
    if done.returncode != 2 or not reported:
        problem = f"{arguments[0]}: exit code {done.returncode}, {done.stderr[-200:]!r}"
    elif new - kept:
        problem = f"{arguments[0]}: left behind: {', '.join(sorted(new - kept))}"
    return f"a {kind} did not fit", problem


def names(disk: Path) -> set[str]:
    """The names of the files on the disk."""
    return {path.name for path in disk.iterdir()}


if __name__ == "__main__":
    print(json.dumps(fill(Path(sys.argv[1]), int(sys.argv[2]))))

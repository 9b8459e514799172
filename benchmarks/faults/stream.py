"""A long stream through `headwise parse --jobs 2`: memory must not grow."""

import random
import subprocess
import threading
import time
from pathlib import Path
from statistics import median
from typing import IO, BinaryIO

from faults.finding import Finding, command
from headwise.corpus.sample import read_sample
from headwise.text.rawtext import running_text

WARM_UP = 0.25
"""Share of the time in which memory may grow: compiled code, buffers, pending batches."""
GROWTH = 1.05
"""Allowed growth of what is usual after the second quarter, beside 10 MB."""
PEAK = 1.3
"""The same of peaks: now and then, two threads need most at the same moment."""
LEAST_BYTES = 500_000
"""Of text, however short the time: on a busy machine buffers take longer to fill."""


def inject(seconds: float, rng: random.Random, folder: Path) -> Finding:
    """Parse text for a number of seconds, at least six, and watch memory."""
    found = Finding("a long stream, two threads")
    if not Path("/proc/self/status").exists():
        found.skipped = "requires /proc to measure memory"
        return found
    process = subprocess.Popen(
        command("parse", "-", "--text", "--to", "conllu", "--jobs", 2),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("there are no pipes")
    end = time.monotonic() + max(6.0, seconds)
    feeder = threading.Thread(target=feed, args=(process.stdin, end, rng))
    feeder.start()
    words, memory = watched(process, process.stdout)
    feeder.join()
    found.expect(process.wait() == 0, f"exit code {process.returncode}")
    judge(found, words, memory)
    return found


def feed(stream: BinaryIO, end: float, rng: random.Random) -> None:
    """Write text until the end, paragraph by paragraph, in random order."""
    paragraphs = [running_text([sentence]).text for sentence in read_sample()]
    written = 0
    with stream:
        while time.monotonic() < end or written < LEAST_BYTES:
            rng.shuffle(paragraphs)
            written += stream.write(("\n\n".join(paragraphs) + "\n\n").encode())


def watched(process: subprocess.Popen[bytes], output: IO[bytes]) -> tuple[int, list[int]]:
    """The number of words in the output, and the memory in kB over time."""
    words, memory, due = 0, [], 0.0
    for line in output:
        words += line[:1].isdigit()
        now = time.monotonic()
        if now >= due:
            memory.append(kilobytes(process.pid))
            due = now + 0.1
    output.close()
    return words, memory


def kilobytes(process: int) -> int:
    """The resident memory of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def judge(found: Finding, words: int, memory: list[int]) -> None:
    """Compare the memory after warming up with that used later."""
    memory = [size for size in memory if size]
    found.rounds = 1
    quarter = max(1, int(len(memory) * WARM_UP))
    early, late = memory[quarter : 2 * quarter], memory[2 * quarter :]
    if not early or not late:
        found.problems.append("there was too little output to judge")
        return
    found.seen = {
        "words": words,
        "MB in the second quarter": max(early) // 1000,
        "MB at most after it": max(late) // 1000,
    }
    usual = int(median(late[len(late) // 2 :]))
    found.expect(
        usual <= GROWTH * max(early) + 10_000 and max(late) <= PEAK * max(early) + 10_000,
        f"memory grew from {max(early):,} to {usual:,} kB, at most {max(late):,}",
    )

"""A long stream through `headwise parse --jobs 2`: memory must stay flat."""

import random
import subprocess
import threading
import time
from pathlib import Path
from typing import IO, BinaryIO

from headwise.corpus.sample import read_sample
from headwise.text.rawtext import running_text
from trouble.finding import Finding, command

WARM_UP = 0.25
"""This share of the time memory may still grow: compiled code, buffers, batches on their way."""
GROWTH = 1.05
"""So much more than the highest of the second quarter may be used later, and 10 MB."""


def look_for_trouble(seconds: float, rng: random.Random, folder: Path) -> Finding:
    """Parse text for so many seconds, six at least, and watch memory."""
    found = Finding("a long stream, two threads")
    if not Path("/proc/self/status").exists():
        found.skipped = "memory of a process is read from /proc, which is not here"
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
    """Write text until the end, paragraph by paragraph, in an order that does not repeat."""
    paragraphs = [running_text([sentence]).text for sentence in read_sample()]
    with stream:
        while time.monotonic() < end:
            rng.shuffle(paragraphs)
            stream.write(("\n\n".join(paragraphs) + "\n\n").encode())


def watched(process: subprocess.Popen[bytes], output: IO[bytes]) -> tuple[int, list[int]]:
    """How many words came out, and the kilobytes in use all along, from the first output on."""
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
    """The memory that a process has in use."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def judge(found: Finding, words: int, memory: list[int]) -> None:
    """Compare what was used after warming up with what was used later."""
    memory = [size for size in memory if size]
    found.rounds = 1
    quarter = max(1, int(len(memory) * WARM_UP))
    early, late = memory[quarter : 2 * quarter], memory[2 * quarter :]
    if not early or not late:
        found.problems.append("too little came out to say anything")
        return
    found.seen = {
        "words": words,
        "MB in the second quarter": max(early) // 1000,
        "MB at most after it": max(late) // 1000,
    }
    found.expect(
        max(late) <= GROWTH * max(early) + 10_000,
        f"memory grew from {max(early):,} to {max(late):,} kB",
    )

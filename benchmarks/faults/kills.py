"""Training that is killed at random moments and resumed gives the same weights."""

import random
import signal
import subprocess
import time
from pathlib import Path

from faults.finding import SIZES, Finding, command, sample_treebank
from headwise.storage.modelfile import WEIGHTS

LEARNERS = ("mira", "perceptron", "log-linear", "bayes-point")
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
MOST_KILLS = 6
FEWEST_KILLS = 2
"""Numbers of kills per training; the latter if time is short."""
COPIES = 150


def inject(seconds: float, rng: random.Random, folder: Path) -> Finding:
    """Kill and resume trainings for a number of seconds, at least one."""
    found = Finding("training, killed and resumed")
    end = time.monotonic() + seconds
    sample_treebank(folder / "train.conllu", COPIES)
    sample_treebank(folder / "dev.conllu", 3)
    most = MOST_KILLS if seconds else FEWEST_KILLS
    whole: dict[str, tuple[bytes, float]] = {}
    while found.rounds == 0 or time.monotonic() < end:
        learner = LEARNERS[found.rounds % len(LEARNERS)]
        if learner not in whole:
            start = time.monotonic()
            train(folder / f"{learner}-whole", learner).wait()
            whole[learner] = (weights_of(folder / f"{learner}-whole"), time.monotonic() - start)
        wanted, duration = whole[learner]
        model = folder / f"{learner}-{found.rounds}"
        kills = kill_until_done(model, learner, most, duration, rng)
        found.rounds += 1
        found.seen["kills"] = found.seen.get("kills", 0) + kills
        found.expect(
            weights_of(model) == wanted != b"",
            f"{learner}: after {kills} kills the weights differ, or are missing",
        )
        left = sorted(path.name for path in folder.glob(f"*{model.name}.checkpoint*"))
        found.expect(not left, f"{learner}: left behind: {', '.join(left)}")
    return found


def train(model: Path, learner: str) -> subprocess.Popen[bytes]:
    """Start a training, or resume it."""
    folder = model.parent
    files = [folder / "train.conllu", "--dev", folder / "dev.conllu", "-o", model, "--resume"]
    members = ["--set", "members=3"] if learner == "bayes-point" else []
    options = ["--only", "parser", "--learner", learner, *members, *SIZES]
    return subprocess.Popen(
        command("train", *files, *options, eager=True),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def kill_until_done(
    model: Path, learner: str, most: int, duration: float, rng: random.Random
) -> int:
    """Kill a training at random moments, then let it finish; returns the number of kills."""
    for kills in range(most):
        process = train(model, learner)
        try:
            process.wait(rng.uniform(0.3, 1.0) * duration)
        except subprocess.TimeoutExpired:
            process.send_signal(rng.choice(SIGNALS))
        process.wait()
        if process.returncode == 0:
            return kills
    train(model, learner).wait()
    return most


def weights_of(model: Path) -> bytes:
    """The weights of a model; empty if there is no model."""
    path = model / WEIGHTS
    return path.read_bytes() if path.exists() else b""

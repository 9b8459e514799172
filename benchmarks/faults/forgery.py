"""Models whose arrays and settings are altered, and sealed again, are refused or can be used.

    python -m trouble.forgery [--seconds 60] [--seed 0] [--kind parser-2 …]      in benchmarks/

Checksums are right, so only checks of the contents stand between a forged model and the kernels.
Each is loaded and, if it is accepted, used, in a process of its own: one that dies, or does not
come to an end, is seen. A problem is told with its seed; `--kind parser --only SEED` makes that
alteration once more.
"""

import argparse
import json
import random
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

from headwise.errors import HeadwiseError
from headwise.storage.modelfile import load_model, save_model
from trouble.alterations import altered
from trouble.finding import Finding

PATIENCE = 60.0
"""Seconds after which a victim is taken for hanging; on a busy machine it takes some to start."""
VICTIM = ("-m", "trouble.forgery", "--victim")
FEWEST = 12
"""Alterations of every kind, where there is no time."""


def look_for_trouble(
    seconds: float, rng: random.Random, folder: Path, kinds: Sequence[str] = ()
) -> Finding:
    """Forge models of all kinds in turn for so many seconds, some of each at least."""
    from trouble.tinymodels import KINDS

    found = Finding("models, altered and sealed again")
    chosen, seed = list(kinds) or list(KINDS), rng.randrange(1 << 32)
    make_models(chosen, folder)
    end = time.monotonic() + seconds
    with Victim(folder) as victim:
        while found.rounds < FEWEST * len(chosen) or time.monotonic() < end:
            kind = chosen[found.rounds % len(chosen)]
            outcome, told = victim.try_out(kind, f"{seed}-{found.rounds}")
            found.note(outcome)
            found.expect(outcome in ("refused", "used"), f"{kind}, {outcome}: {told}")
            found.rounds += 1
    return found


def make_models(kinds: Sequence[str], folder: Path) -> None:
    """A tiny model of each kind, used once: victims need not compile kernels."""
    from trouble.tinymodels import KINDS

    for kind in kinds:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # so little data is not enough for anything
            KINDS[kind].make(folder / kind)
            KINDS[kind].use(folder / kind)


class Victim:
    """A process that loads and uses what it is given, and may die of it."""

    def __init__(self, folder: Path) -> None:
        """The models are in the folder; the process is started when it is needed."""
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None
        self.answers: Queue[str] = Queue()

    def __enter__(self) -> "Victim":
        """Nothing is started yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.end()

    def start(self) -> subprocess.Popen[str]:
        """The process, and a thread that waits for its answers."""
        process = subprocess.Popen(
            [sys.executable, *VICTIM, str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=Path(__file__).parents[1],
        )
        answers: Queue[str] = Queue()

        def listen() -> None:
            for line in process.stdout or ():
                answers.put(line)
            answers.put("")

        Thread(target=listen, daemon=True).start()
        self.process, self.answers = process, answers
        return process

    def end(self) -> int | None:
        """End the process; its exit code if it had ended by itself."""
        process, self.process = self.process, None
        if process is None:
            return None
        try:
            code = process.wait(1.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        return code

    def try_out(self, kind: str, seed: str) -> tuple[str, str]:
        """What comes of an alteration, and what is to be told of it."""
        process = self.process or self.start()
        if process.stdin is not None:
            process.stdin.write(f"{kind} {seed}\n")
            process.stdin.flush()
        try:
            line = self.answers.get(timeout=PATIENCE)
        except Empty:
            self.end()
            return "hung", f"seed {seed}"
        if not line:
            return "died", f"exit code {self.end()}, seed {seed}"
        outcome, told = json.loads(line)
        return outcome, told


def be_victim(folder: Path) -> None:
    """Try out what standard input asks for."""
    output, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        kind, seed = line.split()
        answer = outcome_of(kind, seed, folder)
        print(json.dumps(answer), file=output, flush=True)


def outcome_of(kind: str, seed: str, folder: Path) -> tuple[str, str]:
    """Make an alteration, load what it comes to, and use it."""
    from trouble.tinymodels import KINDS

    forged, told = altered(load_model(folder / kind), random.Random(f"{kind} {seed}"))
    target = folder / "forged"
    save_model(target, forged, force=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            KINDS[kind].use(target)
    except HeadwiseError as error:
        return "refused", str(error)
    except BaseException:
        last = traceback.format_exc().strip().splitlines()
        return "traceback", f"{told} (seed {seed}): {' | '.join(last[-6:])}"
    return "used", told


def main(arguments: Sequence[str] | None = None) -> int:
    """Forge models; 1 if something went wrong."""
    import tempfile

    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--kind", action="append", default=[])
    options.add_argument("--only", help="a seed that was told")
    options.add_argument("--victim", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args(arguments)
    if chosen.victim is not None:
        be_victim(chosen.victim)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if chosen.only:
            make_models(chosen.kind, Path(folder))
            for kind in chosen.kind:
                print(*outcome_of(kind, chosen.only, Path(folder)))
            return 0
        rng = random.Random(chosen.seed)
        found = look_for_trouble(chosen.seconds, rng, Path(folder), chosen.kind)
    print(found.rounds, found.seen, *found.problems, sep="\n")
    return int(bool(found.problems))


if __name__ == "__main__":
    sys.exit(main())

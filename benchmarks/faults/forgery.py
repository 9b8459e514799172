"""Forged models, altered but with valid checksums, are rejected or usable.

    python -m faults.forgery [--seconds 60] [--seed 0] [--kind parser-2 …]      in benchmarks/

Checksums are valid, so that only the checks of the contents protect the kernels. Each model is
loaded and, if it is accepted, used, in a separate process, so that crashes and hangs are noticed.
Problems are reported with their seed; `--kind parser --only SEED` repeats that alteration.
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

from faults.alterations import altered
from faults.finding import Finding
from headwise.errors import HeadwiseError
from headwise.storage.modelfile import load_model, save_model

PATIENCE = 60.0
"""Seconds after which a process is considered hanging; on a busy machine it starts slowly."""
VICTIM = ("-m", "faults.forgery", "--victim")
FEWEST = 12
"""Minimum number of alterations of every kind."""


def inject(seconds: float, rng: random.Random, folder: Path, kinds: Sequence[str] = ()) -> Finding:
    """Forge models of all kinds in turn for a number of seconds, at least some of each."""
    from faults.tinymodels import KINDS

    found = Finding("models, forged")
    chosen, seed = list(kinds) or list(KINDS), rng.randrange(1 << 32)
    make_models(chosen, folder)
    end = time.monotonic() + seconds
    with Victim(folder) as victim:
        while found.rounds < FEWEST * len(chosen) or time.monotonic() < end:
            kind = chosen[found.rounds % len(chosen)]
            outcome, detail = victim.try_out(kind, f"{seed}-{found.rounds}")
            found.note(outcome)
            found.expect(outcome in ("rejected", "used"), f"{kind}, {outcome}: {detail}")
            found.rounds += 1
    return found


def make_models(kinds: Sequence[str], folder: Path) -> None:
    """Make a tiny model of each kind and use it once, so that kernels are compiled."""
    from faults.tinymodels import KINDS

    for kind in kinds:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about too little data
            KINDS[kind].make(folder / kind)
            KINDS[kind].use(folder / kind)


class Victim:
    """A process that loads and uses forged models, and may crash."""

    def __init__(self, folder: Path) -> None:
        """Set the folder of models; the process is started when needed."""
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None
        self.answers: Queue[str] = Queue()

    def __enter__(self) -> "Victim":
        """Return the victim; nothing is started yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.end()

    def start(self) -> subprocess.Popen[str]:
        """Start the process, and a thread that waits for its answers."""
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
        """End the process; returns its exit code if it had ended by itself."""
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
        """The outcome of an alteration, and its details."""
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
        outcome, detail = json.loads(line)
        return outcome, detail


def be_victim(folder: Path) -> None:
    """Try out the alterations requested on standard input."""
    output, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        kind, seed = line.split()
        answer = outcome_of(kind, seed, folder)
        print(json.dumps(answer), file=output, flush=True)


def outcome_of(kind: str, seed: str, folder: Path) -> tuple[str, str]:
    """Make an alteration, load the result, and use it."""
    from faults.tinymodels import KINDS

    forged, detail = altered(load_model(folder / kind), random.Random(f"{kind} {seed}"))
    target = folder / "forged"
    save_model(target, forged, force=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            KINDS[kind].use(target)
    except HeadwiseError as error:
        return "rejected", str(error)
    except BaseException:
        last = traceback.format_exc().strip().splitlines()
        return "traceback", f"{detail} (seed {seed}): {' | '.join(last[-6:])}"
    return "used", detail


def main(arguments: Sequence[str] | None = None) -> int:
    """Forge models; 1 if there were problems."""
    import tempfile

    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seconds", type=float, default=60.0)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--kind", action="append", default=[])
    options.add_argument("--only", help="seed of a reported problem")
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
        found = inject(chosen.seconds, rng, Path(folder), chosen.kind)
    print(found.rounds, found.seen, *found.problems, sep="\n")
    return int(bool(found.problems))


if __name__ == "__main__":
    sys.exit(main())

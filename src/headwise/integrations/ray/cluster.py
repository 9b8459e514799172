"""Work done by Ray: models are sent to machines once and loaded once by each worker."""

import os
import pickle
import signal
import socket
import threading
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ray

from headwise.errors import UsageError
from headwise.integrations.ray.driver import Driver, Progress, Summary, WorkerLostError
from headwise.integrations.ray.job import Recipe, paired
from headwise.integrations.ray.manifest import Manifest
from headwise.integrations.ray.work import Result, Work, outcome
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from headwise.processes.garbage import collect_rarely

PIECE_BYTES = 8 << 20
"""The length of the pieces of big files: half a minute's or a minute's work."""

AHEAD = 2
"""How much work is handed out for each CPU of the cluster: one to do, one that waits."""

ANSWER_SECONDS = 10
"""How long a cluster may take to answer."""

_loaded: dict[str, Pipeline] = {}
"""The model of this worker."""


def parse_files(
    files: Iterable[str],
    output: str | Path,
    recipe: Recipe | None = None,
    *,
    model: str | Path | None = None,
    address: str | None = None,
    workers: int | None = None,
    piece_bytes: int = PIECE_BYTES,
    progress: Progress = lambda done, words: None,
) -> Summary:
    """Parse files into files of a folder, on a Ray cluster; run again, it goes on where it was.

    files: paths, or patterns such as `corpus/*.txt.gz`; every machine must see them, and the
        folder of the output, under the same paths.
    recipe: how they are parsed and what is written.
    address: the cluster; without one, Ray starts on this machine, with this number of `workers`.
    piece_bytes: big files of raw text are cut into pieces of this length.
    """
    recipe, target = recipe or Recipe(), Path(output).resolve()
    recipe.check()
    pairs = paired(files, target, recipe.to_format)
    pipeline = as_pipeline(model)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{output} is a file; results go to a folder (-o out/)")
    target.mkdir(parents=True, exist_ok=True)
    manifest = Manifest(target, recipe.described(f"{pipeline.name} {pipeline.version}"))
    with cluster(address, workers):
        driver = Driver(
            RayExecutor(pipeline),
            recipe,
            manifest,
            target,
            piece_bytes=piece_bytes,
            progress=progress,
        )
        return driver.run(pairs)


@contextmanager
def cluster(address: str | None, workers: int | None) -> Iterator[None]:
    """A connection to Ray; one that the caller has is used and left as it is.

    Without an address Ray begins anew on this machine, whatever else of it runs there.
    """
    if ray.is_initialized():
        yield
        return
    check_address(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report its use to its makers
    try:
        with kept_signals():
            ray.init(
                address=address or "local",
                num_cpus=workers if address is None else None,
                include_dashboard=None if address else False,
                log_to_driver=False,
                logging_level="ERROR",
            )
    except (ConnectionError, ValueError) as error:
        raise UsageError(f"no Ray cluster at {address}: {error}") from None
    except Exception as error:  # Ray raises nothing more particular when its processes are late
        ray.shutdown()
        raise UsageError(f"Ray has not started: {error}") from error
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def kept_signals() -> Iterator[None]:
    """Keep who handles SIGTERM: Ray would end this process with exit code 15, where we say 143."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    except SystemExit as leaving:
        if leaving.code == signal.SIGTERM:  # from Ray's handler
            raise SystemExit(128 + signal.SIGTERM) from None
        raise
    finally:
        if before is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


def check_address(address: str | None) -> None:
    """Raise if nobody answers at HOST:PORT: Ray would try for minutes and then end this process."""
    host, colon, port = (address or "").rpartition(":")
    if not colon or not port.isdecimal() or "/" in host:  # `auto`, `ray://…`
        return
    try:
        socket.create_connection((host, int(port)), timeout=ANSWER_SECONDS).close()
    except OSError as error:
        raise UsageError(f"no Ray cluster at {address}: {error.strerror or error}") from None


class RayExecutor:
    """Workers of a Ray cluster, a CPU each."""

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the model available to all machines."""
        self.key = f"{pipeline.name} {pipeline.version} {id(pipeline)}"
        # As bytes: arrays out of Ray's memory are read-only, and kernels are compiled for others.
        self.model = ray.put(pickle.dumps(pipeline))
        self.run = ray.remote(num_cpus=1, max_retries=0)(work_with)

    def capacity(self) -> int:
        """Two works for each CPU that the cluster has now."""
        return AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, work: Work) -> Hashable:
        """Begin some work on any machine."""
        handle: Hashable = self.run.remote(self.key, [self.model], work)
        return handle

    def finished(self, running: Sequence[Hashable]) -> Hashable:
        """One of some works that has ended."""
        ready, _ = ray.wait(list(running), num_returns=1)
        first: Hashable = ready[0]
        return first

    def result(self, handle: Hashable) -> Result:
        """What came of it."""
        try:
            found: Result = ray.get(handle)
        except ray.exceptions.RayTaskError as error:
            raise UsageError(f"a worker cannot work: {last_line(error)}") from error
        except ray.exceptions.RayError as error:
            raise WorkerLostError(str(error)) from error
        return found


def last_line(error: BaseException) -> str:
    """What an error of Ray is about."""
    return str(error).strip().splitlines()[-1]


def work_with(key: str, model: Sequence[Any], work: Work) -> Result:
    """Do some work in a worker, which loads the model with the first."""
    if key not in _loaded:
        _loaded.clear()
        _loaded[key] = pickle.loads(ray.get(model[0]))
        collect_rarely()
    return outcome(work, _loaded[key])
